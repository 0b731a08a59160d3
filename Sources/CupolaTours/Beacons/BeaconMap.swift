public import CupolaGuide

/// The beacons of a building: how strong they are, what they are called, and, where somebody surveyed it, how they sound
/// from its places.
public struct BeaconMap: Equatable, Sendable {
  /// One of them.
  public struct Beacon: Equatable, Sendable {
    /// Who it is.
    public let id: BeaconID
    /// dBm a meter away, from -127 to 20, measured where it hangs; `nil`: as it says itself.
    public let power: Double?
    /// What people, or the zones of tours, call it.
    public let name: String?
    /// Where it is: an identifier, a training label or a name of the guide.
    public let place: String?

    /// A beacon; what is no strength is no `power`.
    public init(_ id: BeaconID, power: Double? = nil, name: String? = nil, place: String? = nil) {
      self.id = id
      self.power = power.flatMap { BeaconStrength.power.contains($0) ? $0 : nil }
      (self.name, self.place) = (name, place)
    }
  }

  /// The beacons, in the order of the file.
  public let beacons: [Beacon]
  /// How they sound, place by place; empty where nobody surveyed.
  public let fingerprints: [BeaconFingerprint]
  /// dBm a meter away, of those of whom it is known.
  public let powers: [BeaconID: Double]

  static let mostBeacons = 500
  static let mostFingerprints = 1000

  /// Of nothing: beacons are taken at their word.
  public init() { (beacons, fingerprints, powers) = ([], [], [:]) }

  /// Of beacons and what was heard of them.
  ///
  /// - Throws: ``GuideError/badTour(path:problem:)`` for more than 500 beacons or 1,000 fingerprints, a beacon that is
  ///   there twice, and a fingerprint of beacons that are not there, or of fewer than three.
  public init(
    beacons: [Beacon], fingerprints: [BeaconFingerprint] = []
  ) throws(GuideError) {
    func fault(_ problem: String) -> GuideError { .badTour(path: "beacons", problem: problem) }
    guard beacons.count <= Self.mostBeacons else {
      throw fault("\(beacons.count) beacons, of which \(Self.mostBeacons) are accepted")
    }
    guard fingerprints.count <= Self.mostFingerprints else {
      throw fault(
        "\(fingerprints.count) fingerprints, of which \(Self.mostFingerprints) are accepted")
    }
    var known: Set<BeaconID> = []
    for beacon in beacons where !known.insert(beacon.id).inserted {
      throw fault("\(beacon.id) is there twice; remove one")
    }
    for (place, fingerprint) in fingerprints.enumerated() {
      let stranger = ([fingerprint.nearest] + fingerprint.strengths.keys.sorted())
        .first { !known.contains($0) }
      if let stranger { throw fault("fingerprints[\(place)]: \(stranger) is not in the map") }
      guard fingerprint.strengths.count >= FingerprintTable.leastBeacons else {
        throw fault("fingerprints[\(place)]: fewer than three beacons tell no place")
      }
    }
    self.init(checked: beacons, fingerprints)
  }

  /// Of what is known to be right.
  init(checked beacons: [Beacon], _ fingerprints: [BeaconFingerprint]) {
    (self.beacons, self.fingerprints) = (beacons, fingerprints)
    var powers: [BeaconID: Double] = [:]
    for beacon in beacons { powers[beacon.id] = beacon.power }
    self.powers = powers
  }

  /// A beacon of the map.
  public subscript(_ id: BeaconID) -> Beacon? { beacons.first { $0.id == id } }
}

public import CupolaGuide
internal import CupolaSupport

// The beacons of a building and their file, cupola.beacons/1:
// 1. beacons and fingerprints are checked;
// 2. the file has them in the order of the beacons, null where one was not heard.

/// The beacons of a building: how strong they are, what they are called, and, where somebody surveyed it, how they sound
/// from its places.
public struct BeaconMap: Equatable, Sendable {
  /// One of them.
  public struct Beacon: Equatable, Sendable {
    /// Who it is.
    package let id: BeaconID
    /// dBm a meter away, from -127 to 20, measured where it hangs; `nil`: as it says itself.
    let power: Double?
    /// What people, or the zones of tours, call it.
    public let name: String?
    /// Where it is: an identifier, a training label or a name of the guide.
    package let place: String?

    /// A beacon; what is no strength is no `power`.
    public init(_ id: BeaconID, power: Double? = nil, name: String? = nil, place: String? = nil) {
      self.id = id
      self.power = power.flatMap { BeaconStrength.power.contains($0) ? $0 : nil }
      (self.name, self.place) = (name, place)
    }
  }

  /// The beacons, in the order of the file.
  let beacons: [Beacon]
  /// How they sound, place by place; empty where nobody surveyed.
  let fingerprints: [BeaconFingerprint]
  /// dBm a meter away, of those of whom it is known.
  let powers: [BeaconID: Double]

  static let mostBeacons = 500
  static let mostFingerprints = 1000

  /// Of beacons and what was heard of them.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` for more than 500 beacons or 1,000 fingerprints, a beacon that is
  ///   there twice, and a fingerprint of beacons that are not there, or of fewer than three.
  public init(
    beacons: [Beacon], fingerprints: [BeaconFingerprint] = []
  ) throws(GuideError) {
    func fault(_ problem: String) -> GuideError { .badFile(path: "beacons", problem: problem) }
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

/// What counts as a strength.
enum BeaconStrength {
  /// dBm that a phone may hear; 0 and 127, which systems give for none, are none.
  static let heard = -127.0 ... -1.0
  /// dBm that a beacon may have a meter away.
  static let power = -127.0...20.0
}

extension BeaconMap {
  static let format = "cupola.beacons/1"
  static let mostBytes = 16 << 20

  /// Reads a map of beacons, `cupola.beacons/1`; `path` is what errors call it.
  package init(json bytes: [UInt8], path: String) throws(GuideError) {
    let node = try TourNode(
      json: bytes, format: Self.format, mostBytes: Self.mostBytes, file: path)
    try node.checkMembers(["format", "beacons", "fingerprints"])
    var beacons: [Beacon] = []
    var known: Set<BeaconID> = []
    for element in try node.required("beacons").list(1...Self.mostBeacons) {
      let beacon = try Beacon(element)
      guard known.insert(beacon.id).inserted else {
        throw try element.required("id").fault("\(beacon.id) stands there twice; remove one")
      }
      beacons.append(beacon)
    }
    var fingerprints: [BeaconFingerprint] = []
    if let list = node["fingerprints"] {
      for element in try list.list(0...Self.mostFingerprints) {
        fingerprints.append(try BeaconFingerprint(element, beacons.map(\.id), known))
      }
    }
    self.init(checked: beacons, fingerprints)
  }

  /// Reads the file of a map.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)`, which names the place in the file;
  ///   `GuideError.newerFormat(_:)`, `GuideError.file(_:)`.
  public init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  /// The file of the map: one line, the same bytes for the same map.
  public var json: [UInt8] {
    var members: [String: JSONValue] = [
      "format": .string(Self.format), "beacons": .array(beacons.map(\.value)),
    ]
    if !fingerprints.isEmpty {
      members["fingerprints"] = .array(fingerprints.map { $0.value(beacons) })
    }
    return JSONWriter.bytes(of: .object(members)) + [UInt8(ascii: "\n")]
  }
}

extension BeaconMap.Beacon {
  fileprivate init(_ node: TourNode) throws(GuideError) {
    try node.checkMembers(["id", "power", "name", "place"])
    self.init(
      try node.required("id").beacon(), power: try node["power"]?.number(BeaconStrength.power),
      name: try node["name"]?.text(mostBytes: Tour.mostTitleBytes),
      place: try node["place"]?.text(mostBytes: Tour.mostTitleBytes))
  }

  fileprivate var value: JSONValue {
    var members: [String: JSONValue] = ["id": .string(id.description)]
    members["power"] = power.map { .number($0) }
    members["name"] = name.map { .string($0) }
    members["place"] = place.map { .string($0) }
    return .object(members)
  }
}

extension BeaconFingerprint {
  /// Strengths stand in the order of the beacons, `null` where one was not heard.
  fileprivate init(
    _ node: TourNode, _ beacons: [BeaconID], _ known: Set<BeaconID>
  ) throws(GuideError) {
    try node.checkMembers(["nearest", "rssi"])
    let nearest = try node.required("nearest").beacon()
    guard known.contains(nearest) else {
      throw try node.required("nearest").fault("\(nearest) is none of \"beacons\"; add it there")
    }
    let list = try node.required("rssi")
    let elements = try list.list(0...BeaconMap.mostBeacons)
    guard elements.count == beacons.count else {
      throw list.fault("\(elements.count) are there, one for each of \(beacons.count) belongs")
    }
    var strengths: [BeaconID: Double] = [:]
    for (id, element) in zip(beacons, elements) where element.value != .null {
      strengths[id] = try element.number(BeaconStrength.heard)
    }
    guard strengths.count >= FingerprintTable.leastBeacons else {
      throw list.fault("fewer than three beacons tell no place; remove the fingerprint")
    }
    self.init(nearest: nearest, strengths: strengths)
  }

  fileprivate func value(_ beacons: [BeaconMap.Beacon]) -> JSONValue {
    .object([
      "nearest": .string(nearest.description),
      "rssi": .array(beacons.map { strengths[$0.id].map { .number($0) } ?? .null }),
    ])
  }
}

extension TourNode {
  fileprivate func beacon() throws(GuideError) -> BeaconID {
    guard case .string(let text) = value, let id = BeaconID(text) else {
      throw fault("no beacon; write UUID/major/minor, or 20 and 12 hexadecimal digits with a slash")
    }
    return id
  }
}

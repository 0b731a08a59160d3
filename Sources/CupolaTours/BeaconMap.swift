public import CupolaGuide
internal import CupolaSupport

/// The beacons of a building: their power and names and, after a survey, fingerprints.
public struct BeaconMap: Equatable, Sendable {
  /// A beacon of the map.
  public struct Beacon: Equatable, Sendable {
    package let id: BeaconID
    /// The signal strength in dBm at 1 m, from -127 to 20; `nil` uses the advertised power.
    let power: Double?
    /// The name that is used for the beacon zones in tours.
    public let name: String?
    /// The place, as an identifier, training label or name in the guide.
    package let place: String?

    /// Creates a beacon; an invalid `power` is ignored.
    public init(_ id: BeaconID, power: Double? = nil, name: String? = nil, place: String? = nil) {
      self.id = id
      self.power = power.flatMap { BeaconStrength.power.contains($0) ? $0 : nil }
      (self.name, self.place) = (name, place)
    }
  }

  let beacons: [Beacon]
  /// The fingerprints; empty if there was no survey.
  let fingerprints: [BeaconFingerprint]
  let powers: [BeaconID: Double]

  static let mostBeacons = 500
  static let mostFingerprints = 1000

  /// Creates a map.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` if there are more than 500 beacons or 1,000 fingerprints, if beacons
  ///   are duplicates, or if fingerprints contain unknown beacons or fewer than three beacons.
  public init(
    beacons: [Beacon], fingerprints: [BeaconFingerprint] = []
  ) throws(GuideError) {
    func fault(_ problem: String) -> GuideError { .badFile(path: "beacons", problem: problem) }
    guard beacons.count <= Self.mostBeacons else {
      throw fault("\(beacons.count) beacons; at most \(Self.mostBeacons) are supported")
    }
    guard fingerprints.count <= Self.mostFingerprints else {
      throw fault(
        "\(fingerprints.count) fingerprints; at most \(Self.mostFingerprints) are supported")
    }
    var known: Set<BeaconID> = []
    for beacon in beacons where !known.insert(beacon.id).inserted {
      throw fault("duplicate beacon \(beacon.id); remove one")
    }
    for (place, fingerprint) in fingerprints.enumerated() {
      let unknown = ([fingerprint.nearest] + fingerprint.strengths.keys.sorted())
        .first { !known.contains($0) }
      if let unknown {
        throw fault("fingerprints[\(place)]: unknown beacon \(unknown); add it to the map")
      }
      guard fingerprint.strengths.count >= FingerprintTable.leastBeacons else {
        throw fault("fingerprints[\(place)]: fewer than three beacons; remove the fingerprint")
      }
    }
    self.init(checked: beacons, fingerprints)
  }

  init(checked beacons: [Beacon], _ fingerprints: [BeaconFingerprint]) {
    (self.beacons, self.fingerprints) = (beacons, fingerprints)
    var powers: [BeaconID: Double] = [:]
    for beacon in beacons { powers[beacon.id] = beacon.power }
    self.powers = powers
  }

  /// Returns the beacon with an identifier.
  public subscript(_ id: BeaconID) -> Beacon? { beacons.first { $0.id == id } }
}

enum BeaconStrength {
  /// The valid strengths in dBm at a phone; systems report missing strengths as 0 or 127.
  static let heard = -127.0 ... -1.0
  static let power = -127.0...20.0
}

extension BeaconMap {
  static let format = "cupola.beacons/1"
  static let mostBytes = 16 << 20

  package init(json bytes: [UInt8], path: String) throws(GuideError) {
    let node = try TourNode(
      json: bytes, format: Self.format, mostBytes: Self.mostBytes, file: path)
    try node.checkMembers(["format", "beacons", "fingerprints"])
    var beacons: [Beacon] = []
    var known: Set<BeaconID> = []
    for element in try node.required("beacons").list(1...Self.mostBeacons) {
      let beacon = try Beacon(element)
      guard known.insert(beacon.id).inserted else {
        throw try element.required("id").fault("duplicate beacon \(beacon.id); remove one")
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

  /// Reads a beacon map file.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` with the path of the invalid value; `GuideError.newerFormat(_:)`,
  ///   `GuideError.file(_:)`.
  public init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  /// The map as a single line of JSON; equal maps have equal bytes.
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
  /// The strengths are in beacon order; `null` means that a beacon was not received.
  fileprivate init(
    _ node: TourNode, _ beacons: [BeaconID], _ known: Set<BeaconID>
  ) throws(GuideError) {
    try node.checkMembers(["nearest", "rssi"])
    let nearest = try node.required("nearest").beacon()
    guard known.contains(nearest) else {
      throw try node.required("nearest").fault("unknown beacon \(nearest); add it to \"beacons\"")
    }
    let list = try node.required("rssi")
    let elements = try list.list(0...BeaconMap.mostBeacons)
    guard elements.count == beacons.count else {
      throw list.fault(
        "must have one value for each of \(beacons.count) beacons, not \(elements.count)")
    }
    var strengths: [BeaconID: Double] = [:]
    for (id, element) in zip(beacons, elements) where element.value != .null {
      strengths[id] = try element.number(BeaconStrength.heard)
    }
    guard strengths.count >= FingerprintTable.leastBeacons else {
      throw list.fault("fewer than three beacons; remove the fingerprint")
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
      throw fault(
        "invalid beacon; use UUID/major/minor (iBeacon) or namespace/instance (Eddystone)")
    }
    return id
  }
}

internal import CupolaSupport

/// A guide as the parts of its bundle.
extension Guide {
  /// The parts' names.
  package enum Part: String, CaseIterable {
    /// What is drawn: buildings, water, rooms.
    case ground = "ground.bin"
    /// The graph.
    case paths = "paths.bin"
    /// What can be looked for.
    case places = "places.json"
    /// The timetable; not every guide has one.
    case transit = "transit.bin"
  }

  /// The bytes of each part by its name.
  var parts: [String: [UInt8]] {
    var parts = [
      Part.ground.rawValue: GroundArea.bytes(of: ground),
      Part.paths.rawValue: graph.bytes,
      Part.places.rawValue: JSONWriter.bytes(of: .array(places.map(\.json))),
    ]
    parts[Part.transit.rawValue] = transitBytes
    return parts
  }

  /// Refuses places that nobody could read again: those of a building have all of its doors, and those of a room all
  /// that it says on each of its floors, so that a small map may make very many.
  ///
  /// - Throws: ``GuideError/partTooLarge(name:bytes:limit:)``, ``GuideError/tooManyValues(part:limit:)``.
  func checkPlaces(
    mostBytes: Int = GuideManifest.Part.mostBytes, mostValues: Int = JSONReader.Limits().values
  ) throws(GuideError) {
    let name = Part.places.rawValue
    // A bracket, and behind each place a comma or the other bracket.
    var (bytes, values) = (1, 1)
    for place in places {
      let json = place.json
      values += json.valueCount
      guard values <= mostValues else { throw .tooManyValues(part: name, limit: mostValues) }
      bytes += JSONWriter.bytes(of: json).count + 1
      guard bytes <= mostBytes else {
        throw .partTooLarge(name: name, bytes: bytes, limit: mostBytes)
      }
    }
  }

  /// Reads parts.
  ///
  /// - Throws: ``GuideError/badPart(name:problem:)``.
  init(
    name: String, attribution: String?, timeZone: String?,
    part: (Part) throws(GuideError) -> [UInt8]?
  ) throws(GuideError) {
    let areas = try Self.read(.ground, try part(.ground) ?? []) { bytes throws(ByteReader.Fault) in
      try GroundArea.areas(of: bytes)
    }
    let graph = try Self.read(.paths, try part(.paths) ?? []) { bytes throws(ByteReader.Fault) in
      try PathGraph(bytes: bytes)
    }
    let places = try Self.read(.places, try part(.places) ?? []) { bytes throws(ByteReader.Fault) in
      try Self.places(of: bytes)
    }
    self.init(
      name: name, attribution: attribution, timeZone: timeZone, places: places, graph: graph,
      ground: areas, transitBytes: try part(.transit))
  }

  private static func read<Value>(
    _ part: Part, _ bytes: [UInt8], _ body: ([UInt8]) throws(ByteReader.Fault) -> Value
  ) throws(GuideError) -> Value {
    do throws(ByteReader.Fault) {
      return try body(bytes)
    } catch { throw .badPart(name: part.rawValue, problem: error.problem) }
  }

  private static func places(of bytes: [UInt8]) throws(ByteReader.Fault) -> [Place] {
    let value: JSONValue
    do throws(JSONFault) {
      value = try JSONReader.value(of: bytes)
    } catch { throw .badValue(error.message) }
    guard case .array(let all) = value else { throw .badValue("no list") }
    var places: [Place] = []
    places.reserveCapacity(all.count)
    for (number, one) in all.enumerated() {
      guard let place = Place(one) else { throw .badValue("place \(number + 1) is none") }
      places.append(place)
    }
    return places
  }
}

extension Guide {
  /// Reads a guide; its parts are verified.
  ///
  /// - Throws: ``GuideError``.
  public init(contentsOf path: String) throws(GuideError) {
    try self.init(try GuideBundle(reading: path))
  }

  /// Reads a guide; its parts are verified.
  ///
  /// - Throws: ``GuideError``.
  public init(_ bundle: GuideBundle) throws(GuideError) {
    let manifest = bundle.manifest
    try self.init(
      name: manifest.name, attribution: manifest.attribution, timeZone: manifest.timeZone
    ) { part throws(GuideError) in
      if part == .transit, manifest.part(part.rawValue) == nil { return nil }
      return try bundle.bytes(ofPart: part.rawValue)
    }
  }

  /// Writes the guide; one that is there is replaced.
  ///
  /// - Parameter version: `nil` is a digest of the parts.
  /// - Throws: ``GuideError``.
  package func write(to path: String, version: String? = nil) throws(GuideError) -> GuideBundle {
    try checkPlaces()
    return try GuideBundle.write(
      parts: parts, name: name, version: version, timeZone: timeZone, attribution: attribution,
      to: path)
  }
}

extension JSONValue {
  /// How many values a reader counts: itself, and all in it.
  fileprivate var valueCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.values.reduce(1) { $0 + $1.valueCount }
    default: 1
    }
  }
}

package import CupolaCampus
internal import CupolaSupport

// 1. Read and write the parts of a bundle: places, path graph, map areas and timetable.
// 2. Find places by identifier, by search text, or by the recognizer's label.

/// A campus guide with places, routes and floors, read from a bundle without network access.
public struct Guide: Sendable {
  /// The name of the campus.
  public let name: String
  /// The attribution to show with every map; `nil` if not given.
  public let attribution: String?
  /// The time zone of the opening hours, such as `Europe/Berlin`; `nil` if not given.
  public let timeZone: String?
  /// The buildings, followed by rooms, followed by points of interest.
  public let places: [Place]

  /// The timetable part for CupolaTransit; `nil` if the guide has no timetable.
  package let transitBytes: [UInt8]?

  package let graph: PathGraph
  package let index: EdgeIndex
  package let ground: [GroundArea]
  let landmarks: Landmarks
  let walls: Walls
  private let search: PlaceIndex
  private let numbers: [String: Int]

  /// Returns the place with an identifier.
  public func place(_ id: String) -> Place? { numbers[id].map { places[$0] } }

  /// Returns the places that match a text, best first. Example texts: `room 3.12`, `libary`, `coffee`.
  ///
  /// - Parameters:
  ///   - text: The typed text.
  ///   - limit: The maximum number of results; `nil` for all.
  public func search(_ text: String, limit: Int? = 20) -> [Place] {
    search.search(text, limit: limit)
  }

  /// Returns the places that a text most likely refers to.
  ///
  /// These are the places with exactly that name; otherwise all places of that kind, such as `café`; otherwise the best
  /// match. The result is empty if nothing matches.
  public func places(matching text: String) -> [Place] {
    place(text).map { [$0] } ?? search.meant(by: text)
  }

  /// Returns the building for a training label, or `nil` if the map does not contain it.
  ///
  /// The label may be the building's label, identifier or name. Otherwise, if it matches the name, alternative name or
  /// abbreviation of exactly one building, that building is returned. As in training, the comparison ignores case,
  /// accents and word separators: `knott_hall` matches "Knott Hall".
  public func building(labeled label: String) -> Place? {
    building(labeled: label, by: buildingNames)
  }

  /// - Parameter names: The value of ``buildingNames``; pass a stored value to look up many labels.
  package func building(labeled label: String, by names: @autoclosure () -> LabelMatching.Names)
    -> Place?
  {
    places.first { $0.tags["cupola:label"] == label }
      ?? places.first { $0.kind == .building && ($0.id == label || $0.name == label) }
      ?? names().building(called: label).flatMap { place($0.label) }
  }

  package var buildingNames: LabelMatching.Names {
    LabelMatching.Names(
      of: places.filter { $0.kind == .building }.map { place in
        Building(
          label: place.id, name: place.name ?? "", abbreviation: place.ref, category: nil,
          description: nil, properties: place.tags.mapValues { .string($0) })
      })
  }

  /// Returns directions for a travel mode. Keep the value to reuse it for several routes.
  public func directions(_ mode: TravelMode = .walk, shortest: Bool = false) -> Directions {
    Directions(self, mode, shortest: shortest)
  }

  package init(
    name: String, attribution: String?, timeZone: String?, places: [Place], graph: PathGraph,
    ground: [GroundArea], transitBytes: [UInt8]? = nil
  ) {
    (self.name, self.attribution, self.timeZone) = (name, attribution, timeZone)
    (self.places, self.graph, self.ground) = (places, graph, ground)
    self.transitBytes = transitBytes
    index = EdgeIndex(graph)
    landmarks = Landmarks(ground)
    walls = Walls(ground)
    search = PlaceIndex(places)
    numbers = Dictionary(places.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  enum Part: String, CaseIterable {
    /// The drawn areas: buildings, water, rooms.
    case ground = "ground.bin"
    case paths = "paths.bin"
    case places = "places.json"
    /// The optional timetable.
    case transit = "transit.bin"
  }

  var parts: [String: [UInt8]] {
    var parts = [
      Part.ground.rawValue: GroundArea.bytes(of: ground),
      Part.paths.rawValue: graph.bytes,
      Part.places.rawValue: JSONWriter.bytes(of: .array(places.map(\.json))),
    ]
    parts[Part.transit.rawValue] = transitBytes
    return parts
  }

  /// Throws if the places are too large to read back.
  ///
  /// A small map can produce very many values: each place in a building lists all of its doors, and each room repeats
  /// its tags on every floor.
  func checkPlaces(
    mostBytes: Int = GuideManifest.Part.mostBytes, mostValues: Int = JSONReader.Limits().values
  ) throws(GuideError) {
    let name = Part.places.rawValue
    // Count the opening bracket, and one comma or closing bracket per place.
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

  init(
    name: String, attribution: String?, timeZone: String?,
    part: (Part) throws(GuideError) -> [UInt8]?
  ) throws(GuideError) {
    let areas = try Self.read(.ground, part, GroundArea.areas(of:))
    let graph = try Self.read(.paths, part, PathGraph.init(bytes:))
    let places = try Self.read(.places, part, Self.places(of:))
    self.init(
      name: name, attribution: attribution, timeZone: timeZone, places: places, graph: graph,
      ground: areas, transitBytes: try part(.transit))
  }

  private static func read<Value>(
    _ part: Part, _ bytes: (Part) throws(GuideError) -> [UInt8]?,
    _ body: ([UInt8]) throws(ByteReader.Fault) -> Value
  ) throws(GuideError) -> Value {
    let bytes = try bytes(part) ?? []
    do throws(ByteReader.Fault) {
      return try body(bytes)
    } catch { throw .badPart(name: part.rawValue, problem: error.problem) }
  }

  private static func places(of bytes: [UInt8]) throws(ByteReader.Fault) -> [Place] {
    let value: JSONValue
    do throws(JSONFault) {
      value = try JSONReader.value(of: bytes)
    } catch { throw .badValue(error.message) }
    guard case .array(let all) = value else { throw .badValue("not a list") }
    var places: [Place] = []
    places.reserveCapacity(all.count)
    for (number, one) in all.enumerated() {
      guard let place = Place(one) else { throw .badValue("place \(number + 1) is invalid") }
      places.append(place)
    }
    return places
  }

  /// Reads a guide and verifies its parts.
  public init(contentsOf path: String) throws(GuideError) {
    try self.init(try GuideBundle(reading: path))
  }

  /// Reads a guide from a bundle and verifies its parts.
  public init(_ bundle: GuideBundle) throws(GuideError) {
    let manifest = bundle.manifest
    try self.init(
      name: manifest.name, attribution: manifest.attribution, timeZone: manifest.timeZone
    ) { part throws(GuideError) in
      if part == .transit, manifest.part(part.rawValue) == nil { return nil }
      return try bundle.bytes(ofPart: part.rawValue)
    }
  }

  /// Writes the guide to a folder, replaces an older guide there, and returns the written bundle.
  ///
  /// - Parameters:
  ///   - path: The folder of the guide.
  ///   - version: The version in the manifest; `nil` derives it from the digests of the parts.
  /// - Throws: ``GuideError``.
  @discardableResult
  public func write(to path: String, version: String? = nil) throws(GuideError) -> GuideBundle {
    try checkPlaces()
    return try GuideBundle.write(
      parts: parts, name: name, version: version, timeZone: timeZone, attribution: attribution,
      to: path)
  }
}

extension JSONValue {
  fileprivate var valueCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.values.reduce(1) { $0 + $1.valueCount }
    default: 1
    }
  }
}

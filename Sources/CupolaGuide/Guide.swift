package import CupolaCampus
internal import CupolaSupport

// 1. A guide holds places, the graph of ways, and what is drawn; the timetable stays bytes.
// 2. Its parts are read from the files of a bundle, whose digests were verified, and written to them.
// 3. Places are found by identifier, by what people type, and by the recognizer's label.

/// A campus for those who visit it: places, ways, floors; read from a bundle, without a network.
public struct Guide: Sendable {
  /// What the campus is called.
  public let name: String
  /// Whose data it is made of, to be shown with every map; `nil` when nobody said.
  public let attribution: String?
  /// The identifier of the time zone of its opening hours, such as `Europe/Berlin`; `nil` when nobody said.
  public let timeZone: String?
  /// Buildings, then rooms, then points of interest.
  public let places: [Place]

  /// The timetable's part as bytes, which CupolaTransit reads; `nil` when the guide was built without one.
  package let transitBytes: [UInt8]?

  package let graph: PathGraph
  package let index: EdgeIndex
  let ground: [GroundArea]
  let landmarks: Landmarks
  private let search: PlaceIndex
  private let numbers: [String: Int]

  /// A place by its identifier.
  public func place(_ id: String) -> Place? { numbers[id].map { places[$0] } }

  /// The places that fit a text, the best first: `room 3.12`, `libary`, `coffee`.
  ///
  /// - Parameters:
  ///   - text: what somebody typed.
  ///   - limit: `nil` is all.
  public func search(_ text: String, limit: Int? = 20) -> [Place] {
    search.search(text, limit: limit)
  }

  /// What somebody who types a text means: places of that very name, or all of a kind, such as `café`, or else the
  /// place that fits best; empty when none does.
  public func places(meantBy text: String) -> [Place] {
    place(text).map { [$0] } ?? search.meant(by: text)
  }

  /// The building of a training label, as the recognizer names it: by its label, identifier or name on the map, or else
  /// the only one that has it for a name, another name or an abbreviation but for case, accents and what parts words, as
  /// `knott_hall` is "Knott Hall" for a training, too; `nil` when the map has none.
  public func building(labeled label: String) -> Place? {
    building(labeled: label, by: buildingNames)
  }

  /// - Parameter names: ``buildingNames``, which who asks for many labels makes once.
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

  /// Ways for somebody who goes in a mode; keep it to ask more than once.
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
    landmarks = Landmarks(ground.compactMap { Landmarks.Landmark($0) })
    search = PlaceIndex(places)
    numbers = Dictionary(places.enumerated().map { ($1.id, $0) }) { first, _ in first }
  }

  enum Part: String, CaseIterable {
    /// What is drawn: buildings, water, rooms.
    case ground = "ground.bin"
    /// The graph.
    case paths = "paths.bin"
    /// What can be looked for.
    case places = "places.json"
    /// The timetable; not every guide has one.
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

  /// Refuses places that nobody could read again: those of a building have all of its doors, and those of a room all
  /// that it says on each of its floors, so that a small map may make very many.
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
    guard case .array(let all) = value else { throw .badValue("no list") }
    var places: [Place] = []
    places.reserveCapacity(all.count)
    for (number, one) in all.enumerated() {
      guard let place = Place(one) else { throw .badValue("place \(number + 1) is none") }
      places.append(place)
    }
    return places
  }

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

  /// Writes the guide to a folder, replacing an older guide there, and returns the written bundle.
  ///
  /// - Parameter version: the version in the manifest; `nil` derives it from the digest of the parts.
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
  /// How many values a reader counts: itself, and all in it.
  fileprivate var valueCount: Int {
    switch self {
    case .array(let elements): elements.reduce(1) { $0 + $1.valueCount }
    case .object(let members): members.values.reduce(1) { $0 + $1.valueCount }
    default: 1
    }
  }
}

import Cupola
import CupolaCampus
import CupolaSupport
import CupolaTestSupport
import Testing

@testable import CupolaGuide
@testable import CupolaTransit

@Suite("Binary coding of graphs, ground areas and places") struct PartCodingTests {
  /// Returns a graph with floors below 0, unusual names, turns and barriers.
  static func graph(_ seed: UInt64) -> PathGraph {
    var random = RandomGraph(seed: seed)
    let plain = random.graph(turns: 6)
    let vertices = plain.vertices.enumerated().map { number, vertex in
      var vertex = vertex
      vertex.level = [nil, -2, 0, 0.5, 12][number % 5]
      return vertex
    }
    let ways = plain.ways.enumerated().map { number, way in
      var way = way
      way.name = [nil, "", "Große Allee", "a\u{0}\n🚶"][number % 4]
      way.incline = Float(number) / 10 - 0.2
      way.stepCount = Int32(number * 100)
      way.isIndoor = number % 2 == 0
      way.isRoundabout = number % 3 == 0
      way.isParkingAisle = number % 4 == 0
      way.isHall = way.isIndoor && way.kind != .street
      way.isMain = way.kind == .street
      way.isTrack = !way.isIndoor && way.kind == .path
      way.isRamp = number % 2 == 1
      way.form = [.open, .tunnel, .alley, .passage][number % 4]
      return way
    }
    return PathGraph(
      vertices: vertices, edges: plain.edges, ways: ways, forbiddenTurns: plain.forbiddenTurns)
  }

  static func areas() throws -> [GroundArea] {
    func ring(_ numbers: [(Int32, Int32)]) throws -> [MapPoint] {
      try numbers.map { try #require(MapPoint(latitudeE7: $0.0, longitudeE7: $0.1)) }
    }
    let outer = try ring([(0, 0), (900_000_000, 1_800_000_000), (-900_000_000, -1_800_000_000)])
    let hole = try ring([(1, 1), (2, 2), (-3, 5)])
    return [
      GroundArea(.building, id: "way/1", name: "Library", rings: [outer, hole]),
      GroundArea(.room, id: "way/2@-1", name: nil, level: -1, rings: [hole]),
      GroundArea(.corridor, id: "", name: "", level: 0.5, rings: [hole, []]),
      GroundArea(.water, id: "relation/3#2", name: "Weiher", level: 0, rings: [outer]),
    ]
  }

  @Test("Graphs round-trip")
  func graphs() throws {
    for seed in 0..<20 as Range<UInt64> {
      let graph = Self.graph(seed)
      let read = try PathGraph(bytes: graph.bytes)
      #expect(read.vertices == graph.vertices && read.edges == graph.edges)
      #expect(read.ways == graph.ways && read.forbiddenTurns == graph.forbiddenTurns)
      #expect(read.lengths == graph.lengths && read.bytes == graph.bytes)
    }
    let empty = try PathGraph(bytes: PathGraph(vertices: [], edges: [], ways: []).bytes)
    #expect(empty.vertices.isEmpty && empty.edges.isEmpty)
  }

  @Test("Ground areas round-trip")
  func ground() throws {
    let areas = try Self.areas()
    #expect(try GroundArea.areas(of: GroundArea.bytes(of: areas)) == areas)
    #expect(try GroundArea.areas(of: GroundArea.bytes(of: [])) == [])
  }

  @Test("Rejects truncated parts and trailing bytes")
  func prefixes() throws {
    let graph = Self.graph(3).bytes
    for count in graph.indices {
      #expect(throws: ByteReader.Fault.self) { try PathGraph(bytes: Array(graph.prefix(count))) }
    }
    #expect(throws: ByteReader.Fault.badValue("data after the graph")) {
      try PathGraph(bytes: graph + [0])
    }
    let ground = GroundArea.bytes(of: try Self.areas())
    for count in ground.indices {
      #expect(throws: ByteReader.Fault.self) {
        try GroundArea.areas(of: Array(ground.prefix(count)))
      }
    }
    #expect(throws: ByteReader.Fault.badValue("data after the areas")) {
      try GroundArea.areas(of: ground + [0])
    }
  }

  @Test("Flipped bits give a usable value or an error")
  func flips() throws {
    var random = SplitMix64(seed: 1)
    let graph = Self.graph(4).bytes
    let ground = GroundArea.bytes(of: try Self.areas())
    var (read, faults) = (0, 0)
    for number in 0..<3_000 {
      var bytes = number % 3 == 0 ? ground : graph
      for _ in 0...number % 4 {
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      do throws(ByteReader.Fault) {
        if number % 3 == 0 {
          let areas = try GroundArea.areas(of: bytes)
          #expect(try GroundArea.areas(of: GroundArea.bytes(of: areas)) == areas)
        } else {
          try search(try PathGraph(bytes: bytes))
        }
        read += 1
      } catch { faults += 1 }
    }
    #expect(read > 500 && faults > 500)
  }

  private func search(_ graph: PathGraph) throws(ByteReader.Fault) {
    #expect(try PathGraph(bytes: graph.bytes).edges == graph.edges)
    guard graph.vertices.count > 1, graph.edges.count > 1 else { return }
    _ = EdgeIndex(graph).nearest(to: MapMaker.point(0, 0), within: 500) { _ in true }
    for mode in TravelMode.allCases {
      let search = SearchGraph(graph, EdgeCost(mode))
      let ends = (
        PathEnd([.init(.vertex(0))]), PathEnd([.init(.edge(graph.edges.count - 1, fraction: 0.5))])
      )
      var path = PathSearch(search, from: ends.0, to: ends.1)
      if let found = path.run() {
        let assembly = RouteAssembly(found, search, from: ends.0)
        #expect(assembly.points.count == assembly.segments.count + 1)
        #expect(!ManeuverPlan(assembly, search, Walls([])).steps.isEmpty)
      }
    }
  }

  @Test("Rejects huge counts before allocating memory")
  func counts() {
    let many: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF, 0x07]
    #expect(throws: ByteReader.Fault.endsEarly) { try GroundArea.areas(of: [1] + many) }
    for place in 0..<4 {
      var bytes: [UInt8] = [1]
      for count in 0..<4 { bytes += count == place ? many : [0] }
      #expect(throws: ByteReader.Fault.endsEarly) { try PathGraph(bytes: bytes) }
    }
  }

  @Test("Rejects a forbidden turn with thousands of edges")
  func longTurn() throws {
    var writer = ByteWriter()
    let graph = Self.graph(1)
    let plain = PathGraph(vertices: graph.vertices, edges: graph.edges, ways: graph.ways).bytes
    writer.write(count: 50_000)
    for _ in 0..<50_000 { writer.write(count: 0) }
    var bytes = plain + writer.bytes
    #expect(bytes[4] == 0)
    bytes[4] = 1
    #expect(throws: ByteReader.Fault.badValue("a turn with invalid edges")) {
      try PathGraph(bytes: bytes)
    }
  }

  // MARK: - Places

  static let places = [
    Place(id: "way/1", kind: .building, position: MapMaker.point(0, 0)),
    Place(
      id: "way/2@-1", kind: .room, name: "Lecture Hall", category: "auditorium", ref: "3.12",
      position: RoutePoint(latitude: 50.1234567, longitude: -8.7654321, level: -1),
      building: "way/1",
      doors: [
        Place.Door(RoutePoint(latitude: 50, longitude: 8, level: 0.5), name: "North"),
        Place.Door(RoutePoint(latitude: 50, longitude: 8), name: "South"),
        Place.Door(RoutePoint(latitude: 50, longitude: 8, level: 2)),
        Place.Door(RoutePoint(latitude: 50, longitude: 8)),
      ], tags: ["opening_hours": "24/7", "description": "„Größe“\n\u{0}"]),
  ]

  /// Rounds coordinates to 1e-7 degrees, as in map files.
  static func rounded(_ place: Place) -> Place? { Place(place.json) }

  @Test("Places round-trip through JSON")
  func jsonPlaces() throws {
    for place in Self.places.dropFirst() { #expect(Place(place.json) == place) }
    let bytes = JSONWriter.bytes(of: .array(Self.places.map(\.json)))
    let read = try JSONReader.value(of: bytes)
    guard case .array(let all) = read else { throw GuideError.unknownPlace("list") }
    #expect(all.compactMap(Place.init) == Self.places.compactMap(Self.rounded))
    #expect(Self.rounded(Self.places[0])?.doors == [])
  }

  @Test(
    "Rejects malformed places",
    arguments: [
      "{}", "[]", "null", #"{"id":"a","kind":"poi"}"#,
      #"{"id":"a","kind":"tree","position":[0,0]}"#, #"{"kind":"poi","position":[0,0]}"#,
      #"{"id":"a","kind":"poi","position":[0]}"#, #"{"id":"a","kind":"poi","position":[0.5,0]}"#,
      #"{"id":"a","kind":"poi","position":[900000001,0]}"#,
      #"{"id":"a","kind":"poi","position":[0,1800000001]}"#,
      #"{"id":"a","kind":"poi","position":[9223372036854775807,0]}"#,
      #"{"id":"a","kind":"poi","position":[0,0,9223372036854775807]}"#,
      #"{"id":"a","kind":"poi","position":[0,0],"doors":[5]}"#,
      #"{"id":"a","kind":"poi","position":[0,0],"doors":[[0,0,-9223372036854775808]]}"#,
    ])
  func noPlace(text: String) throws {
    #expect(Place(try JSONReader.value(of: Array(text.utf8))) == nil)
  }

  // MARK: - All parts

  @Test("A guide round-trips through its parts")
  func parts() throws {
    let campus = TestCampus()
    let parts = campus.guide.parts
    let known = Guide.Part.allCases.filter { $0 != .transit }
    #expect(Set(parts.keys) == Set(known.map(\.rawValue)))
    let read = try Guide(name: "A", attribution: "B", timeZone: "Europe/Berlin") {
      part throws(GuideError) in
      parts[part.rawValue]
    }
    #expect(read.places == campus.guide.places && read.ground == campus.guide.ground)
    #expect(read.parts == parts && read.name == "A" && read.timeZone == "Europe/Berlin")
    #expect(TestCampus().guide.parts == parts)
    let ends = (
      RouteEnd.place(try campus.place("Library")), RouteEnd.place(try campus.place("Café Uno"))
    )
    for mode in TravelMode.allCases {
      let route = try read.directions(mode).route(from: ends.0, to: ends.1)
      #expect(try campus.guide.directions(mode).route(from: ends.0, to: ends.1) == route)
    }
  }

  @Test("Rejects too many places before writing anything")
  func tooManyPlaces() throws {
    let guide = TestCampus().guide
    let bytes = try #require(guide.parts["places.json"])
    let most = try #require(
      (1...10_000).first { limit in
        (try? JSONReader.value(of: bytes, limits: JSONReader.Limits(values: limit))) != nil
      })
    try guide.checkPlaces(mostBytes: bytes.count, mostValues: most)
    #expect(throws: GuideError.tooManyValues(part: "places.json", limit: most - 1)) {
      try guide.checkPlaces(mostValues: most - 1)
    }
    let (count, limit) = (bytes.count, bytes.count - 1)
    #expect(throws: GuideError.partTooLarge(name: "places.json", bytes: count, limit: limit)) {
      try guide.checkPlaces(mostBytes: limit)
    }
    guard Verification.isFull else { return }
    let door = Place.Door(RoutePoint(latitude: 50, longitude: 8))
    let place = Place(
      id: "way/1", kind: .building, position: door.point,
      doors: Array(repeating: door, count: 1_400_000))
    let many = Guide(
      name: "", attribution: nil, timeZone: nil, places: [place], graph: guide.graph, ground: [])
    let folder = try TemporaryFolder()
    #expect(throws: GuideError.tooManyValues(part: "places.json", limit: 4_000_000)) {
      try many.write(to: folder.path("campus.guide"))
    }
    #expect(try folder.contents().isEmpty)
  }

  @Test("Reports the name of an unreadable part", arguments: Guide.Part.allCases)
  func badPart(part: Guide.Part) throws {
    var parts = TestCampus().guide.parts
    for bytes in [[], [UInt8](repeating: 0xFF, count: 50)] as [[UInt8]] {
      parts[part.rawValue] = bytes
      let error = #expect(throws: GuideError.self) {
        let guide = try Guide(name: "", attribution: nil, timeZone: nil) {
          part throws(GuideError) in
          parts[part.rawValue] ?? []
        }
        _ = try TransitGuide(guide)
      }
      guard case .badPart(part.rawValue, _) = try #require(error) else {
        Issue.record("\(String(describing: error)) does not name the part")
        continue
      }
    }
  }

  @Test("Flipped bytes of any part never crash the reader")
  func flippedParts() throws {
    var random = SplitMix64(seed: 2)
    let parts = TestCampus().guide.parts
    for number in 0..<300 {
      var flipped = parts
      let name = Guide.Part.allCases[number % 3].rawValue
      var bytes = try #require(flipped[name])
      bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(
        in: 0...255, using: &random)
      flipped[name] = bytes
      let guide = try? Guide(name: "", attribution: nil, timeZone: nil) { part throws(GuideError) in
        flipped[part.rawValue]
      }
      if let guide { #expect(guide.parts.count == 3) }
    }
  }
}

@Suite("ByteWriter and ByteReader") struct ByteCodingTests {
  @Test("Integers round-trip in the fewest bytes")
  func numbers() throws {
    let counts = [0, 1, 127, 128, 16_383, 16_384, 1 << 31, 1 << 40, .max]
    let integers = [
      0, 1, -1, 63, -64, 64, -65, 8_191, -8_192, 1 << 40, -(1 << 40), 1 << 61, -(1 << 61),
    ]
    var writer = ByteWriter()
    for count in counts { writer.write(count: count) }
    for integer in integers { writer.write(integer) }
    var reader = ByteReader(writer.bytes)
    for count in counts { #expect(try reader.count(limit: .max) == count) }
    for integer in integers { #expect(try reader.integer() == integer) }
    #expect(reader.isAtEnd)
    for (number, size) in [(63, 1), (-64, 1), (64, 2), (-8_192, 2), (8_192, 3)] {
      var writer = ByteWriter()
      writer.write(number)
      #expect(writer.bytes.count == size)
    }
  }

  @Test("Texts and floats round-trip; nil differs from an empty text")
  func texts() throws {
    let texts = ["", "a", "Café", "🏛️ a\u{0}b", String(repeating: "x", count: 1_000)]
    let floats: [Float] = [
      0, -0.0, 1.5, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, .infinity,
    ]
    var writer = ByteWriter()
    for text in texts {
      writer.write(text)
      writer.write(optional: text)
    }
    writer.write(optional: nil)
    for float in floats { writer.write(float) }
    var reader = ByteReader(writer.bytes)
    for text in texts {
      #expect(try reader.text() == text)
      #expect(try reader.optionalText() == text)
    }
    #expect(try reader.optionalText() == nil)
    for float in floats { #expect(try reader.float().bitPattern == float.bitPattern) }
    #expect(reader.isAtEnd)
  }

  @Test("Truncated and endless values throw errors")
  func malformed() {
    func fault(_ bytes: [UInt8], _ read: (inout ByteReader) throws(ByteReader.Fault) -> Void)
      -> ByteReader.Fault?
    {
      var reader = ByteReader(bytes)
      do throws(ByteReader.Fault) { try read(&reader) } catch { return error }
      return nil
    }
    #expect(fault([]) { r throws(ByteReader.Fault) in _ = try r.byte() } == .endsEarly)
    #expect(fault([0x80]) { r throws(ByteReader.Fault) in _ = try r.count() } == .endsEarly)
    #expect(fault([1, 2, 3]) { r throws(ByteReader.Fault) in _ = try r.float() } == .endsEarly)
    #expect(fault([5, 65]) { r throws(ByteReader.Fault) in _ = try r.text() } == .endsEarly)
    #expect(fault([1]) { r throws(ByteReader.Fault) in _ = try r.optionalText() } == .endsEarly)
    let endless = [UInt8](repeating: 0xFF, count: 20)
    #expect(
      fault(endless) { r throws(ByteReader.Fault) in _ = try r.count(limit: .max) }
        == .badValue("number is too long"))
    #expect(
      fault([0xFF, 0xFF, 0xFF, 0xFF, 0x0F]) { r throws(ByteReader.Fault) in _ = try r.count() }
        == .badValue("4294967295 is over the limit of 2147483647"))
    #expect(
      fault([2, 0, 0, 0, 0]) { r throws(ByteReader.Fault) in _ = try r.length(bytesEach: 2) } == nil
    )
    #expect(
      fault([3, 0, 0, 0, 0]) { r throws(ByteReader.Fault) in _ = try r.length(bytesEach: 2) }
        == .endsEarly)
  }

  @Test("Replaces invalid UTF-8 with replacement characters")
  func notUTF8() throws {
    var reader = ByteReader([3, 0x41, 0xFF, 0x42])
    #expect(try reader.text() == "A\u{FFFD}B")
  }
}

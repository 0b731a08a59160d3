package import CupolaSupport

// 1. Encode points and floors as differences from the previous ones.
// 2. Write and read the map areas and the path graph.

extension ByteWriter {
  /// Writes a point as the difference from the previous point, and updates `last`; the first point is relative to (0,
  /// 0).
  package mutating func write(_ point: MapPoint, after last: inout (latitude: Int, longitude: Int))
  {
    let (latitude, longitude) = (Int(point.latitudeE7), Int(point.longitudeE7))
    write(latitude - last.latitude)
    write(longitude - last.longitude)
    last = (latitude, longitude)
  }

  /// Writes a floor in tenths; 0 means no floor.
  package mutating func write(level: Double?) {
    write(level.map { Int(($0 * 10).rounded()) * 2 + 1 } ?? 0)
  }
}

extension ByteReader {
  package mutating func point(
    after last: inout (latitude: Int, longitude: Int)
  ) throws(Fault) -> MapPoint {
    last.latitude &+= try integer()
    last.longitude &+= try integer()
    guard let latitude = Int32(exactly: last.latitude),
      let longitude = Int32(exactly: last.longitude),
      let point = MapPoint(latitudeE7: latitude, longitudeE7: longitude)
    else { throw .badValue("a position that is out of range") }
    return point
  }

  package mutating func level() throws(Fault) -> Double? {
    let number = try integer()
    guard number.magnitude < 1_000_000 else { throw .badValue("floor \(number)") }
    return number == 0 ? nil : Double((number - 1) / 2) / 10
  }
}

extension GroundArea {
  private static let version: UInt8 = 1

  static func bytes(of areas: [GroundArea]) -> [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: version)
    writer.write(count: areas.count)
    var last = (latitude: 0, longitude: 0)
    for area in areas {
      writer.write(byte: area.kind.rawValue)
      writer.write(area.id)
      writer.write(optional: area.name)
      writer.write(level: area.level)
      writer.write(count: area.rings.count)
      for ring in area.rings {
        writer.write(count: ring.count)
        for point in ring { writer.write(point, after: &last) }
      }
    }
    return writer.bytes
  }

  static func areas(of bytes: [UInt8]) throws(ByteReader.Fault) -> [GroundArea] {
    var reader = ByteReader(bytes)
    guard try reader.byte() == version else { throw .badValue("an unknown version") }
    var areas: [GroundArea] = []
    var last = (latitude: 0, longitude: 0)
    for _ in 0..<(try reader.length(bytesEach: 5)) {
      guard let kind = Kind(rawValue: try reader.byte()) else {
        throw .badValue("an unknown kind of area")
      }
      let (id, name) = (try reader.text(), try reader.optionalText())
      let level = try reader.level()
      var rings: [[MapPoint]] = []
      for _ in 0..<(try reader.length()) { rings.append(try ring(&reader, &last)) }
      guard rings.first.map({ !$0.isEmpty }) ?? false else {
        throw .badValue("an area without points")
      }
      areas.append(GroundArea(kind, id: id, name: name, level: level, rings: rings))
    }
    guard reader.isAtEnd else { throw .badValue("data after the areas") }
    return areas
  }

  private static func ring(
    _ reader: inout ByteReader, _ last: inout (latitude: Int, longitude: Int)
  ) throws(ByteReader.Fault) -> [MapPoint] {
    var ring: [MapPoint] = []
    for _ in 0..<(try reader.length(bytesEach: 2)) {
      ring.append(try reader.point(after: &last))
    }
    return ring
  }
}

extension PathGraph {
  private static let version: UInt8 = 1

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.write(byte: Self.version)
    writer.write(count: vertices.count)
    writer.write(count: ways.count)
    writer.write(count: edges.count)
    writer.write(count: forbiddenTurns.count)
    write(verticesTo: &writer)
    for way in ways { Self.write(way, to: &writer) }
    var last = Edge(from: 0, to: 0, way: 0, access: [])
    for edge in edges {
      writer.write(edge.from - last.to)
      writer.write(edge.to - edge.from)
      writer.write(edge.way - last.way)
      writer.write(byte: edge.access.rawValue)
      last = edge
    }
    for turn in forbiddenTurns {
      writer.write(count: turn.arcs.count)
      for arc in turn.arcs { writer.write(count: arc) }
    }
    return writer.bytes
  }

  private func write(verticesTo writer: inout ByteWriter) {
    var last = (latitude: 0, longitude: 0)
    for vertex in vertices {
      writer.write(vertex.point, after: &last)
      writer.write(level: vertex.level)
      writer.write(byte: vertex.blocked.rawValue)
    }
  }

  private static func write(_ way: Way, to writer: inout ByteWriter) {
    writer.write(way.id)
    writer.write(optional: way.name)
    writer.write(byte: way.kind.rawValue)
    writer.write(byte: way.speed)
    writer.write(way.incline)
    writer.write(count: Int(max(0, way.stepCount)))
    let flags: [(Bool, UInt8)] = [
      (way.isIndoor, 1), (way.isLocal, 2), (way.isRoundabout, 4), (way.isParkingAisle, 8),
      (way.isHall || way.isMain || way.isTrack, 16), (way.isRamp, 32),
    ]
    writer.write(byte: flags.reduce(way.form.rawValue) { $0 | ($1.0 ? $1.1 : 0) })
  }

  // MARK: - Reading

  init(bytes: [UInt8]) throws(ByteReader.Fault) {
    var reader = ByteReader(bytes)
    guard try reader.byte() == Self.version else { throw .badValue("an unknown version") }
    let vertexCount = try reader.length(bytesEach: 4)
    let wayCount = try reader.length(bytesEach: 9)
    let edgeCount = try reader.length(bytesEach: 4)
    let turnCount = try reader.length(bytesEach: 2)
    let vertices = try Self.vertices(vertexCount, &reader)
    var ways: [Way] = []
    ways.reserveCapacity(wayCount)
    for _ in 0..<wayCount { ways.append(try Self.way(&reader)) }
    let edges = try Self.edges(edgeCount, of: vertexCount, wayCount, &reader)
    var turns: [Turn] = []
    for _ in 0..<turnCount {
      var arcs: [Int] = []
      for _ in 0..<(try reader.length()) { arcs.append(try reader.count()) }
      guard (2...Turn.mostArcs).contains(arcs.count), arcs.allSatisfy({ $0 < 2 * edgeCount }) else {
        throw .badValue("a turn with invalid edges")
      }
      turns.append(Turn(arcs))
    }
    guard reader.isAtEnd else { throw .badValue("data after the graph") }
    self.init(vertices: vertices, edges: edges, ways: ways, forbiddenTurns: turns)
  }

  private static func vertices(
    _ count: Int, _ reader: inout ByteReader
  ) throws(ByteReader.Fault) -> [Vertex] {
    var vertices: [Vertex] = []
    vertices.reserveCapacity(count)
    var last = (latitude: 0, longitude: 0)
    for _ in 0..<count {
      let (point, level) = (try reader.point(after: &last), try reader.level())
      vertices.append(
        Vertex(point: point, level: level, blocked: WayAccess(rawValue: try reader.byte())))
    }
    return vertices
  }

  private static func way(_ reader: inout ByteReader) throws(ByteReader.Fault) -> Way {
    let (id, name) = (try reader.text(), try reader.optionalText())
    guard let kind = WayKind(rawValue: try reader.byte()) else {
      throw .badValue("an unknown kind of way")
    }
    var way = Way(id: id, name: name, kind: kind)
    way.speed = try reader.byte()
    way.incline = try reader.float()
    guard way.incline.isFinite else { throw .badValue("an incline that is not finite") }
    way.stepCount = Int32(try reader.count())
    let flags = try reader.byte()
    (way.isIndoor, way.isLocal) = (flags & 1 != 0, flags & 2 != 0)
    (way.isRoundabout, way.isParkingAisle) = (flags & 4 != 0, flags & 8 != 0)
    // Main roads are streets, halls are indoors, and tracks are paths outdoors, so that they share a bit.
    let isShared = flags & 16 != 0
    way.isMain = isShared && way.kind == .street
    way.isHall = isShared && way.kind != .street && way.isIndoor
    way.isTrack = isShared && !way.isIndoor && way.kind == .path
    way.isRamp = flags & 32 != 0
    way.form = Way.Form(rawValue: flags & 192) ?? .open
    return way
  }

  private static func edges(
    _ count: Int, of vertexCount: Int, _ wayCount: Int, _ reader: inout ByteReader
  ) throws(ByteReader.Fault) -> [Edge] {
    var edges: [Edge] = []
    edges.reserveCapacity(count)
    var last = Edge(from: 0, to: 0, way: 0, access: [])
    for _ in 0..<count {
      let from = last.to &+ (try reader.integer())
      let to = from &+ (try reader.integer())
      let way = last.way &+ (try reader.integer())
      guard (0..<vertexCount).contains(from), (0..<vertexCount).contains(to),
        (0..<wayCount).contains(way)
      else { throw .badValue("an edge with an invalid vertex or way") }
      last = Edge(from: from, to: to, way: way, access: WayAccess(rawValue: try reader.byte()))
      edges.append(last)
    }
    return edges
  }
}

internal import CupolaSupport

/// A piece of ground that is drawn, and that people see: a building, water, a room.
package struct GroundArea: Equatable, Sendable {
  package enum Kind: UInt8, CaseIterable, Sendable {
    case building, green, water, parking, square, corridor, room
  }

  package var kind: Kind
  /// The feature that it was made of; of all parts of a building the building.
  package var id: String
  package var name: String?
  /// The floor of rooms and corridors; `nil` outdoors.
  package var level: Double?
  /// The outer ring and holes.
  package var rings: [[MapPoint]]

  package init(
    _ kind: Kind, id: String, name: String? = nil, level: Double? = nil, rings: [[MapPoint]]
  ) {
    (self.kind, self.id, self.name, self.level, self.rings) = (kind, id, name, level, rings)
  }
}

/// Areas as bytes: points as differences to the one before.
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
    guard try reader.byte() == version else { throw .badValue("another version") }
    var areas: [GroundArea] = []
    var last = (latitude: 0, longitude: 0)
    for _ in 0..<(try reader.length(bytesEach: 5)) {
      guard let kind = Kind(rawValue: try reader.byte()) else {
        throw .badValue("a kind of ground")
      }
      let (id, name) = (try reader.text(), try reader.optionalText())
      let level = try reader.level()
      var rings: [[MapPoint]] = []
      for _ in 0..<(try reader.length()) { rings.append(try ring(&reader, &last)) }
      guard rings.first.map({ !$0.isEmpty }) ?? false else {
        throw .badValue("ground without points")
      }
      areas.append(GroundArea(kind, id: id, name: name, level: level, rings: rings))
    }
    guard reader.isAtEnd else { throw .badValue("more than ground") }
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

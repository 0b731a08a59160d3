/// Writes valid and malformed TIFF structures.
package struct EXIFBuilder {
  /// A field value.
  package indirect enum Value {
    case short(UInt16)
    case long(UInt32)
    case text(String)
    case rationals([(UInt32, UInt32)])
    case signedRationals([(Int, Int)])
    case doubles([Double])
    /// Integers of a TIFF type: BYTE (1), SHORT (3), LONG (4), SBYTE (6), SSHORT (8), or SLONG (9).
    case integers(type: UInt16, [Int])
    /// A nested directory and its pointer.
    case directory([UInt16: Value])
    /// A nested directory and a pointer of type IFD.
    case subdirectory([UInt16: Value])
    /// Any type, count, and 4 bytes of value or offset.
    case raw(type: UInt16, count: UInt32, field: UInt32)
  }

  package enum Tag {
    package static let orientation: UInt16 = 0x0112
    package static let exif: UInt16 = 0x8769
    package static let gps: UInt16 = 0x8825
    package static let time: UInt16 = 0x9003
    package static let timeOffset: UInt16 = 0x9011
    package static let digitized: UInt16 = 0x9004
    package static let digitizedOffset: UInt16 = 0x9012
    package static let dateTime: UInt16 = 0x0132
    package static let dateTimeOffset: UInt16 = 0x9010
    package static let gpsTime: UInt16 = 7
    package static let gpsDate: UInt16 = 29
    package static let focalLength: UInt16 = 0xA405
    package static let latitudeReference: UInt16 = 1
    package static let latitude: UInt16 = 2
    package static let longitudeReference: UInt16 = 3
    package static let longitude: UInt16 = 4
    package static let directionReference: UInt16 = 16
    package static let direction: UInt16 = 17
    package static let horizontalError: UInt16 = 31
  }

  package var bigEndian = false

  package init(bigEndian: Bool = false) { self.bigEndian = bigEndian }

  /// A GPS directory: 12° 30' S, 77° 0' 36" W.
  package static let place: [UInt16: Value] = [
    Tag.latitudeReference: .text("S"), Tag.latitude: .rationals([(12, 1), (30, 1), (0, 1)]),
    Tag.longitudeReference: .text("W"), Tag.longitude: .rationals([(77, 1), (0, 1), (3600, 100)]),
  ]

  /// A TIFF header and its first directory.
  package func block(_ entries: [UInt16: Value], following: UInt32 = 0) -> [UInt8] {
    Array((bigEndian ? "MM" : "II").utf8) + number(42, 2) + number(8, 4)
      + directory(entries, at: 8, following: following)
  }

  /// The payload of an APP1 segment.
  package func payload(_ entries: [UInt16: Value]) -> [UInt8] {
    Array("Exif\0\0".utf8) + block(entries)
  }

  package func number(_ value: Int, _ count: Int) -> [UInt8] {
    let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? little.reversed() : little
  }

  private func directory(
    _ entries: [UInt16: Value], at start: Int, following: UInt32
  ) -> [UInt8] {
    var rows: [UInt8] = []
    var heap: [UInt8] = []
    let heapStart = start + 2 + 12 * entries.count + 4
    for (tag, value) in entries.sorted(by: { $0.key < $1.key }) {
      let (type, count, data) = contents(of: value, at: heapStart + heap.count)
      rows += number(Int(tag), 2) + number(type, 2) + number(count, 4)
      if data.count <= 4 {
        rows += data + [UInt8](repeating: 0, count: 4 - data.count)
      } else {
        rows += number(heapStart + heap.count, 4)
        heap += data
      }
    }
    return number(entries.count, 2) + rows + number(Int(following), 4) + heap
  }

  /// Returns type, count and bytes of a value. Nested directories start at `place`.
  private func contents(of value: Value, at place: Int) -> (Int, Int, [UInt8]) {
    switch value {
    case .short(let value): return (3, 1, number(Int(value), 2))
    case .long(let value): return (4, 1, number(Int(value), 4))
    case .text(let text): return (2, text.utf8.count + 1, Array(text.utf8) + [0])
    case .rationals(let values):
      let bytes = values.flatMap { number(Int($0.0), 4) + number(Int($0.1), 4) }
      return (5, values.count, bytes)
    case .signedRationals(let values):
      return (10, values.count, values.flatMap { number($0.0, 4) + number($0.1, 4) })
    case .doubles(let values):
      return (12, values.count, values.flatMap { number(Int(bitPattern: UInt($0.bitPattern)), 8) })
    case .integers(let type, let values):
      let size = [1, 6].contains(type) ? 1 : [3, 8].contains(type) ? 2 : 4
      return (Int(type), values.count, values.flatMap { number($0, size) })
    case .subdirectory(let entries): return (13, 1, directory(entries, at: place, following: 0))
    case .directory(let entries): return (4, 1, directory(entries, at: place, following: 0))
    case .raw(let type, let count, let field):
      return (Int(type), Int(count), number(Int(field), 4))
    }
  }
}

struct PhotoNote {
  /// The capture time, such as "2025:06:03 14:05:09".
  var taken: String
  /// The offset from UTC, such as "+02:00".
  var zone: String
  var latitude: Double
  var longitude: Double
  var direction: Double
  var accuracy: Double
  var orientation: Int
}

/// Writes an EXIF APP1 payload: "Exif\0\0" and a big-endian TIFF structure.
enum ExifWriter {
  private struct Entry {
    let tag: Int
    let type: Int
    let count: Int
    let bytes: [UInt8]
  }

  static func payload(for note: PhotoNote) -> [UInt8] {
    let positioned = [
      text(1, note.latitude < 0 ? "S" : "N"), rationals(2, sexagesimal(note.latitude)),
      text(3, note.longitude < 0 ? "W" : "E"), rationals(4, sexagesimal(note.longitude)),
      text(0x10, "T"), rationals(0x11, [(hundredths(note.direction), 100)]),
      rationals(0x1f, [(hundredths(note.accuracy), 100)]),
    ]
    let exif = [text(0x9003, note.taken), text(0x9011, note.zone)]
    let main = [
      text(0x010f, "Cupola"), text(0x0110, "SampleCampus"), short(0x0112, note.orientation),
      text(0x0132, note.taken),
    ]
    // Measure the sizes before writing, because they do not depend on offsets.
    let start = 8
    let exifStart = start + directory(main + [long(0x8769, 0), long(0x8825, 0)], at: 0).count
    let gpsStart = exifStart + directory(exif, at: 0).count
    let pointers = [long(0x8769, exifStart), long(0x8825, gpsStart)]
    return Array("Exif".utf8) + [0, 0] + Array("MM".utf8) + [0, 42] + big(start, 4)
      + directory(main + pointers, at: start) + directory(exif, at: exifStart)
      + directory(positioned, at: gpsStart)
  }

  private static func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    var table = big(entries.count, 2)
    var heap: [UInt8] = []
    let heapStart = offset + 2 + entries.count * 12 + 4
    for entry in entries {
      table += big(entry.tag, 2) + big(entry.type, 2) + big(entry.count, 4)
      if entry.bytes.count <= 4 {
        table += entry.bytes + [UInt8](repeating: 0, count: 4 - entry.bytes.count)
      } else {
        table += big(heapStart + heap.count, 4)
        heap += entry.bytes + (entry.bytes.count & 1 == 1 ? [0] : [])
      }
    }
    return table + big(0, 4) + heap
  }

  private static func text(_ tag: Int, _ value: String) -> Entry {
    let bytes = Array(value.utf8) + [0]
    return Entry(tag: tag, type: 2, count: bytes.count, bytes: bytes)
  }

  private static func short(_ tag: Int, _ value: Int) -> Entry {
    Entry(tag: tag, type: 3, count: 1, bytes: big(value, 2))
  }

  private static func long(_ tag: Int, _ value: Int) -> Entry {
    Entry(tag: tag, type: 4, count: 1, bytes: big(value, 4))
  }

  private static func rationals(_ tag: Int, _ values: [(Int, Int)]) -> Entry {
    let bytes = values.flatMap { big($0.0, 4) + big($0.1, 4) }
    return Entry(tag: tag, type: 5, count: values.count, bytes: bytes)
  }

  /// Degrees, minutes and hundredths of seconds, as phones write them.
  private static func sexagesimal(_ degrees: Double) -> [(Int, Int)] {
    let units = Int((abs(degrees) * 3600 * 100).rounded())
    return [(units / 360_000, 1), (units / 6000 % 60, 1), (units % 6000, 100)]
  }

  private static func hundredths(_ value: Double) -> Int { Int((value * 100).rounded()) }

  private static func big(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * (size - 1 - $0))) }
  }
}

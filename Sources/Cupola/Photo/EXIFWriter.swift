// Write the EXIF block of a converted photo:
// 1. Collect the entries that still apply to an upright copy, from all directories of the source.
// 2. Add the time and the position of another source.
// 3. Write the main, EXIF, and GPS directories in the byte order of the source.
// The source can be a whole TIFF file. Maker notes and previews are not copied.

struct EXIFWriter {
  private struct Field {
    let tag: UInt16
    let type: Int
    let count: Int
    let value: [UInt8]
  }

  private enum Tag {
    static let orientation: UInt16 = 0x0112
    static let exifDirectory: UInt16 = 0x8769
    static let gpsDirectory: UInt16 = 0x8825
    static let time: UInt16 = 0x9003
    static let timeOffset: UInt16 = 0x9011
    static let timeFraction: UInt16 = 0x9291
    static let latitude: UInt16 = 2
    static let longitude: UInt16 = 4
    static let horizontalError: UInt16 = 31
    static let colorSpace: UInt16 = 0xA001
    static let width: UInt16 = 0xA002
    static let height: UInt16 = 0xA003
  }

  /// Title, camera, program, time, author, and license.
  private static let mainTags: [UInt16] = [0x10E, 0x10F, 0x110, 0x131, 0x132, 0x13B, 0x8298]
  /// Exposure, version, times, lens, and scene; no maker notes and no data about the stored pixels.
  private static let exifTags: [ClosedRange<UInt16>] = [
    0x829A...0x829D, 0x8822...0x8824, 0x8827...0x8835, 0x9000...0x9004, 0x9010...0x9012,
    0x9201...0x920A, 0x9214...0x9214, 0x9286...0x9286, 0x9290...0x9292, 0x9400...0x9405,
    0xA20E...0xA210, 0xA215...0xA217, 0xA300...0xA301, 0xA401...0xA40C, 0xA420...0xA420,
    0xA430...0xA435,
  ]
  private static let gpsTags: [ClosedRange<UInt16>] = [0...31]
  /// Keeps the block far below the 64 KB of a JPEG segment.
  private static let longestValue = 256
  private static let (ascii, short, long, rational) = (2, 3, 4, 5)
  /// A TIFF header and an empty directory.
  private static let empty: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]

  private let tiff: TIFFBlock
  private let added: PhotoMetadata

  /// Returns the block with upright orientation and the size of the converted photo; `nil` if the source is not a TIFF
  /// block and nothing is added.
  /// - Parameter added: A time and a position that replace those of the source.
  static func block(
    from source: [UInt8]?, adding added: PhotoMetadata = PhotoMetadata(), width: Int, height: Int
  ) -> [UInt8]? {
    let isEmpty = added.captureTime == nil && added.position == nil
    guard
      let tiff = source.flatMap({ TIFFBlock(bytes: $0) })
        ?? (isEmpty ? nil : TIFFBlock(bytes: empty))
    else { return nil }
    return EXIFWriter(tiff: tiff, added: added).block(width: width, height: height)
  }

  private func block(width: Int, height: Int) -> [UInt8] {
    let source = tiff.directory(at: tiff.firstDirectory) ?? [:]
    func inner(_ tag: UInt16) -> TIFFBlock.Directory {
      source[tag].flatMap { tiff.integer($0) }.flatMap { tiff.directory(at: $0) } ?? [:]
    }
    // Some programs write EXIF tags into the main directory of TIFF files.
    let exifSource = inner(Tag.exifDirectory).merging(source) { own, _ in own }
    let exif =
      fields(exifSource, Self.exifTags, except: replacedTimes) + addedTime + [
        number(Tag.colorSpace, Self.short, 1), number(Tag.width, Self.long, width),
        number(Tag.height, Self.long, height),
      ]
    let gps =
      fields(inner(Tag.gpsDirectory), Self.gpsTags, except: replacedPlaces) + addedPlace
    let main =
      fields(source, Self.mainTags.map { $0...$0 }) + [number(Tag.orientation, Self.short, 1)]
    // The size of a directory does not depend on the values of its pointers.
    let pointers = { (exif: Int, gpsPlace: Int) in
      [number(Tag.exifDirectory, Self.long, exif)]
        + (gps.isEmpty ? [] : [number(Tag.gpsDirectory, Self.long, gpsPlace)])
    }
    let exifPlace = 8 + directory(main + pointers(0, 0), at: 8).count
    let exifDirectory = directory(exif, at: exifPlace)
    let gpsPlace = exifPlace + exifDirectory.count
    let header = tiff.byteOrder + tiff.field(42, bytes: 2)
    return header + tiff.field(8, bytes: 4) + directory(main + pointers(exifPlace, gpsPlace), at: 8)
      + exifDirectory + (gps.isEmpty ? [] : directory(gps, at: gpsPlace))
  }

  private var replacedTimes: [UInt16] {
    added.captureTime == nil ? [] : [Tag.time, Tag.timeOffset, Tag.timeFraction]
  }

  private var addedTime: [Field] {
    let offset = added.captureTime == nil ? nil : added.captureTimeOffset
    return [
      added.captureTime.map { text(Tag.time, $0) }, offset.map { text(Tag.timeOffset, $0) },
    ].compactMap(\.self)
  }

  private var replacedPlaces: [UInt16] {
    // The tag before each coordinate is its reference.
    added.position == nil
      ? []
      : [Tag.latitude - 1, Tag.latitude, Tag.longitude - 1, Tag.longitude, Tag.horizontalError]
  }

  private var addedPlace: [Field] {
    guard let position = added.position else { return [] }
    return [
      text(Tag.latitude - 1, position.latitude < 0 ? "S" : "N"),
      rationals(Tag.latitude, Self.parts(of: position.latitude)),
      text(Tag.longitude - 1, position.longitude < 0 ? "W" : "E"),
      rationals(Tag.longitude, Self.parts(of: position.longitude)),
    ]
  }

  /// Returns degrees, minutes, and seconds as fractions; the error is less than 1 cm.
  private static func parts(of degrees: Double) -> [(Int, Int)] {
    let unit = 10_000
    let seconds = Int((abs(degrees) * 3600 * Double(unit)).rounded())
    return [
      (seconds / (3600 * unit), 1), (seconds / (60 * unit) % 60, 1), (seconds % (60 * unit), unit),
    ]
  }

  private func fields(
    _ source: TIFFBlock.Directory, _ tags: [ClosedRange<UInt16>], except replaced: [UInt16] = []
  ) -> [Field] {
    source.compactMap { tag, entry in
      guard tags.contains(where: { $0.contains(tag) }), let value = tiff.value(entry),
        value.count <= Self.longestValue, !replaced.contains(tag)
      else { return nil }
      return Field(tag: tag, type: Int(entry.type), count: entry.count, value: Array(value))
    }
  }

  private func number(_ tag: UInt16, _ type: Int, _ value: Int) -> Field {
    Field(
      tag: tag, type: type, count: 1, value: tiff.field(value, bytes: type == Self.short ? 2 : 4))
  }

  private func text(_ tag: UInt16, _ text: String) -> Field {
    Field(tag: tag, type: Self.ascii, count: text.utf8.count + 1, value: Array(text.utf8) + [0])
  }

  private func rationals(_ tag: UInt16, _ values: [(Int, Int)]) -> Field {
    Field(
      tag: tag, type: Self.rational, count: values.count,
      value: values.flatMap { tiff.field($0.0, bytes: 4) + tiff.field($0.1, bytes: 4) })
  }

  /// Returns a directory, followed by the values that do not fit into its entries.
  private func directory(_ fields: [Field], at place: Int) -> [UInt8] {
    var entries = tiff.field(fields.count, bytes: 2)
    var values: [UInt8] = []
    let valuesPlace = place + 2 + 12 * fields.count + 4
    for field in fields.sorted(by: { $0.tag < $1.tag }) {
      entries += tiff.field(Int(field.tag), bytes: 2) + tiff.field(field.type, bytes: 2)
      entries += tiff.field(field.count, bytes: 4)
      if field.value.count <= 4 {
        entries += field.value + [UInt8](repeating: 0, count: 4 - field.value.count)
      } else {
        entries += tiff.field(valuesPlace + values.count, bytes: 4)
        // Values start at even offsets.
        values += field.value + (field.value.count % 2 == 1 ? [0] : [])
      }
    }
    return entries + [0, 0, 0, 0] + values
  }
}

// Read the properties of the primary image of a HEIC or AVIF file without libheif:
// 1. `init` reads the boxes in `meta` (ISO/IEC 14496-12, 8.11, and ISO/IEC 23008-12).
// 2. `size` and `profile` are properties of the primary item; `exif` is the item that describes it.
// 3. `showingOnlyPrimary` hides all other images, because converters write one file for each image.

struct HEIFBoxes {
  private struct Item {
    let type: String
    /// The offset of the byte with the flag "hidden".
    let flags: Int
  }

  private let file: [UInt8]
  private var primary: Int?
  private var items: [Int: Item] = [:]
  private var places: [Int: [Range<Int>]] = [:]
  private var properties: [MediaBox] = []
  private var associations: [Int: [Int]] = [:]
  /// Items that describe another item, with that item.
  private var described: [Int: [Int]] = [:]

  private static let displayP3 = 12
  private static let mostMetadata = 8 << 20
  /// The maximum number of parts of an item; EXIF blocks usually have one.
  private static let mostExtents = 64

  init(_ bytes: [UInt8]) {
    file = bytes
    guard let meta = MediaBox.all(in: bytes[...]).first(where: { $0.type == "meta" }) else {
      return
    }
    let boxes = MediaBox.all(in: meta.content.dropFirst(4))
    let data = boxes.first { $0.type == "idat" }?.content
    for box in boxes {
      switch box.type {
      case "pitm": primary = Self.primary(box.content)
      case "iinf": readItems(box.content)
      case "iloc": readPlaces(box.content, data: data)
      case "iref": readReferences(box.content)
      case "iprp": readProperties(box.content)
      default: break
      }
    }
  }

  /// The size of the upright image; `nil` if unknown.
  var size: (width: Int, height: Int)? {
    var size: (width: Int, height: Int)?
    for box in ownProperties {
      var fields = FieldReader(box.content)
      switch box.type {
      case "ispe":
        guard fields.integer(4) != nil, let width = fields.integer(4),
          let height = fields.integer(4)
        else { return nil }
        size = (width, height)
      case "clap":
        // Programs round the fractions of odd crops differently.
        guard let width = fields.fraction(), let height = fields.fraction() else { return nil }
        size = (width, height)
      case "irot" where (box.content.first ?? 0) & 1 == 1: size = size.map { ($0.height, $0.width) }
      default: break
      }
    }
    return size
  }

  /// The TIFF block of the EXIF item.
  var exif: [UInt8]? {
    let all = items.keys.sorted().filter { items[$0]?.type == "Exif" }
    let own = primary.flatMap { primary in all.first { described[$0]?.contains(primary) ?? false } }
    guard let item = own ?? all.first(where: { described[$0] == nil }),
      let parts = places[item], parts.reduce(0, { $0 + $1.count }) <= Self.mostMetadata
    else { return nil }
    return MediaBox.tiff(parts.flatMap { file[$0] }[...])
  }

  var profile: [UInt8]? {
    let boxes = ownProperties.filter { $0.type == "colr" }.map(\.content)
    return boxes.first { $0.starts(with: "prof".utf8) || $0.starts(with: "rICC".utf8) }
      .map { Array($0.dropFirst(4)) }
  }

  /// Whether the file specifies Display P3 by number.
  var isDisplayP3: Bool {
    ownProperties.contains { box in
      guard box.type == "colr", box.content.starts(with: "nclx".utf8) else { return false }
      return box.content.dropFirst(4).prefix(2).bigEndian == Self.displayP3
    }
  }

  /// The file with all images except the primary one marked as hidden. All sizes and offsets stay the same.
  var showingOnlyPrimary: [UInt8] {
    guard let primary, items[primary] != nil else { return file }
    var bytes = file
    for (id, item) in items where id != primary && !["Exif", "mime", "uri "].contains(item.type) {
      bytes[item.flags] |= 1
    }
    return bytes
  }

  private var ownProperties: [MediaBox] {
    let own = primary.flatMap { associations[$0] } ?? []
    return own.compactMap { $0 >= 1 && $0 <= properties.count ? properties[$0 - 1] : nil }
  }

  private static func primary(_ box: ArraySlice<UInt8>) -> Int? {
    var fields = FieldReader(box.dropFirst(4))
    return fields.integer(box.first == 0 ? 2 : 4)
  }

  private mutating func readItems(_ box: ArraySlice<UInt8>) {
    let count = box.first == 0 ? 2 : 4
    for entry in MediaBox.all(in: box.dropFirst(4 + count)) where entry.type == "infe" {
      let content = entry.content
      guard let version = content.first, version == 2 || version == 3 else { continue }
      var fields = FieldReader(content.dropFirst(4))
      guard let id = fields.integer(version == 2 ? 2 : 4), fields.integer(2) != nil else {
        continue
      }
      items[id] = Item(
        type: String(decoding: fields.rest.prefix(4), as: UTF8.self),
        flags: content.startIndex + 3)
    }
  }

  private mutating func readPlaces(_ box: ArraySlice<UInt8>, data: ArraySlice<UInt8>?) {
    guard let version = box.first, version <= 2 else { return }
    var fields = FieldReader(box.dropFirst(4))
    guard let sizes = fields.integer(2), let count = fields.integer(version < 2 ? 2 : 4) else {
      return
    }
    let size = (offset: sizes >> 12, length: sizes >> 8 & 15, base: sizes >> 4 & 15)
    let indexSize = version == 0 ? 0 : sizes & 15
    guard [size.offset, size.length, size.base, indexSize].allSatisfy({ $0 <= 8 }) else { return }
    for _ in 0..<count {
      guard let id = fields.integer(version < 2 ? 2 : 4),
        let method = version == 0 ? 0 : fields.integer(2), fields.integer(2) != nil,
        let base = fields.integer(size.base), let extents = fields.integer(2)
      else { return }
      // Method 0 counts from the start of the file, method 1 from the data in `meta`.
      let space = method & 15 == 0 ? file[...] : method & 15 == 1 ? data : nil
      var ranges: [Range<Int>] = []
      for _ in 0..<min(extents, Self.mostExtents) {
        guard fields.integer(indexSize) != nil, let offset = fields.integer(size.offset),
          let length = fields.integer(size.length)
        else { return }
        if let range = Self.range(base, offset, length, in: space) { ranges.append(range) }
      }
      places[id] = ranges.count == extents ? ranges : nil
    }
  }

  private static func range(
    _ base: Int, _ offset: Int, _ length: Int, in space: ArraySlice<UInt8>?
  ) -> Range<Int>? {
    guard let space, base <= space.count, offset <= space.count - base,
      length <= space.count - base - offset
    else { return nil }
    let start = space.startIndex + base + offset
    return start..<start + (length == 0 ? space.endIndex - start : length)
  }

  private mutating func readReferences(_ box: ArraySlice<UInt8>) {
    let count = box.first == 0 ? 2 : 4
    for entry in MediaBox.all(in: box.dropFirst(4)) where entry.type == "cdsc" {
      var fields = FieldReader(entry.content)
      guard let from = fields.integer(count), let targets = fields.integer(2) else { continue }
      described[from, default: []] += (0..<targets).compactMap { _ in fields.integer(count) }
    }
  }

  private mutating func readProperties(_ box: ArraySlice<UInt8>) {
    let boxes = MediaBox.all(in: box)
    properties = boxes.first { $0.type == "ipco" }.map { MediaBox.all(in: $0.content) } ?? []
    for entry in boxes where entry.type == "ipma" {
      let isWide = entry.content.dropFirst(3).first.map { $0 & 1 == 1 } ?? false
      let idSize = entry.content.first == 0 ? 2 : 4
      var fields = FieldReader(entry.content.dropFirst(4))
      guard let count = fields.integer(4) else { continue }
      for _ in 0..<count {
        guard let id = fields.integer(idSize), let own = fields.integer(1) else { break }
        // The highest bit marks essential properties.
        associations[id, default: []] += (0..<own).compactMap { _ in
          fields.integer(isWide ? 2 : 1).map { $0 & (isWide ? 0x7FFF : 0x7F) }
        }
      }
    }
  }
}

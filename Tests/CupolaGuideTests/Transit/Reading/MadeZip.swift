@testable import CupolaGuide

/// Archives made in the test, whose claims can be wrong.
struct MadeZip {
  struct File {
    var name: String
    var bytes: [UInt8]
    /// What the archive holds of it; `nil` is `bytes`, stored.
    var packed: [UInt8]?
    var method = 0
    var flags = 0
    /// Sizes as they are claimed.
    var size: Int?
    var crc: UInt32?
    /// The name in its own header.
    var ownName: String?
    /// Where the directory says that it begins.
    var offset: Int?
    var isLarge = false

    init(_ name: String, _ text: String = "a,b\n1,2\n") {
      (self.name, bytes) = (name, Array(text.utf8))
    }

    /// The same, in the blocks of DEFLATE that are not compressed.
    func inStoredBlocks() -> File {
      var file = self
      file.method = 8
      file.packed = []
      var rest = bytes[...]
      repeat {
        let part = rest.prefix(0xFFFF)
        rest = rest.dropFirst(part.count)
        let count = MadeZip.little(part.count, 2)
        file.packed? += [rest.isEmpty ? 1 : 0] + count + count.map { ~$0 } + part
      } while !rest.isEmpty
      return file
    }
  }

  var files: [File]
  var comment = ""
  /// Bytes between the files and the directory.
  var gap: [UInt8] = []

  init(_ files: [File]) { self.files = files }

  init(_ files: File...) { self.files = files }

  var bytes: [UInt8] {
    var (data, directory): ([UInt8], [UInt8]) = ([], [])
    for file in files {
      let packed = file.packed ?? file.bytes
      let crc = Int(file.crc ?? Inflate.crc32(0, file.bytes[...]))
      let (size, offset) = (file.size ?? file.bytes.count, file.offset ?? data.count)
      let common =
        Self.little(file.flags, 2) + Self.little(file.method, 2) + [0, 0, 0, 0]
        + Self.little(crc, 4)
      let own = Array((file.ownName ?? file.name).utf8)
      data += [0x50, 0x4B, 3, 4, 20, 0] + common + Self.little(packed.count, 4)
      data += Self.little(min(size, 0xFFFF_FFFF), 4) + Self.little(own.count, 2) + [0, 0]
      data += own + packed
      let full = 0xFFFF_FFFF
      let extra =
        file.isLarge
        ? [1, 0, 24, 0] + Self.little(size, 8) + Self.little(packed.count, 8)
          + Self.little(offset, 8) : []
      directory += [0x50, 0x4B, 1, 2, 20, 0, 20, 0] + common
      directory += Self.little(file.isLarge ? full : packed.count, 4)
      directory += Self.little(file.isLarge ? full : size, 4)
      directory += Self.little(file.name.utf8.count, 2) + Self.little(extra.count, 2)
      directory += Array(repeating: 0, count: 10)
      directory += Self.little(file.isLarge ? full : offset, 4) + Array(file.name.utf8) + extra
    }
    let start = data.count + gap.count
    return data + gap + directory + [0x50, 0x4B, 5, 6, 0, 0, 0, 0]
      + Self.little(files.count, 2) + Self.little(files.count, 2)
      + Self.little(directory.count, 4) + Self.little(start, 4)
      + Self.little(comment.utf8.count, 2) + Array(comment.utf8)
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// DEFLATE of one byte so many times: literal, then copies of 258 from one byte before, 13 bits
  /// each (RFC 1951, 3.2.6).
  static func bomb(copies: Int) -> [UInt8] {
    var (bytes, bit): ([UInt8], Int) = ([], 0)
    func add(_ value: Int, _ count: Int, highFirst: Bool) {
      for place in 0..<count {
        if bit % 8 == 0 { bytes.append(0) }
        let shift = highFirst ? count - 1 - place : place
        bytes[bytes.count - 1] |= UInt8((value >> shift) & 1) << UInt8(bit % 8)
        bit += 1
      }
    }
    add(1, 1, highFirst: false)
    add(1, 2, highFirst: false)
    add(0x30 + 97, 8, highFirst: true)
    for _ in 0..<copies {
      add(0b1100_0101, 8, highFirst: true)
      add(0, 5, highFirst: true)
    }
    add(0, 7, highFirst: true)
    return bytes
  }
}

extension ZipArchive {
  /// The archive whose bytes these are.
  init(made bytes: [UInt8]) throws(GuideError) {
    try self.init(path: "made.zip", size: bytes.count) { range in Array(bytes[range]) }
  }

  /// All bytes of a member.
  func contents(_ name: String, limit: Int = 1 << 20) throws -> [UInt8]? {
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    var stream = try stream(of: member, limit: limit)
    var bytes: [UInt8] = []
    while try stream.append(to: &bytes) {}
    return bytes
  }
}

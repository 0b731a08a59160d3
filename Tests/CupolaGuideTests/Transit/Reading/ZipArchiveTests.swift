import Cupola
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Zip archives")
struct ZipArchiveTests {
  private func problem(_ zip: TestZip, reading name: String = "a.txt", limit: Int = 1 << 20)
    -> String?
  {
    do {
      _ = try ZipArchive(made: zip.bytes).contents(name, limit: limit)
      return nil
    } catch {
      guard case .badFile("made.zip", let problem)? = error as? GuideError else {
        return "another error"
      }
      return problem
    }
  }

  @Test("Stored and deflated members round-trip")
  func contents() throws {
    var random = SplitMix64(seed: 1)
    for count in [0, 1, 70_000, 600_000] {
      var file = TestZip.File("a.txt")
      file.bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &random) }
      var other = TestZip.File("b/c.txt").inStoredBlocks()
      other.isLarge = true
      for first in [file, file.inStoredBlocks()] {
        var zip = TestZip(first, other)
        zip.comment = "PK\u{5}\u{6} is no end"
        let archive = try ZipArchive(made: zip.bytes)
        #expect(try archive.contents("a.txt") == file.bytes)
        #expect(try archive.contents("b/c.txt") == other.bytes)
      }
    }
  }

  @Test("Inflates a compressed member and ignores folders")
  func compressed() throws {
    var file = TestZip.File("a.txt", String(repeating: "a", count: 258 * 100 + 1))
    (file.method, file.packed) = (8, TestZip.bomb(copies: 100))
    let zip = TestZip(TestZip.File("b/", ""), file)
    let archive = try ZipArchive(made: zip.bytes)
    #expect(archive.members.map(\.name) == ["a.txt"])
    #expect(try archive.contents("a.txt") == file.bytes)
  }

  @Test("Reads a zip64 directory")
  func largeDirectory() throws {
    let plain = TestZip(TestZip.File("a.txt")).bytes
    let start = plain.count - 22
    let directory = LittleEndian(bytes: plain)
    let count = try #require(directory.number(4, at: start + 12))
    let offset = try #require(directory.number(4, at: start + 16))
    func made(offset: Int) -> [UInt8] {
      let sizes = [1, 1, count, offset].flatMap { TestZip.little($0, 8) }
      let record: [UInt8] = [0x50, 0x4B, 6, 6] + TestZip.little(44, 8) + [45, 0, 45, 0]
      let locator: [UInt8] = [0x50, 0x4B, 6, 7, 0, 0, 0, 0] + TestZip.little(start, 8)
      return plain[..<start] + record + Array(repeating: 0, count: 8) + sizes + locator
        + [1, 0, 0, 0] + plain[start..<start + 8]
        + Array(repeating: 0xFF, count: 12) + [0, 0]
    }
    #expect(
      try ZipArchive(made: made(offset: offset)).contents("a.txt") == Array("a,b\n1,2\n".utf8))
    for wrong in [offset + 1, Int.max, -1, 1 << 40] {
      #expect(throws: GuideError.self) { try ZipArchive(made: made(offset: wrong)) }
    }
  }

  @Test(
    "Rejects names that lead out of the archive",
    arguments: [
      "../a.txt", "/a.txt", "x/../../a.txt", "C:/a.txt", "..\\a.txt", "", "a\0.txt", "..",
    ])
  func names(name: String) {
    let zip = TestZip(TestZip.File("a.txt"), TestZip.File(name))
    #expect(problem(zip)?.contains("outside the archive") == true)
  }

  @Test("Rejects encrypted members and unknown methods with a remedy")
  func methods() {
    var file = TestZip.File("a.txt")
    file.flags = 1
    #expect(problem(TestZip(file))?.contains("without a password") == true)
    (file.flags, file.method) = (0, 14)
    #expect(problem(TestZip(file))?.contains("again with deflate") == true)
  }

  @Test("Rejects overlapping, duplicate and renamed members")
  func overlaps() {
    var second = TestZip.File("b.txt")
    second.offset = 0
    #expect(problem(TestZip(TestZip.File("a.txt"), second)) != nil)
    second.offset = 10
    #expect(problem(TestZip(TestZip.File("a.txt"), second))?.contains("overlaps") == true)
    for offset in [Int.max, Int.max - 20, -1, 1 << 33] {
      second.isLarge = true
      second.offset = offset
      #expect(problem(TestZip(TestZip.File("a.txt"), second)) != nil)
    }
    let twice = TestZip(TestZip.File("a.txt"), TestZip.File("a.txt"))
    #expect(problem(twice)?.contains("in the archive twice") == true)
    var other = TestZip.File("a.txt")
    other.ownName = "b.txt"
    #expect(problem(TestZip(other))?.contains("conflicting names") == true)
  }

  @Test("Rejects oversized claims before reading")
  func claims() {
    var file = TestZip.File("a.txt").inStoredBlocks()
    (file.isLarge, file.size) = (true, 10 << 30)
    #expect(
      problem(TestZip(file), limit: 2 << 30)?.contains("more than the limit of 2048 MB") == true)
    file.size = 1 << 30
    #expect(problem(TestZip(file), limit: 2 << 30)?.contains("implausible") == true)
    file.size = .max
    #expect(problem(TestZip(file), limit: 2 << 30) != nil)
  }

  @Test("Stops a zip bomb at its claimed size")
  func bomb() {
    var file = TestZip.File("a.txt", "aaaaa")
    (file.method, file.packed) = (8, TestZip.bomb(copies: 100_000))
    #expect(problem(TestZip(file))?.contains("declared size of 5 bytes") == true)
    file.size = 1_000_000
    #expect(problem(TestZip(file))?.contains("declared size of 1000000 bytes") == true)
  }

  @Test("Rejects members that differ from their claims")
  func damage() {
    var file = TestZip.File("a.txt").inStoredBlocks()
    file.crc = 1
    #expect(problem(TestZip(file))?.contains("CRC-32") == true)
    file = TestZip.File("a.txt").inStoredBlocks()
    file.size = 9
    #expect(problem(TestZip(file))?.contains("is damaged") == true)
    file = TestZip.File("a.txt").inStoredBlocks()
    file.packed = file.packed?.dropLast()
    #expect(problem(TestZip(file))?.contains("is damaged") == true)
    file.packed = [7, 7, 7]
    #expect(problem(TestZip(file))?.contains("is damaged") == true)
    file = TestZip.File("a.txt")
    file.size = 7
    #expect(problem(TestZip(file))?.contains("conflicting sizes") == true)
  }

  @Test("Rejects other files and parts of split archives")
  func otherFiles() {
    for bytes in [[], [0x50], Array(repeating: 0, count: 100), Array("<html>".utf8)] as [[UInt8]] {
      #expect(
        throws: GuideError.badFile(
          path: "made.zip", problem: "incomplete or invalid zip archive; download it again")
      ) { try ZipArchive(made: bytes) }
    }
    var bytes = TestZip(TestZip.File("a.txt")).bytes
    bytes[bytes.count - 18] = 1
    #expect(throws: GuideError.self) { try ZipArchive(made: bytes) }
  }

  @Test("Rejects truncated archives")
  func truncated() {
    let bytes = TestZip(TestZip.File("a.txt"), TestZip.File("b.txt").inStoredBlocks()).bytes
    for count in bytes.indices {
      #expect(throws: GuideError.self) { try ZipArchive(made: Array(bytes[..<count])) }
    }
  }
}

/// A .zip archive created in a test, optionally with wrong declared values.
struct TestZip {
  struct File {
    var name: String
    var bytes: [UInt8]
    var packed: [UInt8]?
    var method = 0
    var flags = 0
    var size: Int?
    var crc: UInt32?
    /// The name in the local header.
    var ownName: String?
    /// The declared offset of the local header.
    var offset: Int?
    var isLarge = false

    init(_ name: String, _ text: String = "a,b\n1,2\n") {
      (self.name, bytes) = (name, Array(text.utf8))
    }

    /// Returns the file's contents in uncompressed DEFLATE blocks.
    func inStoredBlocks() -> File {
      var file = self
      file.method = 8
      file.packed = []
      var rest = bytes[...]
      repeat {
        let part = rest.prefix(0xFFFF)
        rest = rest.dropFirst(part.count)
        let count = TestZip.little(part.count, 2)
        file.packed? += [rest.isEmpty ? 1 : 0] + count + count.map { ~$0 } + part
      } while !rest.isEmpty
      return file
    }
  }

  var files: [File]
  var comment = ""
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

  /// Returns DEFLATE data that repeats one byte: a literal, followed by copies of 258 bytes at distance 1, each encoded
  /// in 13 bits (RFC 1951, 3.2.6).
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
  init(made bytes: [UInt8]) throws(GuideError) {
    try self.init(path: "made.zip", size: bytes.count) { range in Array(bytes[range]) }
  }

  func contents(_ name: String, limit: Int = 1 << 20) throws -> [UInt8]? {
    guard let member = members.first(where: { $0.name == name }) else { return nil }
    var stream = try stream(of: member, limit: limit)
    var bytes: [UInt8] = []
    while try stream.append(to: &bytes) {}
    return bytes
  }
}

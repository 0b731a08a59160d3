import Testing

@testable import Cupola

@Suite("JPEG header") struct JPEGHeaderTests {
  static let start: [UInt8] = [0xFF, 0xD8]
  /// A frame header of 3 rows and 770 columns, with one component.
  static let frame = segment(0xC0, [8, 0, 3, 3, 2, 1, 1, 0x11, 0])

  static func segment(_ marker: UInt8, _ payload: [UInt8]) -> [UInt8] {
    let length = payload.count + 2
    return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + payload
  }

  static func exif(_ bytes: [UInt8]) -> [UInt8] { segment(0xE1, Array("Exif\0\0".utf8) + bytes) }

  static func header(_ parts: [UInt8]...) throws -> JPEGHeader {
    try JPEGHeader(of: start + parts.flatMap { $0 })
  }

  static func expectDamaged(_ parts: [UInt8]...) {
    #expect { try JPEGHeader(of: start + parts.flatMap { $0 }) } throws: {
      ($0 as? CupolaError).isDamagedJPEG
    }
  }

  @Test(
    "Every kind of frame gives the size",
    arguments: [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC6, 0xC7, 0xC9, 0xCA, 0xCB, 0xCD, 0xCE, 0xCF])
  func frames(marker: UInt8) throws {
    let header = try Self.header([0xFF, marker] + Self.frame.dropFirst(2))
    #expect(header.width == 770 && header.height == 3 && header.exif == nil)
  }

  @Test(
    "Tables, extensions and arithmetic conditions are no frames", arguments: [0xC4, 0xC8, 0xCC])
  func noFrames(marker: UInt8) throws {
    let header = try Self.header(Self.segment(marker, [8, 0, 9, 0, 9, 1, 1, 0x11, 0]), Self.frame)
    #expect(header.width == 770)
  }

  @Test("The EXIF block is found behind other segments")
  func exifBlock() throws {
    let name = Self.segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))
    let header = try Self.header(
      Self.segment(0xE0, [1, 2]), name, Self.exif([7, 8, 9]), Self.segment(0xFE, []), Self.frame)
    #expect(header.exif == [7, 8, 9])
  }

  @Test("Of two EXIF blocks the first counts")
  func twoBlocks() throws {
    let header = try Self.header(Self.exif([1]), Self.exif([2]), Self.frame)
    #expect(header.exif == [1])
  }

  @Test("An EXIF block may be empty, and is none without its whole name")
  func shortBlocks() throws {
    #expect(try Self.header(Self.exif([]), Self.frame).exif == [])
    #expect(try Self.header(Self.segment(0xE1, Array("Exif\0".utf8)), Self.frame).exif == nil)
    #expect(try Self.header(Self.segment(0xE1, []), Self.frame).exif == nil)
  }

  @Test("Fill bytes, stray bytes and markers without a length may stand between segments")
  func filling() throws {
    let header = try Self.header(
      [0xFF, 0xFF, 0xFF], Self.exif([5]), [0x00, 0x12], [0xFF, 0x01], [0xFF, 0xD3], [0xFF, 0x00],
      Self.frame)
    #expect(header.width == 770 && header.exif == [5])
  }

  @Test("A frame header cut short is damaged", arguments: 0...5)
  func shortFrame(length: Int) {
    Self.expectDamaged(
      Self.segment(0xC0, Array(Self.frame.dropFirst(4).prefix(length))), [0, 0, 0])
  }

  @Test("A file cut anywhere in its headers is damaged")
  func everyLength() {
    let parts = Self.exif([1, 2, 3]) + Self.frame
    for length in parts.indices { Self.expectDamaged(Array(parts[..<length])) }
  }

  @Test("Picture data or the end before the frame is damaged", arguments: [0xDA, 0xD9])
  func noFrame(marker: UInt8) { Self.expectDamaged(Self.segment(marker, [1, 2]), Self.frame) }

  @Test("A segment shorter than its own length is damaged", arguments: [0, 1])
  func impossibleLength(length: UInt8) {
    Self.expectDamaged([0xFF, 0xE5, 0, length], Self.frame)
  }

  @Test("The sizes of real JPEGs are read", arguments: ["baseline-420", "progressive", "ycck"])
  func fixtures(name: String) throws {
    let header = try JPEGHeader(of: Fixtures.jpeg(name))
    #expect(header.width == 33 && header.height == 21)
  }
}

import Testing

@testable import CupolaExport

@Suite("StoredZip")
struct StoredZipTests {
  @Test("CRC-32 gives the check value of its catalog entry, CRC-32/ISO-HDLC")
  func check() {
    #expect(CRC32.of(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(CRC32.of([]) == 0)
  }

  @Test("the bytes are those of PKWARE's description, behind anything")
  func bytes() {
    var file: [UInt8] = [9, 9, 9]
    StoredZip.append([StoredZip.Entry(name: "é", contents: Array("123456789".utf8))], to: &file)
    let name: [UInt8] = [0xC3, 0xA9]
    let common: [UInt8] = [
      20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0,  // version 2.0; UTF-8; stored; 1 January 1980
      0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0, 9, 0, 0, 0, 2, 0,  // CRC-32; both sizes; the name's
    ]
    let local: [UInt8] = [0x50, 0x4B, 3, 4] + common + [0, 0] + name + Array("123456789".utf8)
    let central: [UInt8] =
      [0x50, 0x4B, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 12) + [3, 0, 0, 0] + name
    let end: [UInt8] = [
      0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0,  // one disk; one file on it, and in all
      48, 0, 0, 0, 44, 0, 0, 0, 0, 0,  // the directory's size and place; no comment
    ]
    #expect(file == [9, 9, 9] + local + central + end)
  }
}

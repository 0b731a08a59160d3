import Testing

@testable import CupolaExport

@Suite("StoredZip")
struct StoredZipTests {
  private static let entries = [
    StoredZip.Entry(name: "labels.txt", contents: Array("Übung\n塔\n".utf8)),
    StoredZip.Entry(name: "empty", contents: []),
    StoredZip.Entry(name: "größe/日本.json", contents: [UInt8](0...255)),
  ]

  private static func file(before: Int = 37) -> [UInt8] {
    var bytes = [UInt8](repeating: 9, count: before)
    StoredZip.append(entries, to: &bytes)
    return bytes
  }

  @Test("CRC-32 gives the check value of its catalogue entry, CRC-32/ISO-HDLC")
  func check() {
    #expect(CRC32.of(Array("123456789".utf8)[...]) == 0xCBF4_3926)
    #expect(CRC32.of([]) == 0)
  }

  @Test("what is written is read, behind anything", arguments: [0, 1, 37, 4096])
  func roundTrip(before: Int) throws {
    let (entries, start) = try StoredZip.entries(in: Self.file(before: before))
    #expect(entries == Self.entries)
    #expect(start == before)
  }

  @Test("a cut archive throws, wherever it is cut")
  func cut() {
    let file = Self.file()
    for length in file.indices {
      #expect(throws: StoredZip.Fault.self) { try StoredZip.entries(in: Array(file[..<length])) }
    }
  }

  @Test("a change of contents or names is seen")
  func changed() {
    let file = Self.file()
    var kept = 0
    for place in 37..<file.count {
      var bytes = file
      bytes[place] ^= 0x10
      if let (entries, _) = try? StoredZip.entries(in: bytes), entries != Self.entries {
        Issue.record("byte \(place) changed what is read")
      } else if (try? StoredZip.entries(in: bytes)) != nil {
        kept += 1  // Versions, times and the like, which nobody reads.
      }
    }
    #expect(kept < file.count / 2)
  }

  @Test("a damaged file is named")
  func named() {
    var bytes = Self.file(before: 0)
    bytes[30 + 10] ^= 1
    #expect(throws: StoredZip.Fault.wrongChecksum("labels.txt")) {
      try StoredZip.entries(in: bytes)
    }
  }
}

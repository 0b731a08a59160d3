import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Photo hashes") struct PhotoHashesTests {
  static let hashes = ["b", "a"].map { String(repeating: $0, count: 64) }

  @Test("They are sorted, and as JSON one text")
  func json() throws {
    let hashes = PhotoHashes(Self.hashes)
    #expect(hashes.values == Self.hashes.reversed())
    #expect(try jsonText(hashes) == "\"\(Self.hashes[1])\(Self.hashes[0])\"")
    #expect(try throughJSON(hashes) == hashes)
    #expect(try throughJSON(PhotoHashes([])).values == [])
  }

  @Test(
    "Another text makes the model unusable",
    arguments: ["\"a\"", "7", "[]", "\"0123456789abcdef\""])
  func malformed(text: String) throws {
    let provenance = try jsonText(SampleModel.model().provenance)
    let bytes = try ModelFileTests.edited { file in
      file.metadata["provenance"] = provenance.replacing(
        #""photo_hashes":{}"#, with: #""photo_hashes":{"hall":\#(text)}"#)
    }
    ModelFileTests.expect(
      .badHeader("metadata entry provenance is not what it should be"), bytes)
  }
}

import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Photo digests") struct PhotoDigestsTests {
  static let long = ["b", "a"].map { SHA256.hexadecimal(of: Array($0.utf8)) }

  @Test("They are the first 16 digits of SHA-256, sorted")
  func values() {
    // echo -n a | sha256sum, and the same of b
    let expected = ["3e23e8160039594a", "ca978112ca1bbdca"]
    #expect(PhotoDigests(sha256: Self.long).values == expected)
    #expect(PhotoDigests(sha256: expected.reversed()).values == expected)
  }

  @Test("Equal files stay as many as they are")
  func equalFiles() {
    let digests = PhotoDigests(sha256: Self.long + Self.long)
    #expect(digests.values.count == 4)
    #expect(digests != PhotoDigests(sha256: Self.long))
  }

  @Test("As JSON they are one text")
  func json() throws {
    let digests = PhotoDigests(sha256: Self.long)
    #expect(try jsonText(digests) == "\"3e23e8160039594aca978112ca1bbdca\"")
    #expect(try throughJSON(digests) == digests)
    #expect(try throughJSON(PhotoDigests(sha256: [])).values == [])
  }

  @Test(
    "Another text makes the model unusable",
    arguments: [
      "\"3e23e8160039594\"", "\"3E23E8160039594A\"", "\"3e23e8160039594aca\"", "7", "[]",
      "\"photos of a hall\"",
    ])
  func malformed(text: String) throws {
    let provenance = try jsonText(SampleModel.model().provenance)
    let bytes = try ModelFileTests.edited { file in
      file.metadata["provenance"] = provenance.replacing(
        #""photo_digests":{}"#, with: #""photo_digests":{"hall":\#(text)}"#)
    }
    ModelFileTests.expect(
      .badHeader("metadata entry provenance is not what it should be"), bytes)
  }
}

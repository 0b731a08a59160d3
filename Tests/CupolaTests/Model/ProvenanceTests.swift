import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Provenance") struct ProvenanceTests {
  static let hash = String(repeating: "0123456789abcdef", count: 4)

  static let full = Provenance(
    version: "1.2.3", dataDigest: "00", photos: ["hall": 1],
    photoDigests: ["hall": PhotoDigests(sha256: ["0123456789abcdef0"])],
    photoHashes: ["hall": PhotoHashes([hash])],
    photoMiddles: ["hall": PhotoHashes([hash])], captureDays: ["hall": 2], seed: .max,
    regularization: 0.5, isRegularizationGiven: true, whitening: 0.8, kernel: "none",
    featuresSource: .init(dataDigest: "11", seed: 3), recall: ["hall": .init(right: 7, asked: 9)],
    rounding: [
      "int8": .init(asked: 12, changed: 2, ofBuildings: 9, rightBefore: 7, rightAfter: 6)
    ])

  @Test("A record survives a JSON round trip with the documented keys")
  func json() throws {
    #expect(try throughJSON(Self.full) == Self.full)
    let text = try jsonText(Self.full)
    #expect(
      text == #"{"capture_days":{"hall":2},"data_sha256":"00","#
        + #""features_source":{"data_sha256":"11","seed":3},"#
        + #""kernel":"none","out_of_fold_recall":{"hall":{"asked":9,"right":7}},"#
        + #""out_of_fold_rounding":{"int8":{"asked":12,"changed":2,"of_buildings":9,"#
        + #""right_after":6,"right_before":7}},"#
        + #""photo_digests":{"hall":"0123456789abcdef"},"photo_hashes":{"hall":"\#(Self.hash)"},"#
        + #""photo_middle_hashes":{"hall":"\#(Self.hash)"},"#
        + #""photos":{"hall":1},"#
        + #""regularisation":0.5,"regularisation_given":true,"seed":18446744073709551615,"#
        + #""version":"1.2.3","whitening":0.8}"#)
  }

  @Test("Fields that older models lack are optional, others are required")
  func older() throws {
    let text =
      #"{"data_sha256":"00","kernel":"none","photos":{"hall":1},"regularisation":0.5,"#
      + #""seed":1,"version":"0.1.0"}"#
    let record = try JSONDecoder().decode(Provenance.self, from: Data(text.utf8))
    #expect(
      record
        == Provenance(
          version: "0.1.0", dataDigest: "00", photos: ["hall": 1], seed: 1, regularization: 0.5,
          kernel: "none"))
    for key in ["data_sha256", "kernel", "photos", "regularisation", "seed", "version"] {
      let broken = text.replacing("\"\(key)\"", with: "\"other\"")
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode(Provenance.self, from: Data(broken.utf8))
      }
    }
  }
}

@Suite("Photo digests") struct PhotoDigestsTests {
  static let long = ["b", "a"].map { SHA256.hexadecimal(of: Array($0.utf8)) }

  @Test("Digests are the first 16 digits of SHA-256, sorted")
  func values() {
    // From `echo -n a | sha256sum`, and the same for b.
    let expected = ["3e23e8160039594a", "ca978112ca1bbdca"]
    #expect(PhotoDigests(sha256: Self.long).values == expected)
    #expect(PhotoDigests(sha256: expected.reversed()).values == expected)
  }

  @Test("Digests of equal files are all kept")
  func equalFiles() {
    let digests = PhotoDigests(sha256: Self.long + Self.long)
    #expect(digests.values.count == 4)
    #expect(digests != PhotoDigests(sha256: Self.long))
  }

  @Test("Digests are encoded as one JSON string")
  func json() throws {
    let digests = PhotoDigests(sha256: Self.long)
    #expect(try jsonText(digests) == "\"3e23e8160039594aca978112ca1bbdca\"")
    #expect(try throughJSON(digests) == digests)
    #expect(try throughJSON(PhotoDigests(sha256: [])).values == [])
  }

  @Test(
    "Malformed digests make the model unusable",
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
      .badHeader("invalid metadata entry provenance"), bytes)
  }
}

@Suite("Photo hashes") struct PhotoHashesTests {
  static let hashes = ["b", "a"].map { String(repeating: $0, count: 64) }

  @Test("Hashes are sorted and encoded as one JSON string")
  func json() throws {
    let hashes = PhotoHashes(Self.hashes)
    #expect(hashes.values == Self.hashes.reversed())
    #expect(try jsonText(hashes) == "\"\(Self.hashes[1])\(Self.hashes[0])\"")
    #expect(try throughJSON(hashes) == hashes)
    #expect(try throughJSON(PhotoHashes([])).values == [])
  }

  @Test(
    "Malformed hashes make the model unusable",
    arguments: ["\"a\"", "7", "[]", "\"0123456789abcdef\""])
  func malformed(text: String) throws {
    let provenance = try jsonText(SampleModel.model().provenance)
    let bytes = try ModelFileTests.edited { file in
      file.metadata["provenance"] = provenance.replacing(
        #""photo_hashes":{}"#, with: #""photo_hashes":{"hall":\#(text)}"#)
    }
    ModelFileTests.expect(
      .badHeader("invalid metadata entry provenance"), bytes)
  }
}

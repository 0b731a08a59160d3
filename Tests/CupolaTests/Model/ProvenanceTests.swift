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

  @Test("A record survives its JSON, whose keys are documented")
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

  @Test("What older models did not have may be missing; the rest may not")
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

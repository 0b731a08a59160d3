import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("File digest") struct ModelSealTests {
  private static func older(_ change: (inout SafeTensors) throws -> Void = { _ in }) throws
    -> [UInt8]
  {
    var file = try SafeTensors(bytes: SampleModel.model().bytes())
    file.metadata["file_sha256"] = nil
    file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
    try change(&file)
    return try file.bytes()
  }

  /// The offset of the tensor data.
  private static func headerEnd(_ bytes: [UInt8]) -> Int {
    8 + bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  @Test("The digest is SHA-256 of the file with zeros in its place")
  func definition() throws {
    let bytes = try SampleModel.model().bytes()
    let digest = try #require(SafeTensors(bytes: bytes).metadata["file_sha256"])
    let header = String(decoding: bytes[..<Self.headerEnd(bytes)], as: UTF8.self)
    let entry = #""file_sha256":"\#(digest)""#
    #expect(header.components(separatedBy: entry).count == 2)
    let place = try #require(bytes.firstRange(of: Array(digest.utf8)))
    var blank = bytes
    blank.replaceSubrange(place, with: [UInt8](repeating: UInt8(ascii: "0"), count: 64))
    #expect(SHA256.hexadecimal(of: blank) == digest)
  }

  private static let flips: [UInt8] = [0x01, 0x20, 0x7F, 0x80, 0xFF]

  /// Changes every byte in one way, or in all ways in a full verification.
  @Test("A change of any header byte is detected", arguments: flips.indices)
  func everyByte(number: Int) throws {
    let flip = Self.flips[number]
    let (first, step) = Verification.isFull ? (0, 1) : (number, Self.flips.count)
    for model in [try SampleModel.model(campus: nil), SampleFisher.model()] {
      var bytes = try model.bytes()
      for place in stride(from: first, to: Self.headerEnd(bytes), by: step) {
        bytes[place] ^= flip
        #expect(
          "byte \(place)", performing: { try Model(bytes: bytes) },
          throws: ModelFileTests.isBadModel)
        bytes[place] ^= flip
      }
      #expect(try Model(bytes: bytes) == model)
    }
  }

  @Test("Changes of labels, map and other metadata are detected")
  func texts() throws {
    let changes: [(String, String, String)] = [
      ("labels", #""hall","tower""#, #""tower","hall""#), ("campus", "Great Hall", "Small Hall"),
      ("provenance", #""seed":18"#, #""seed":17"#), ("calibration", "0.01", "0.02"),
      ("recipe", #""clip":0.2"#, #""clip":0.3"#), ("weights", "float32", "float16"),
    ]
    for (key, text, other) in changes {
      let bytes = try ModelFileTests.edited(digesting: false) { file in
        let old = try #require(file.metadata[key])
        try #require(old.contains(text), "\(old)")
        file.metadata[key] = old.replacing(text, with: other)
      }
      ModelFileTests.expect(.wrongDigest, bytes)
    }
  }

  @Test("Text that looks like the digest is not used as the digest")
  func digestLikeText() throws {
    let text = #"","file_sha256":"\#(String(repeating: "0", count: 64))""#
    var model = try SampleModel.model()
    model.provenance.kernel = text
    let bytes = try model.bytes()
    #expect(try Model(bytes: bytes) == model)
  }

  @Test("Files with a digest of the tensors only are read as unsealed")
  func olderFiles() throws {
    let model = try Model(bytes: try Self.older())
    #expect(!model.isSealed)
    #expect(model.labels.names == SampleModel.labels)
    let renewed = try Model(bytes: try model.bytes())
    #expect(renewed.isSealed)
    #expect(try renewed.bytes() == SampleModel.model().bytes())
  }

  @Test("An older file without a valid digest is damaged")
  func unknownEntry() throws {
    let digest = String(repeating: "0", count: 64)
    ModelFileTests.expect(
      .wrongDigest, try Self.older { $0.metadata["fjle_sha256"] = digest })
    ModelFileTests.expect(.wrongDigest, try Self.older { $0.metadata["tensors_sha256"] = digest })
    ModelFileTests.expect(.wrongDigest, try Self.older { $0.metadata["tensors_sha256"] = nil })
  }

  @Test("The sample campus model has a digest of the whole file")
  func sample() throws {
    let path = Repository.root.appending(path: "Models/sample-campus.safetensors").path
    let bytes = try FileAccess.read(path)
    let model = try Model(bytes: bytes)
    #expect(model.isSealed)
    #expect(try model.bytes() == bytes)
  }
}

@Suite("Answers from logits") struct ModelAnswerTests {
  @Test("Answers from logits match the recognizer", arguments: SampleModel.Subject.allCases)
  func sameAsRecognizer(subject: SampleModel.Subject) throws {
    for share in [0, 0.5, 0.999_999] {
      let model = try SampleModel.model(leastShare: share)
      let picture = SampleModel.picture(subject)
      let features = try model.extractor.features(
        of: model.recipe.prepare(picture, geometry: model.recipe.geometry))
      let answer = try Recognizer(model: model).recognize(picture)
      #expect(model.building(logits: model.classifier.logits(features)) == answer.label)
    }
  }

  @Test("Backgrounds and close buildings yield no name")
  func none() throws {
    let model = try SampleModel.model(leastShare: 0.7)
    #expect(model.building(logits: [5, 0, 0]) == "hall")
    #expect(model.building(logits: [0, 0, 5]) == nil)
    // Shares of 52.5% and 73.1%.
    #expect(model.building(logits: [0.1, 0, -5]) == nil)
    #expect(model.building(logits: [1, 0, -5]) == "hall")
    // The hall wins over the tower but needs at least the probability of the background.
    #expect(model.building(logits: [1, -9, 1]) == "hall")
    #expect(model.building(logits: [1, -9, 1.1]) == nil)
  }
}

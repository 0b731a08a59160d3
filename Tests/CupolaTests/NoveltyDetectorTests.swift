import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Novelty detector") struct NoveltyDetectorTests {
  private static func features(_ seed: UInt64) -> [Float] {
    VectorMath.unit(
      SampleFisher.matrix(1, SampleFisher.model().recipe.featureCount, in: -1...1, seed: seed)
        .values)
  }

  @Test("The score is the largest product with a direction", arguments: 1...20)
  func scores(seed: UInt64) throws {
    let features = Self.features(seed)
    let detector = try #require(SampleFisher.detecting().novelty)
    let products = (0..<detector.directions.rows).map { row in
      zip(detector.directions.row(row), features).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    }
    #expect(abs(Double(detector.score(features)) - (products.max() ?? 0)) < 1e-5)
  }

  @Test("Any number of directions is compared", arguments: 1...9)
  func counts(buildings: Int) {
    let detector = NoveltyDetector(
      directions: SampleFisher.matrix(buildings, 30, in: -1...1, seed: 4), intercept: 0, slope: 1)
    // Each direction is nearest to itself.
    for row in 0..<buildings {
      let own = detector.directions.row(row)
      #expect(detector.score(own) >= VectorMath.dot(own.span, own.span) - 1e-4)
    }
  }

  @Test("Directions are exact as 8-bit integers and in half precision", arguments: 1...5)
  func exact(seed: UInt64) {
    let given = SampleFisher.matrix(3, 200, in: -0.03...0.03, seed: seed)
    let detector = NoveltyDetector(directions: given, intercept: 0, slope: 1)
    let directions = detector.directions
    #expect(Int8Weights(directions).matrix == directions && directions.halved == directions)
    for index in given.values.indices {
      #expect(abs(directions.values[index] - given.values[index]) < 0.002)
    }
  }

  @Test("The probability of the unfamiliar label follows from the score", arguments: 1...5)
  func probability(seed: UInt64) throws {
    let model = SampleFisher.detecting()
    let features = Self.features(seed)
    let detector = try #require(model.novelty)
    let (with, without) = (model.logits(features), model.classifier.logits(features))
    #expect(with[..<3] == without[..<3])
    let shares = Softmax.probabilities(with, temperature: model.calibration.temperature)
    let odds = detector.intercept + detector.slope * Double(detector.score(features))
    #expect(abs(log(shares[3] / (1 - shares[3])) + odds) < 1e-3)
  }

  @Test("A model with a detector survives a round trip")
  func roundTrip() throws {
    let model = SampleFisher.detecting()
    let again = try Model(bytes: model.bytes())
    #expect(again == model && again.novelty == model.novelty)
  }

  @Test(
    "Damaged detectors are rejected",
    arguments: ["novelty.weight", "novelty.scale", "shape", "slope", "unfamiliar"])
  func damaged(part: String) throws {
    var file = try SafeTensors(bytes: SampleFisher.detecting().bytes())
    let text = try #require(file.metadata["novelty"])
    switch part {
    case "slope":
      file.metadata["novelty"] = text.replacing("\"slope\":8", with: "\"slope\":1e300")
    case "unfamiliar":
      let labels = try #require(file.metadata["labels"])
      file.metadata["labels"] = labels.replacing(Labels.unfamiliar, with: "_other")
    case "shape":
      let sound = try #require(file.tensors["novelty.weight"])
      file.tensors["novelty.weight"] = .init(
        type: sound.type, shape: [sound.bytes.count], bytes: sound.bytes)
    default: file.tensors[part] = nil
    }
    let bytes = try ModelSeal.bytes(of: file)
    #expect(throws: CupolaError.self) { try Model(bytes: bytes) }
  }
}

import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola train --weights")
struct WeightsTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TinyCampus.writePhotos(to: folder)
  }

  private func train(_ weights: String, _ options: String...) throws -> Tool.Output {
    let output = try Tool.run(
      [
        "train", "photos", "-o", weights, "--weights", weights, "--features", "hog", "--cache",
        "cache", "-q",
      ] + options, in: folder)
    expectSuccess(output)
    return output
  }

  @Test("fewer bits make a smaller file, and what they change is told")
  func text() throws {
    let output = try train("int8")
    try expectSnapshot(output.stdout.withoutFigures, "train-weights")
    #expect(!(try train("float32").stdout.contains("weights")))
    _ = try train("float16")
    let sizes = try ["float32", "float16", "int8"].map { try folder.bytes($0).count }
    // Four labels of 8100 weights.
    #expect(sizes[0] - sizes[1] > 64_000 && sizes[1] - sizes[2] > 32_000)
  }

  @Test("tells it as JSON")
  func json() throws {
    for weights in ["float16", "int8"] {
      let summary = try #require(try train(weights, "--json").json() as? [String: Any])
      #expect(summary["weights"] as? String == weights)
      let answers = try #require(summary["answers_changed_by_weights"] as? [String: Int])
      #expect(answers["asked"] == 16 && answers.keys.sorted() == ["asked", "changed"])
    }
    let summary = try #require(try train("float32", "--json").json() as? [String: Any])
    #expect(summary["weights"] as? String == "float32")
    #expect(summary["answers_changed_by_weights"] == nil)
  }

  @Test("every format answers, and `cupola model` shows it")
  func answers() throws {
    for weights in ["float32", "float16", "int8"] {
      _ = try train(weights)
      for kind in [TinyCampus.Kind.arch, .barn, .cone] {
        let photo = "photos/\(kind.label)/6.jpg"
        let output = try Tool.run(["classify", weights, photo, "--jsonl"], in: folder)
        expectSuccess(output)
        #expect(try output.jsonLines().first?["label"] as? String == kind.label)
      }
      let card = try Tool.run(["model", weights], in: folder)
      let words = weights == "int8" ? "int8, one scale a label" : weights
      #expect(card.stdout.contains("\nweights          \(words)\n"))
      let json = try Tool.run(["model", weights, "--json"], in: folder).json()
      #expect((json as? [String: Any])?["weights"] as? String == weights)
    }
  }

  @Test("with one session a label nobody knows what they change, and that is said")
  func oneSession() throws {
    for kind in [TinyCampus.Kind.arch, .barn] {
      try folder.write(try TinyCampus.jpeg(kind, seed: 1), to: "few/\(kind.label)/1.jpg")
    }
    let output = try Tool.run(
      ["train", "few", "-o", "m", "--weights", "int8", "--features", "hog", "-q"], in: folder)
    expectSuccess(output)
    #expect(
      output.stdout.contains("weights int8: what that changes is unknown, with one session a label")
    )
  }

  @Test("a model whose weights are not what it says is refused")
  func contradiction() throws {
    _ = try train("int8")
    var file = try SafeTensors(bytes: try folder.bytes("int8"))
    file.metadata["weights"] = "float16"
    try folder.write(try ModelSeal.bytes(of: file), to: "bad")
    let output = try Tool.run(["classify", "bad", "photos/arch/1.jpg"], in: folder)
    expectFailure(output, 65, "bad: ", "tensor classifier.weight is I8 [4, 8100], F16")
    file.metadata["weights"] = "int4"
    try folder.write(try ModelSeal.bytes(of: file), to: "bad")
    expectFailure(
      try Tool.run(["model", "bad"], in: folder), 65, "bad: ", "weights int4, newer than this")
  }
}

import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola export and verify") struct ExportTests {
  @Test("An export is written and verified, and damage is found")
  func roundTrip() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "tiny.safetensors")
    let export = ["export", "tiny.safetensors", "--format", "onnx", "-o", "out"]
    let first = try Tool.run(export + ["--weights", "int8"], in: folder)
    #expect(first.status == 0, "\(first.stderr)")
    #expect(first.stdout.hasPrefix("out: onnx, int8, "))
    #expect(
      first.stdout.contains(
        " of 16 answers for held-out photos differ from float32; correct answers for 12 "
          + "building photos: "))
    let same = try Tool.run(export + ["--weights", "float32"], in: folder)
    #expect(same.stdout.contains("\nthe weights are the same as in the model file\n"))
    #expect(try Tool.run(export + ["--weights", "int8"], in: folder).status == 0)
    let verified = try Tool.run(["verify", "out", "tiny.safetensors"], in: folder)
    #expect(verified.status == 0, "\(verified.stderr)")
    #expect(
      verified.stdout.hasSuffix(
        "\nok: onnx with int8 weights, identical to the export that Cupola \(cupolaVersion) makes from this model\n"
      ))
    let own = try Tool.run(["verify", "out"], in: folder)
    #expect(own.status == 0 && !own.stdout.isEmpty)
    #expect(verified.stdout.hasPrefix(own.stdout))
    try folder.write("", to: "out/campus.onnx")
    for model in [[], ["tiny.safetensors"]] {
      let refused = try Tool.run(["verify", "out"] + model, in: folder)
      #expect(refused.status == 65)
      #expect(
        refused.messages.first
          == "cupola: out: campus.onnx has changed since the export; export again")
      #expect(refused.messages.count == 1 + model.count)
    }
    for folders in [["nowhere"], ["photos", "tiny.safetensors"]] {
      try folder.touch("photos/1.jpg")
      expectFailure(
        try Tool.run(["verify"] + folders, in: folder), 66,
        "cupola: \(folders[0]): not a Cupola export; create one with cupola export")
    }
    #expect(try Tool.run(["verify", "out", "nowhere"], in: folder).status == 66)
  }

  @Test("Further rounding of a rounded model has an unknown effect")
  func unknownRounding() async throws {
    let folder = try TemporaryFolder()
    let halves = try Model(bytes: try await TinyCampus.model()).rounded(to: .float16)
    try folder.write(try halves.bytes(), to: "halves.safetensors")
    let run = try Tool.run(
      ["export", "halves.safetensors", "--format", "onnx", "-o", "out", "--weights", "int8"],
      in: folder)
    #expect(
      run.stdout.hasSuffix(
        "\nthe effect of int8 on the answers is unknown; measure it with --photos FOLDER\n"
          + "next: read out/README.md, which describes how to use the files in an app\n"))
  }

  @Test("--photos prints the effect of rounding")
  func photos() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "tiny.safetensors")
    try TinyCampus.writePhotos(to: folder)
    let run = try Tool.run(
      [
        "export", "tiny.safetensors", "--format", "onnx", "--weights", "int8", "-o", "out",
        "--photos", "photos",
      ], in: folder)
    #expect(run.status == 0, "\(run.stderr)")
    #expect(
      run.stdout.contains("of 8 answers differ from those of the model file; correct answers for 6")
    )
    let before = try folder.contents()
    let missing = try Tool.run(
      [
        "export", "tiny.safetensors", "--format", "onnx", "-o", "out", "--photos", "nowhere",
      ], in: folder)
    expectFailure(missing, 66, "nowhere: cannot be read")
    #expect(try folder.contents() == before)
  }

  @Test("--golden photos adds two training photos of each building, if the model has their digests")
  func goldenPhotos() async throws {
    let folder = try TemporaryFolder()
    let model = try await TinyCampus.model()
    try folder.write(model, to: "tiny.safetensors")
    try folder.write(
      try Model(bytes: model).stripping([.digests]).bytes(), to: "stripped.safetensors")
    try TinyCampus.writePhotos(to: folder)
    let options = [
      "--format", "ONNX", "-o", "out", "--author", "A. Author", "--model-version", "3", "--golden",
      "photos",
    ]
    let asked = ["--photos", "photos"]
    let run = try Tool.run(["export", "tiny.safetensors"] + options + asked, in: folder)
    #expect(run.status == 0, "\(run.stderr)")
    #expect(run.stdout.hasPrefix("out: onnx, ") && !run.stdout.contains("answers differ"))
    let photos = try folder.contents().keys.filter { $0.hasPrefix("out/golden/photo-") }
    #expect(photos.contains("out/golden/photo-1.jpg") && photos.count.isMultiple(of: 2))
    let manifest = String(decoding: try folder.bytes("out/export.json"), as: UTF8.self)
    #expect(manifest.contains(#""author":"A. Author""#))
    #expect(manifest.contains(#""model_version":"3""#))
    #expect(try Tool.run(["verify", "out", "tiny.safetensors"], in: folder).status == 0)
    let stripped = try Tool.run(["export", "stripped.safetensors"] + options + asked, in: folder)
    expectFailure(stripped, 65, "the model has no digests of its training photos")
    #expect(try Tool.run(["export", "tiny.safetensors"] + options, in: folder).status == 64)
  }

  @Test("Unusable photos are reported, and the export is written")
  func damagedPhotos() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "tiny.safetensors")
    try folder.touch("empty/notes.txt")
    expectFailure(
      try Tool.run(
        ["export", "tiny.safetensors", "--format", "c", "-o", "c", "--photos", "empty"], in: folder),
      66, "empty: ")
    try folder.write("no photo", to: "mine/arch/2.jpg")
    let export = [
      "export", "tiny.safetensors", "--format", "onnx", "-o", "out", "--photos", "mine",
    ]
    let none = try Tool.run(export, in: folder)
    #expect(none.status == 1 && !none.stdout.contains("answers differ"))
    #expect(none.stderr.contains("cupola: mine: no usable photos (1 failed)"))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 3), to: "mine/arch/1.jpg")
    let some = try Tool.run(export, in: folder)
    #expect(some.status == 1 && some.stdout.contains("0 of 1 answers differ"))
    #expect(some.messages.count == 1 && some.stderr.hasPrefix("cupola: arch/2.jpg: "))
    #expect(try Tool.run(["verify", "out", "tiny.safetensors"], in: folder).status == 0)
  }

  @Test("An export never overwrites its own model")
  func ownModel() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "tiny.safetensors")
    let first = ["export", "tiny.safetensors", "--format", "safetensors", "-o", "out"]
    #expect(try Tool.run(first, in: folder).status == 0)
    let before = try folder.contents()
    let refused = try Tool.run(
      ["export", "./out/campus.safetensors", "--format", "onnx", "-o", "out"], in: folder)
    #expect(refused.status == 64)
    #expect(refused.stderr.contains("campus.safetensors is in the export folder out, "))
    #expect(try folder.contents() == before)
    try folder.write(try folder.bytes("tiny.safetensors"), to: "out/mine.safetensors")
    let other = try Tool.run(
      ["export", "out/mine.safetensors", "--format", "onnx", "-o", "out"], in: folder)
    #expect(other.status == 0, "\(other.stderr)")
    #expect(try folder.bytes("out/mine.safetensors") == folder.bytes("tiny.safetensors"))
  }

  @Test("Other folders are not overwritten, and errors have exit codes")
  func refusals() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "tiny.safetensors")
    try folder.write("mine", to: "out/diary.txt")
    let run = try Tool.run(
      ["export", "tiny.safetensors", "--format", "onnx", "-o", "out"], in: folder)
    #expect(run.status == 73)
    #expect(run.messages.count == 1)
    let missing = try Tool.run(
      ["export", "none.safetensors", "--format", "onnx", "-o", "new"], in: folder)
    #expect(missing.status == 66)
    let usage = try Tool.run(
      ["export", "tiny.safetensors", "--format", "tarot", "-o", "new"], in: folder)
    #expect(usage.status == 64)
  }
}

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

  @Test("Fewer bits shrink the file, and changed answers are printed")
  func text() throws {
    let output = try train("int8")
    try expectSnapshot(output.stdout.withoutFigures, "train-weights")
    #expect(!(try train("float32").stdout.contains("weights")))
    _ = try train("float16")
    let sizes = try ["float32", "float16", "int8"].map { try folder.bytes($0).count }
    // Four labels with 8100 weights.
    #expect(sizes[0] - sizes[1] > 64_000 && sizes[1] - sizes[2] > 32_000)
  }

  @Test("JSON contains the effect of rounding")
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

  @Test("Models of every weight format classify photos")
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
      let words = weights == "int8" ? "int8, one scale per label" : weights
      #expect(card.stdout.contains("\nweights          \(words)\n"))
      let json = try Tool.run(["model", weights, "--json"], in: folder).json()
      #expect((json as? [String: Any])?["weights"] as? String == weights)
    }
  }

  @Test("With one session per label the effect is unknown")
  func oneSession() throws {
    for kind in [TinyCampus.Kind.arch, .barn] {
      try folder.write(try TinyCampus.jpeg(kind, seed: 1), to: "few/\(kind.label)/1.jpg")
    }
    let output = try Tool.run(
      ["train", "few", "-o", "m", "--weights", "int8", "--features", "hog", "-q"], in: folder)
    expectSuccess(output)
    #expect(
      output.stdout.contains(
        "weights int8: effect on answers unknown, because no label has two sessions"))
  }

  @Test("A model with contradictory weights is rejected")
  func contradiction() throws {
    _ = try train("int8")
    var file = try SafeTensors(bytes: try folder.bytes("int8"))
    file.metadata["weights"] = "float16"
    try folder.write(try ModelSeal.bytes(of: file), to: "bad")
    let output = try Tool.run(["classify", "bad", "photos/arch/1.jpg"], in: folder)
    expectFailure(output, 65, "bad: ", "tensor classifier.weight is I8 [4, 8100], expected F16")
    file.metadata["weights"] = "int4"
    try folder.write(try ModelSeal.bytes(of: file), to: "bad")
    expectFailure(
      try Tool.run(["model", "bad"], in: folder), 65, "bad: ", "unsupported version: weights int4")
  }
}

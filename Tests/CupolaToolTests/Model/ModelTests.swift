import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTool

@Suite("cupola model and invalid models")
struct ModelTests {
  private let folder: TemporaryFolder
  private let model: [UInt8]

  init() async throws {
    folder = try TemporaryFolder()
    model = try await TinyCampus.model()
    try folder.write(model, to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 90), to: "arch.jpg")
  }

  @Test("Prints the model card")
  func text() throws {
    let output = try Tool.run(["model", "m.safetensors"], in: folder)
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    let text = output.stdout.withoutFigures.replacing(/(kernel +).*/) { "\($0.1)KERNEL" }
      .replacing(/cupola N\.\d+|cupola \d+\.\d+\.\d+/, with: "cupola VERSION")
    try expectSnapshot(text, "model")
  }

  @Test("Text fits a terminal of 80 columns")
  func narrow() throws {
    let output = try Tool.run(
      ["model", Repository.root.appending(path: "Models/sample-campus.safetensors").path],
      in: folder, environment: ["COLUMNS": "80"])
    expectSuccess(output)
    let lines = output.stdout.split(separator: "\n")
    // Digests are not wrapped.
    #expect(lines.allSatisfy { $0.count <= 80 || $0.contains(/[0-9a-f]{64}|\.safetensors/) })
    #expect(lines.contains { $0.hasPrefix(String(repeating: " ", count: 17)) })
    #expect(lines.allSatisfy { $0.last != " " })
    #expect(lines.contains { $0.contains(/^sha256 +[0-9a-f]{64}$/) })
  }

  @Test("Weights of positions are shown only if the model uses positions")
  func place() throws {
    var contents = try Model(bytes: model)
    func text() -> String { ModelCard(contents, path: "m", bytes: model).text }
    #expect(text().contains("\nplace "))
    contents.campus = nil
    #expect(!text().contains("\nplace "))
  }

  @Test("Prints the model card as JSON")
  func json() throws {
    let output = try Tool.run(["model", "m.safetensors", "--json"], in: folder)
    expectSuccess(output)
    let card = try #require(try output.json() as? [String: Any])
    #expect(card["schema"] as? String == "cupola.model/1")
    #expect(card["labels"] as? [String] == ["_street", "arch", "barn", "cone"])
    #expect(card["bytes"] as? Int == model.count)
    #expect(card["catalogue_buildings"] as? Int == 3)
    #expect(card["fence_polygons"] as? Int == 1)
    let place = try #require(card["place"] as? [String: Double])
    #expect(place == ["position_weight": 0.5, "heading_weight": 0.5, "viewpoints": 0])
    #expect(Set(["recipe", "calibration", "provenance", "sha256"]).isSubset(of: card.keys))
  }

  @Test("A model of an older version is reported and can be renewed")
  func renew() throws {
    var file = try SafeTensors(bytes: model)
    file.metadata["file_sha256"] = nil
    file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
    try folder.write(try file.bytes(), to: "old")
    let shown = try Tool.run(["model", "old"], in: folder)
    expectSuccess(shown)
    #expect(shown.stdout.contains("\ndigest           covers tensors only"))
    expectSuccess(try Tool.run(["model", "old", "-o", "new"], in: folder))
    #expect(try folder.bytes("new") == model)
    let json = try Tool.run(["model", "old", "--json"], in: folder).json()
    #expect((json as? [String: Any])?["whole_digest"] as? Bool == false)
    expectSuccess(try Tool.run(["classify", "old", "arch.jpg"], in: folder))
    #expect(try Tool.run(["classify", "old", "arch.jpg"], in: folder).stderr.isEmpty)
    let export = try Tool.run(["export", "old", "--format", "onnx", "-o", "onnx"], in: folder)
    expectSuccess(export)
    #expect(export.messages.count == 1 && export.stderr.contains("cupola model old -o"))
  }

  @Test("Swapped labels are detected")
  func swapped() throws {
    var file = try SafeTensors(bytes: model)
    let labels = try #require(file.metadata["labels"])
    file.metadata["labels"] = labels.replacing(#""arch","barn""#, with: #""barn","arch""#)
    #expect(file.metadata["labels"] != labels)
    try folder.write(try file.bytes(), to: "bad")
    try expectRefused(65, "do not match the SHA-256")
  }

  @Test("Prints the promise for every kind of calibration")
  func promises() throws {
    func lines() throws -> [Substring] {
      let output = try Tool.run(
        ["model", "m.safetensors"], in: folder, environment: ["COLUMNS": "400"])
      expectSuccess(output)
      return output.stdout.split(separator: "\n")
    }
    let none = try lines()
    #expect(
      none.contains {
        $0.hasPrefix("guarantee        An error rate for names cannot be guaranteed")
      })
    #expect(none.contains { $0.hasPrefix("lighting         Capture dates are missing") })
    try TinyCampus.calibrate("m.safetensors", in: folder, wrongNames: (photos: 19, scores: []))
    let any = try lines()
    #expect(any.contains { $0.hasPrefix("guarantee") && $0.contains("At most 5.0% of the photos") })
    #expect(any.contains("name threshold   none"))
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["calibration"] = #"{"temperature":1}"#
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    #expect(try lines().contains("name threshold   none"))
    try TinyCampus.calibrate("m.safetensors", in: folder, wrongNames: (photos: 19, scores: [0.625]))
    #expect(
      try lines().contains(
        "name threshold   62.5% of the probability of all buildings together, which can be more than the shown percentage"
      ))
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, to: "sure", wrongNames: (photos: 19, scores: [1]))
    let sure = try Tool.run(["model", "sure"], in: folder, environment: ["COLUMNS": "400"]).stdout
    #expect(sure.contains("\nguarantee        No photo received a name: held-out photos got"))
    #expect(
      sure.contains("\nname threshold   unreachable, so no photo gets a name"))
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, to: "near", wrongNames: (photos: 19, scores: [0.99996]))
    let near = try Tool.run(["model", "near"], in: folder, environment: ["COLUMNS": "400"]).stdout
    #expect(near.contains("\nname threshold   99.996% of the probability of all"))
    let json = try Tool.run(["model", "m.safetensors", "--json"], in: folder).json()
    let card = try #require(json as? [String: Any])
    let calibration = try #require(card["calibration"] as? [String: Any])
    #expect(calibration.keys.sorted() == ["not_buildings", "temperature", "wrong_names"])
    let curve = try #require(calibration["wrong_names"] as? [String: Any])
    #expect(curve["photos"] as? Int == 19 && curve["scores"] as? [Double] == [0.625])
  }

  @Test("--strip removes traces of photos and keeps the answers")
  func strip() throws {
    let before = try Model(bytes: model)
    #expect(before.count(of: .hashes) > 0 && before.count(of: .digests) > 0)
    let output = try Tool.run(
      ["model", "m.safetensors", "--strip", "hashes,digests,viewpoints", "-o", "bare"], in: folder)
    expectSuccess(output)
    #expect(output.stdout.contains("without hashes (\(before.count(of: .hashes)))"))
    let bare = try Model(bytes: try folder.bytes("bare"))
    for trace in TrainingTrace.allCases { #expect(bare.count(of: trace) == 0) }
    #expect(bare.stripping([]) == before.stripping(Set(TrainingTrace.allCases)))
    #expect(try folder.bytes("m.safetensors") == model)
    let answers = try ["m.safetensors", "bare"].map {
      try Tool.run(["classify", $0, "arch.jpg"], in: folder).stdout
    }
    #expect(answers[0] == answers[1])
    let text = try Tool.run(["model", "bare"], in: folder).stdout
    #expect(text.contains("0 hashes, 0 digests, 0 viewpoints of training photos"))
    expectFailure(
      try Tool.run(["train", ".", "--update", "bare", "-o", "new"], in: folder), 65, "bare: ",
      "does not list its training photos")
  }

  @Test("Traces of drawn photos are counted separately")
  func drawnTraces() throws {
    // As if the four street photos were drawn ones.
    var file = try SafeTensors(bytes: model)
    file.metadata = file.metadata.mapValues { $0.replacing("\"_street\"", with: "\"_drawn\"") }
    try folder.write(try ModelSeal.bytes(of: file), to: "drawn")
    let text = try Tool.run(
      ["model", "drawn"], in: folder, environment: ["COLUMNS": "400"]
    ).stdout
    #expect(text.contains("24 hashes, 12 digests, 0 viewpoints of training photos; "))
    #expect(text.contains("; 8 hashes, 4 digests of Cupola's rendered images (_drawn)"))
    #expect(text.contains("rendered objects (4)"))
    let json = try Tool.run(["model", "drawn", "--json"], in: folder).json()
    let card = try #require(json as? [String: Any])
    #expect(card["traces"] as? [String: Int] == ["hashes": 24, "digests": 12, "viewpoints": 0])
    #expect(card["drawn_traces"] as? [String: Int] == ["hashes": 8, "digests": 4, "viewpoints": 0])
  }

  @Test("-o writes a current model unchanged")
  func rewrittenModel() throws {
    let output = try Tool.run(["model", "m.safetensors", "-o", "new"], in: folder)
    expectSuccess(output)
    #expect(output.stdout == "new: \(model.count) bytes\n")
    #expect(try folder.bytes("new") == model)
  }

  @Test("--strip needs known traces and an output")
  func stripUsage() throws {
    for arguments in [
      ["--strip", "faces", "-o", "bare"], ["--strip", "hashes"],
      ["--strip", "hashes,", "-o", "bare"],
    ] {
      let output = try Tool.run(["model", "m.safetensors"] + arguments, in: folder)
      #expect(output.status == 64)
      #expect(!FileManager.default.fileExists(atPath: folder.path("bare")))
    }
  }

  @Test("An invalid error curve is reported")
  func badCurve() throws {
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, to: "bad", wrongNames: (photos: 19, scores: [0.1, 0.2]))
    try expectRefused(65, "error curve wrong_names is not sorted")
  }

  /// Expects that every command rejects the model in the same way.
  private func expectRefused(_ status: Int32, _ words: String) throws {
    for arguments in [
      ["model", "bad"], ["classify", "bad", "arch.jpg"], ["evaluate", "bad", "."],
    ] {
      let output = try Tool.run(arguments, in: folder)
      expectFailure(output, status, "bad: ", words)
      #expect(output.stdout.isEmpty)
    }
  }

  @Test("A missing model exits with 66")
  func missing() throws { try expectRefused(66, "No such file") }

  @Test("A huge sparse file is rejected before memory is allocated")
  func huge() throws {
    try folder.write([], to: "bad")
    let status = unsafe truncate(folder.path("bad"), 8 << 40)
    try #require(status == 0)
    let words = "8796093022208 bytes exceeds the limit of 2048 MB"
    try expectRefused(65, words)
    for arguments in [
      ["export", "bad", "--format", "onnx", "-o", "onnx"], ["verify", ".", "bad"],
      ["classify", "m.safetensors", "--list", "bad"],
    ] {
      expectFailure(try Tool.run(arguments, in: folder), 65, "bad: ", words)
    }
  }

  @Test("A folder in place of a model exits with 66")
  func folderAsModel() throws {
    try folder.write("", to: "bad/inside.txt")
    try expectRefused(66, "Is a directory")
  }

  @Test("A truncated model is reported")
  func cut() throws {
    try folder.write(Array(model.prefix(model.count / 2)), to: "bad")
    try expectRefused(65, "of tensor data instead of")
  }

  @Test("A model truncated in its header is reported")
  func cutHeader() throws {
    try folder.write(Array(model.prefix(200)), to: "bad")
    try expectRefused(65, "the file is truncated or not a model")
  }

  @Test("Files that are not models are reported", arguments: ["", "some text", "{\"a\": 1}"])
  func noModel(text: String) throws {
    try folder.write(text, to: "bad")
    try expectRefused(65, "not a safetensors file")
  }

  @Test("A photo in place of a model is reported")
  func photoAsModel() throws {
    try folder.write(try folder.bytes("arch.jpg"), to: "bad")
    try expectRefused(65, "not a safetensors file")
  }

  @Test("A changed weight is detected")
  func changed() throws {
    var bytes = model
    bytes[bytes.count - 100] ^= 1
    try folder.write(bytes, to: "bad")
    try expectRefused(65, "SHA-256")
  }

  @Test("A model of a later version or another kind is reported")
  func future() throws {
    var file = try SafeTensors(bytes: model)
    file.metadata["format_version"] = "2"
    try folder.write(try ModelSeal.bytes(of: file), to: "bad")
    try expectRefused(65, "unsupported version: 2; update cupola")
    file.metadata["format"] = "other.model"
    try folder.write(try ModelSeal.bytes(of: file), to: "bad")
    try expectRefused(65, "format other.model instead of cupola.model")
  }

  @Test(
    "An invalid recipe is reported and never crashes",
    arguments: [
      ("\"inputSide\":256", "\"inputSide\":257", "input side of 257"),
      ("\"inputSide\":256", "\"inputSide\":0", "input side of 0"),
      ("\"inputSide\":256", "\"inputSide\":-256", "input side of -256"),
      ("\"inputSide\":256", "\"inputSide\":4611686018427387904", "input side of 46116860184"),
      ("\"geometry\":\"squash\"", "\"geometry\":\(window(90, 0, 90, 90))", "outside the photo"),
      ("\"geometry\":\"squash\"", "\"geometry\":\(window(-9, 0, 90, 90))", "outside the photo"),
      ("\"geometry\":\"squash\"", "\"geometry\":\(window(0, 0, 90, 0))", "outside the photo"),
      ("\"geometry\":\"squash\"", "\"geometry\":\"stretch\"", "invalid metadata entry recipe"),
      ("\"cellSize\":8", "\"cellSize\":0", "cells of 0 pixels"),
      ("\"cellSize\":8", "\"cellSize\":-8", "cells of -8 pixels"),
      ("\"blockSize\":2", "\"blockSize\":0", "blocks of 0 cells"),
      ("\"orientations\":9", "\"orientations\":4611686018427387904", "orientations"),
      ("\"clip\":0.2", "\"clip\":-1", "not positive"),
      ("\"version\":1", "\"version\":2", "unsupported version: recipe 2"),
    ])
  func badRecipe(text: String, other: String, words: String) throws {
    var file = try SafeTensors(bytes: model)
    let recipe = try #require(file.metadata["recipe"])
    #expect(recipe.contains(text))
    file.metadata["recipe"] = recipe.replacing(text, with: other)
    try folder.write(try ModelSeal.bytes(of: file), to: "bad")
    try expectRefused(65, words)
  }

  private static func window(_ left: Int, _ top: Int, _ width: Int, _ height: Int) -> String {
    """
    {"window":{"left":\(left),"top":\(top),"width":\(width),"height":\(height)}}
    """
  }
}

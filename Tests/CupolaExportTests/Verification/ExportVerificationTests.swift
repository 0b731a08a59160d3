import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

@Suite("Verification of exports") struct ExportVerificationTests {
  private struct Place {
    let folder: TemporaryFolder
    let source: [UInt8]
    var path: String { folder.path + "/out" }

    init(
      _ format: ExportFormat, _ model: Model = SampleModels.hog(), _ weights: WeightFormat? = nil
    )
      throws
    {
      folder = try TemporaryFolder()
      source = try model.bytes()
      let export = try ModelExport(source: source, format: format, weights: weights)
      try ExportFolder(path: path).write(export)
    }

    func faults() throws -> [String] {
      try ExportVerification(folder: path, source: source).faults
    }

    /// Changes a file, and the manifest with it, so that only what the file says can tell.
    func replace(_ name: String, with bytes: [UInt8]) throws {
      try folder.write(bytes, to: "out/" + name)
      let manifest = path + "/export.json"
      var value = try #require(
        try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: manifest)))
          as? [String: Any])
      var files = try #require(value["files"] as? [String: Any])
      let entry = ExportManifest.Entry(bytes)
      files[name] = ["bytes": entry.bytes, "sha256": entry.sha256]
      value["files"] = files
      try folder.write(
        Array(try JSONSerialization.data(withJSONObject: value)), to: "out/export.json")
    }
  }

  @Test("sound exports pass", arguments: ExportFormat.allCases)
  func sound(format: ExportFormat) throws {
    for model in [SampleModels.hog(labels: ModelExportTests.labels), SampleModels.fisher()] {
      for weights in format.weightFormats {
        let place = try Place(format, model, weights)
        let verification = try ExportVerification(folder: place.path, source: place.source)
        #expect(verification.faults == [])
        #expect(verification.passed.count >= 5)
      }
    }
  }

  @Test("a changed, missing, longer or foreign file is told")
  func files() throws {
    let place = try Place(.onnx)
    try place.folder.write("other", to: "out/golden/1.png")
    try place.folder.touch("out/stranger.txt")
    #expect(
      try place.faults() == [
        "golden/1.png was changed after the export; export again",
        "stranger.txt does not belong there; remove it",
        "golden/1.png is not what the model answers; export again",
      ])
    let other = try Place(.onnx)
    try FileManager.default.removeItem(atPath: other.path + "/golden/2.png")
    let bytes = [UInt8](repeating: 0, count: 1 << 20)
    try other.folder.write(bytes, to: "out/README.md")
    let faults = try other.faults()
    #expect(faults.contains("README.md is larger than it was; export again"))
    #expect(faults.contains { $0.contains("2.png") })
  }

  @Test("another model, or other weights, is told")
  func otherModel() throws {
    let place = try Place(.onnx)
    var other = SampleModels.hog()
    other.classifier = LinearClassifier(
      weights: other.classifier.weights, biases: other.classifier.biases.map { $0 + 0.5 })
    let faults = try ExportVerification(folder: place.path, source: try other.bytes()).faults
    #expect(faults.contains { $0.contains("model_sha256") })
    #expect(faults.contains { $0.contains("it is not this model") })
  }

  @Test("damages of the model itself are told, whatever the manifest says")
  func damages() throws {
    let place = try Place(.onnx)
    let bytes = try FileAccess.read(place.path + "/campus.onnx")
    var flipped = bytes
    flipped[bytes.count / 2] ^= 0x40
    let graph = try ONNXModel(bytes: bytes)
    var relabelled = graph
    relabelled.graph = Graph(
      nodes: graph.graph.nodes,
      labels: [graph.graph.labels[0]] + graph.graph.labels[1...].reversed(),
      layout: .channelsFirst)
    var permissive = graph
    permissive.notes["decision"] = "{\"least_odds\":-9}"
    let damaged: [[UInt8]] = [
      flipped, Array(bytes.prefix(bytes.count / 2)), bytes + [0], [], relabelled.bytes(),
      permissive.bytes(),
    ]
    for (index, bytes) in damaged.enumerated() {
      try place.replace("campus.onnx", with: bytes)
      #expect(try !place.faults().isEmpty, "damage \(index)")
    }
    try place.replace("campus.onnx", with: bytes)
    #expect(try place.faults() == [])
  }

  @Test("no manifest, and a foreign one, are told")
  func manifest() throws {
    let place = try Place(.onnx)
    try place.folder.write("{}", to: "out/export.json")
    #expect(try place.faults() == ["export.json is none of this version; export again"])
    #expect(throws: CupolaError.self) {
      try ExportVerification(folder: place.folder.path, source: place.source)
    }
  }
}

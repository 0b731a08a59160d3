import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaExport

@Suite("Core ML exports of models") struct CoreMLExportTests {
  /// The package of an export, read back.
  static func package(_ export: ModelExport) throws -> CoreMLPackage {
    let prefix = CoreMLPackage.folder + "/"
    #expect(export.modelFiles.allSatisfy { $0.path.hasPrefix(prefix) })
    let files = export.modelFiles.map { (String($0.path.dropFirst(prefix.count)), $0.bytes) }
    return try CoreMLPackage(files: Dictionary(uniqueKeysWithValues: files))
  }

  @Test(
    "What a package computes is what the recogniser answers",
    arguments: [
      WeightFormat.float32, .float16,
    ])
  func parity(weights: WeightFormat) throws {
    for model in [SampleModels.hog(), SampleModels.fisher()] {
      let export = try ModelExport(
        source: try model.bytes(), format: .coreml, weights: weights)
      let package = try Self.package(export)
      #expect(package.graph.labels == [Graph.notACampusBuilding, "hall", "tower"])
      let interpreter = GraphInterpreter(package.graph)
      for square in SampleSquares.allCases {
        let image = square.image(side: model.recipe.inputSide)
        let expected = try GoldenPictures.answer(export.model, image)
        let found = interpreter.probabilities(of: image)
        let difference = zip(expected, found).map { abs($0 - Double($1)) }.max() ?? 1
        #expect(difference <= 1e-4, "\(square)")
      }
    }
  }

  @Test("The metadata hold what apps need, and nothing of the weights' format is lost")
  func metadata() throws {
    let model = SampleModels.fisher()
    let export = try ModelExport(source: try model.bytes(), format: .coreml, weights: .float16)
    let package = try Self.package(export)
    let texts = package.metadata.userDefined
    #expect(texts["labels"] == #"["not_a_campus_building","hall","tower"]"#)
    #expect(texts["decision"]?.contains("least_share") == true)
    #expect(texts["input"]?.contains("squash") == true)
    #expect(texts["weights"] == "float16")
    #expect(package.metadata.version.count == 12)
    let halves = package.graph.nodes.filter { node in
      if case .constant(_, .float16) = node.operation { true } else { false }
    }
    #expect(!halves.isEmpty)
  }

  @Test("Int8 is refused before anything is written")
  func int8() throws {
    let source = try SampleModels.hog().bytes()
    #expect(throws: ExportError.weights(.int8, [.float32, .float16])) {
      try ModelExport(source: source, format: .coreml, weights: .int8)
    }
  }

  @Test("A package is read from its folder; what does not belong there is told")
  func folder() throws {
    let folder = try TemporaryFolder()
    let package = CoreMLPackageTests.package()
    for (path, bytes) in try package.files() { try folder.write(bytes, to: "A.mlpackage/" + path) }
    let root = folder.path + "/A.mlpackage"
    try folder.touch("A.mlpackage/.DS_Store")
    #expect(try CoreMLPackage(path: root) == CoreMLPackage(files: package.files()))
    try folder.touch("A.mlpackage/Data/more.bin")
    #expect(throws: CoreMLFault.unknownFile("Data/more.bin")) { try CoreMLPackage(path: root) }
    #expect(throws: CupolaError.self) { try CoreMLPackage(path: root + "/nowhere") }
  }

  @Test("The guide names the class, the crop option and the label of nothing")
  func guide() {
    let text = CoreMLGuide.text(name: "Campus", geometry: .squash)
    for part in [
      "try Campus(configuration:", "imageCropAndScaleOption = .scaleFill",
      #"let none = "not_a_campus_building""#, "orientation: CGImagePropertyOrientation",
      "struct CampusMap", "import Vision",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(!text.contains(#"\("#))
    #expect(
      CoreMLGuide.text(name: "Campus", geometry: .centreCrop).contains(
        "imageCropAndScaleOption = .centerCrop"))
  }
}

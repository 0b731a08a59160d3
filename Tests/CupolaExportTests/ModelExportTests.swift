import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

@Suite("Model exports") struct ModelExportTests {
  static let labels = [
    "hall / annex", "_street", "tower 🗼", "مكتبة", "קמפוס", String(repeating: "long ", count: 40),
  ]

  @Test("Include the model, a guide, pictures and a manifest", arguments: ExportFormat.allCases)
  func files(format: ExportFormat) throws {
    let export = try SampleExports.export(format, of: SampleModels.hog(labels: Self.labels))
    let paths = Set(export.files.map(\.path))
    #expect(
      paths.isSuperset(of: [
        "README.md", "golden/1.png", "golden/2.png", "golden/3.png", "golden/4.png",
        "golden/expected.json", "export.json",
      ]))
    #expect(!paths.contains("campus.geojson"))
    #expect(export.modelFiles.allSatisfy { paths.contains($0.path) })
  }

  @Test("Include place data if the model has it", arguments: ExportFormat.allCases)
  func places(format: ExportFormat) throws {
    for entry in try GuideTable.entries() {
      let export = try SampleExports.export(format, of: entry.model)
      let file = export.files.first { $0.path == "place.json" }
      let manifest = try #require(export.files.last.flatMap { ExportManifest(bytes: $0.bytes) })
      guard let place = entry.sheet.place else {
        #expect(file == nil && manifest.files["place.json"] == nil)
        continue
      }
      let bytes = try #require(file).bytes
      #expect(manifest.files["place.json"] == ExportManifest.Entry(bytes))
      let table = try #require(
        JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      let constants = try #require(table["constants"] as? [String: Double])
      #expect(constants["position_weight"] == place.positionWeight && constants.count == 34)
      let buildings = try #require(table["buildings"] as? [[String: Any]])
      let labels = entry.sheet.labels.filter { !$0.hasPrefix("_") }
      #expect(buildings.prefix(labels.count).map { $0["label"] as? String } == labels)
      #expect(buildings.map { $0["trained"] as? Bool }.count { $0 == true } == labels.count)
    }
  }

  @Test(
    "Include a building at a pole",
    arguments: [-90, 90, 89.9999999])
  func poles(latitude: Double) throws {
    let map = """
      {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"role":"boundary"},"geometry":{"type":"Polygon",
          "coordinates":[[[0,80],[90,82],[180,80],[-90,81],[0,80]]]}},
        {"type":"Feature","properties":{"role":"building","label":"station","name":"Station"},
          "geometry":{"type":"Point","coordinates":[0,\(latitude)]}}]}
      """
    var model = SampleModels.hog()
    model.campus = try Campus(geoJSON: Array(map.utf8))
    model.place = PlaceModel()
    let export = try ModelExport(source: try model.bytes(), format: .c)
    #expect(export.files.contains { $0.path == "place.json" })
    let place = try #require(ExportPlace(model))
    let corners = place.table.buildings.flatMap { $0.rings.flatMap(\.self) }
    #expect(corners.count == 9)
    #expect(corners.allSatisfy { abs($0.x) <= 180 && abs($0.y - latitude) < 0.001 })
  }

  @Test("Include tensor code only for linear classifiers")
  func codeOfTensors() throws {
    for (model, isLinear) in [(SampleModels.hog(), true), (SampleModels.retrieval(), false)] {
      let notes = ExportNotes(model, source: [1])
      let files = try ExportGuide(model: model, format: .safetensors, notes: notes).files()
      #expect(files.contains { $0.path == "tensors.py" } == isLinear)
      let text = String(decoding: try #require(files.last).bytes, as: UTF8.self)
      #expect(text.contains("tensors.py") == isLinear)
    }
  }

  @Test(
    "Reject reserved labels",
    arguments: ExportFormat.allCases)
  func reservedLabels(format: ExportFormat) throws {
    for label in [Graph.notACampusBuilding, Graph.unknownBuilding] {
      let source = try SampleModels.hog(labels: [label, "library"]).bytes()
      #expect(throws: ExportError.reservedLabel(label)) {
        try ModelExport(source: source, format: format)
      }
    }
  }

  @Test("Write an infinite share as a finite number")
  func greatestShare() throws {
    var model = SampleModels.hog()
    let curve = #"{"photos":5,"scores":[1.7976931348623157e308]}"#
    model.calibration.wrongNames = try JSONDecoder().decode(
      ErrorCurve.self, from: Data(curve.utf8))
    #expect(Thresholds(model.calibration).leastShare == .infinity)
    let notes = ExportNotes(model, source: [1])
    #expect(notes.texts["decision"]?.contains("1.7976931348623157e+308") == true)
  }

  private func readme(_ model: Model) throws -> String {
    let notes = ExportNotes(model, source: [1])
    let guide = try ExportGuide(model: model, format: .onnx, notes: notes).files().last
    return String(decoding: try #require(guide).bytes, as: UTF8.self)
  }

  @Test("The guide states a threshold only if it can be reached")
  func thresholdInGuide() throws {
    let curves = [
      (nil, "3. Otherwise, the answer is the building with the probability `best`."),
      (
        #"{"photos":5,"scores":[0.94492]}"#,
        "3. Let `share = best / (1 - none)`. If it is at least 0.9449, the answer is"
      ),
      (
        #"{"photos":5,"scores":[1.7976931348623157e308]}"#,
        #"3. Otherwise, the answer is also "Not a Campus Building""#
      ),
    ]
    for (curve, words) in curves {
      var model = SampleModels.hog()
      model.calibration.wrongNames = try curve.map {
        try JSONDecoder().decode(ErrorCurve.self, from: Data($0.utf8))
      }
      let text = try readme(model)
      #expect(text.contains(words) && text.components(separatedBy: "\n3. ").count == 2)
      #expect(text.contains("contains the exact thresholds") == words.contains("share"))
    }
  }

  @Test("The guide states which probability `cupola classify` displays")
  func probabilityInGuide() throws {
    let (known, unknown) = (try readme(SampleModels.hog()), try readme(SampleModels.detecting()))
    #expect(known.contains("display the probability `best`, as"))
    #expect(unknown.contains("`none` is `p[0] + unknown`"))
    #expect(unknown.contains("display the probability `best / (1 - unknown)`, as"))
  }

  @Test("Pictures are PNG files with the recognizer's answers")
  func golden() throws {
    let model = SampleModels.fisher()
    let golden = try GoldenPictures(model)
    let files = golden.files(labels: model.exportLabels, format: .onnx, weights: .float32)
    #expect(files.count == 5)
    for (file, picture) in zip(files, golden.pictures) {
      #expect(Set([picture.image.width, picture.image.height]) == [300, 400])
      #expect(file.bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
      #expect(abs(picture.probabilities.reduce(0, +) - 1) < 1e-6)
    }
    // Two pixels, red and blue.
    let tiny = PNG.bytes(of: RGBImage(width: 2, height: 1, pixels: [255, 0, 0, 0, 0, 255]))
    #expect(Data(tiny).base64EncodedString() == Self.tinyPNG)
  }

  /// Checksums from Python's zlib.
  private static let tinyPNG =
    "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAEklEQVR4AQEHAPj/AP8AAAAA/wcAAf9VNrrHAAAAAElFTkSuQmCC"

  @Test("Replaces older exports, but no other folders")
  func replacing() throws {
    let folder = try TemporaryFolder()
    let export = try SampleExports.export(.onnx)
    try folder.write("mine", to: "holiday/diary.txt")
    #expect(throws: ExportError.inTheWay(path: folder.path + "/holiday")) {
      try ExportFolder(path: folder.path + "/holiday").write(export)
    }
    #expect(FileManager.default.fileExists(atPath: folder.path + "/holiday/diary.txt"))
    let target = folder.path + "/out"
    try ExportFolder(path: target).write(export)
    // Unrelated files stay; files of the earlier export do not.
    try folder.write("mine", to: "out/notes/left.txt")
    try folder.touch("out/.gitignore", "out/campus.onnx")
    try ExportFolder(path: target + "/").write(export)
    let names = try FileManager.default.contentsOfDirectory(atPath: target).sorted()
    #expect(
      names == [
        ".gitignore", "README.md", "campus.onnx", "check.js", "check.py", "export.json", "golden",
        "index.html", "notes", "package.json", "place.js", "place.py", "recognize.py",
        "recognizer.js", "requirements.txt",
      ])
    #expect(try folder.bytes("out/notes/left.txt") == Array("mine".utf8))
    #expect(try !folder.bytes("out/campus.onnx").isEmpty)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
    let lite = try SampleExports.export(.tflite)
    try folder.write("mine", to: "out/campus.tflite")
    #expect(throws: ExportError.inTheWay(path: target + "/campus.tflite")) {
      try ExportFolder(path: target).write(lite)
    }
    #expect(try folder.bytes("out/campus.tflite") == Array("mine".utf8))
  }

  @Test("Rejects a missing parent folder early")
  func missingFolder() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/no/out"
    #expect(throws: ExportError.file(.noFolder(path: path, folder: folder.path + "/no"))) {
      try ExportFolder(path: path).check()
    }
  }
}

/// Exported model files are identical to files that their runtimes accepted.
///
/// Update a digest only after `Scripts/verify exports` has passed.
@Suite("Export digests") struct EmittedBytesTests {
  /// Digests of float32, float16 and, except for Core ML, int8.
  static let digests: [String: [String]] = [
    "hog onnx": ["517ca7d38ffd29ca", "56c6a36000047df4", "042bd9f2d52e456f"],
    "fisher onnx": ["77d6a21e0317e1ef", "6ccbb6a772eca771", "32cd7fb17bb80d0d"],
    "hog coreml": ["e5079f5bcb96aba8", "c8d00f3b61c4fb6a"],
    "fisher coreml": ["22704e38add4e643", "b611a5218d2c2a7f"],
    "hog tflite": ["474614af1bf7102d", "b3a6ef946d7340c1", "3b8f620d53abd1a4"],
    "fisher tflite": ["636102b2a53c51a0", "ac7556aefd913d56", "a1cc3920cb8651c1"],
    "hog c": ["785c426973a3d959", "8b62f1c233e4731d", "94b9c610d238f13f"],
    "fisher c": ["56de89489651c170", "11e3138e2c050b0c", "5c865a665e71aa93"],
  ]

  /// Not for safetensors, which has no external runtime, and web, which compiles the C code.
  @Test(
    "Agree with the recorded digests",
    arguments: ["hog", "fisher"], ExportFormat.allCases.filter { $0 != .safetensors && $0 != .web })
  func recorded(kind: String, format: ExportFormat) throws {
    let model = kind == "hog" ? SampleModels.hog() : SampleModels.fisher()
    let notes = ExportNotes(model, source: [1])
    let found = try format.weightFormats.map { weights in
      let files = try format.files(of: model.rounded(to: weights), notes: notes)
      return String(ExportManifest.Entry(files.flatMap(\.bytes)).sha256.prefix(16))
    }
    #expect(found == Self.digests["\(kind) \(format.rawValue)"])
  }
}

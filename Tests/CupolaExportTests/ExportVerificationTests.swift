import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaExport

@Suite("Export verification") struct ExportVerificationTests {
  /// An export in its own folder, and its model file.
  private struct Place {
    let folder: TemporaryFolder
    let source: [UInt8]
    var path: String { folder.path + "/out" }

    init(
      _ format: ExportFormat, _ model: Model = SampleModels.hog(), _ weights: WeightFormat? = nil
    ) throws {
      folder = try TemporaryFolder()
      source = try model.bytes()
      try ExportFolder(path: path).write(
        try SampleExports.export(format, of: model, weights: weights))
    }

    func bytes(_ name: String) throws -> [UInt8] { try FileAccess.read(path + "/" + name) }

    func text(_ name: String) throws -> String { String(decoding: try bytes(name), as: UTF8.self) }

    func faults(_ source: [UInt8]? = nil) throws -> [String] {
      try ExportVerification(folder: path, source: source).faults
    }

    /// Changes a file and the manifest, so that only the model shows the difference.
    func replace(_ name: String, with bytes: [UInt8]) throws {
      let old = ExportManifest.Entry(try self.bytes(name)).sha256
      let new = ExportManifest.Entry(bytes)
      var manifest = try #require(ExportManifest(bytes: try self.bytes("export.json")))
      #expect(manifest.files[name]?.sha256 == old)
      manifest.files[name] = new
      try folder.write(bytes, to: "out/" + name)
      try folder.write(manifest.file.bytes, to: "out/export.json")
    }

    /// Replaces a text in a file, but not in the manifest.
    func edit(_ name: String, _ text: String, _ other: String) throws {
      let edited = try self.text(name).replacing(text, with: other)
      #expect(try edited != self.text(name))
      try folder.write(Array(edited.utf8), to: "out/" + name)
    }
  }

  /// The model, code, README.md, four photos, and their answers.
  private static let fileCounts: [ExportFormat: Int] = [
    .safetensors: 8, .onnx: 16, .coreml: 15, .tflite: 13, .c: 12, .web: 13,
  ]

  private static let compiled =
    ", except for the bytes of campus.wasm, which depend on the compiler (its source code is identical)"

  @Test("Accepts unchanged exports", arguments: ExportFormat.allCases)
  func sound(format: ExportFormat) throws {
    for (model, formats) in [
      (SampleModels.hog(labels: ModelExportTests.labels), format.weightFormats),
      (SampleModels.fisher(), [.float32]), (SampleModels.detecting(), [.float32]),
    ] {
      for weights in formats {
        let place = try Place(format, model, weights)
        let files = Self.fileCounts[format] ?? 0
        let whole = "\(files) files are unchanged, and there are no other files"
        let own = try ExportVerification(folder: place.path)
        #expect(own.faults == [] && own.passed == [whole])
        let verification = try ExportVerification(folder: place.path, source: place.source)
        #expect(verification.faults == [])
        #expect(
          verification.passed == [
            whole,
            "\(format.rawValue) with \(weights.rawValue) weights, identical to the export that Cupola "
              + "\(cupolaVersion) makes from this model" + (format == .web ? Self.compiled : ""),
          ])
      }
    }
  }

  @Test("An error rate sets the thresholds of an export, which is verified with them")
  func maximumError() throws {
    var model = SampleModels.hog()
    model.calibration.wrongNames = ErrorCurve(photos: 19, wrong: [0.9, 0.7])
    model.calibration.notBuildings = ErrorCurve(photos: 19, wrong: [2, 1])
    let source = try model.bytes()
    for (error, share) in [(nil, 0.9), (0.1, 0.7)] {
      let options = ExportOptions(maximumError: error)
      let export = try ModelExport(source: source, format: .c, options: options)
      let folder = try TemporaryFolder()
      try ExportFolder(path: folder.path + "/out").write(export)
      let point = Thresholds(model.calibration, maximumError: error)
      #expect(point.leastShare == share.nextUp && (point.leastOdds > 0) == (error != nil))
      func text(_ name: String) throws -> String {
        String(decoding: try FileAccess.read(folder.path + "/out/" + name), as: UTF8.self)
      }
      #expect(try text("cupola.c").contains("LEAST_SHARE \(share.nextUp)"))
      #expect(try text("README.md").contains("log(best / none) <") == (error != nil))
      #expect(try text("export.json").contains("\"max_error\":0.1") == (error != nil))
      #expect(try text("README.md").contains("for `--max-error 0.1`") == (error != nil))
      #expect(try text("README.md").contains("The default rules limit") == (error == nil))
      let verification = try ExportVerification(folder: folder.path + "/out", source: source)
      #expect(verification.faults == [])
    }
    model.calibration.wrongNames = nil
    let folder = try TemporaryFolder()
    try ExportFolder(path: folder.path + "/out").write(
      try ModelExport(source: try model.bytes(), format: .c, options: ExportOptions()))
    let text = String(
      decoding: try FileAccess.read(folder.path + "/out/README.md"), as: UTF8.self)
    #expect(text.contains("No error rate can be guaranteed") && !text.contains("default rules"))
  }

  @Test("Reports each link of a cycle once")
  func circle() throws {
    let place = try Place(.onnx)
    try FileManager.default.createSymbolicLink(
      atPath: place.path + "/golden/up", withDestinationPath: "..")
    #expect(try place.faults() == ["golden/up is not part of the export; remove it"])
  }

  @Test("Reports changed, missing, longer and unrelated files")
  func files() throws {
    let place = try Place(.onnx)
    try place.folder.write("other", to: "out/golden/1.png")
    try place.folder.touch("out/stranger.txt")
    #expect(
      try place.faults() == [
        "golden/1.png has changed since the export; export again",
        "stranger.txt is not part of the export; remove it",
      ])
    #expect(
      try place.faults(place.source).last
        == "golden/1.png, byte 0 differs from the export that Cupola \(cupolaVersion) makes from this model; export again"
    )
    let other = try Place(.onnx)
    try FileManager.default.removeItem(atPath: other.path + "/golden/2.png")
    let bytes = [UInt8](repeating: 0, count: 1 << 20)
    try other.folder.write(bytes, to: "out/README.md")
    let faults = try other.faults()
    #expect(faults.count == 2)
    #expect(faults.contains("README.md is larger than exported; export again"))
    #expect(faults.contains("golden/2.png is missing; export again"))
  }

  @Test("Reports another model")
  func otherModel() throws {
    let place = try Place(.onnx)
    let other = try SampleModels.hog(labels: ["hall", "tower"]).bytes()
    let faults = try place.faults(other)
    #expect(faults.count == 1)
    #expect(faults[0].hasPrefix("the export was made from another model file (SHA-256 "))
    #expect(throws: ExportError.self) { try place.faults([1, 2, 3]) }
  }

  @Test("Locates the first difference")
  func places() throws {
    func first(
      _ format: ExportFormat, _ name: String, _ change: (inout [UInt8]) -> Void
    ) throws -> String {
      let place = try Place(format)
      var bytes = try place.bytes(name)
      change(&bytes)
      try place.replace(name, with: bytes)
      #expect(try place.faults() == [])
      let faults = try place.faults(place.source)
      #expect(faults.count == 1)
      return faults.first ?? ""
    }
    let rest =
      " differs from the export that Cupola \(cupolaVersion) makes from this model; export again"
    #expect(try first(.onnx, "campus.onnx") { $0[5000] ^= 1 } == "campus.onnx, byte 5000" + rest)
    let size = try Place(.onnx).bytes("campus.onnx").count
    #expect(try first(.onnx, "campus.onnx") { $0.append(0) } == "campus.onnx, byte \(size)" + rest)
    #expect(try first(.tflite, "campus.tflite") { $0 = [] } == "campus.tflite, byte 0" + rest)
    let weights = "Campus.mlpackage/" + CoreMLPackage.Path.weights
    #expect(try first(.coreml, weights) { $0[200] ^= 1 } == weights + ", byte 200" + rest)
    #expect(try first(.c, "cupola.c") { $0[30] = 0 } == "cupola.c, line 3, byte 30" + rest)
    let name = "campus.safetensors"
    let bytes = try Place(.safetensors).bytes(name)
    let last = bytes.count - 1
    #expect(
      try first(.safetensors, name) { $0[last] ^= 1 }
        == "\(name), tensor classifier.weight, byte \(last)" + rest)
    #expect(try first(.safetensors, name) { $0[100] ^= 1 } == "\(name), header, byte 100" + rest)
  }

  @Test("Reports an export from another version")
  func otherVersion() throws {
    let place = try Place(.onnx)
    try place.edit(
      "export.json", #""cupola_version":"\#(cupolaVersion)""#, #""cupola_version":"0.0.9""#)
    #expect(try place.faults() == [])
    let faults = try place.faults(place.source)
    #expect(faults.count == 1)
    #expect(
      faults[0].hasPrefix(
        "made by Cupola 0.0.9; Cupola \(cupolaVersion) makes a different export, first in export.json, "
      ))
    #expect(faults[0].hasSuffix("; export again, or verify it with Cupola 0.0.9"))
  }

  @Test("Tolerates differences in digits between processors")
  func digits() throws {
    let place = try Place(.onnx)
    let text = try place.text("golden/expected.json")
    let start = try #require(text.range(of: #""probabilities":[0."#)?.upperBound)
    func changed(digit: Int) throws -> ExportVerification {
      let at = text.index(start, offsetBy: digit)
      let other = text[at] == "4" ? "5" : "4"
      try place.replace(
        "golden/expected.json",
        with: Array(text.replacingCharacters(in: at...at, with: other).utf8))
      return try ExportVerification(folder: place.path, source: place.source)
    }
    let near = try changed(digit: 5)
    #expect(near.faults == [])
    #expect(
      near.passed.last?.hasPrefix(
        "except numbers in golden/expected.json that differ by at most 0.0001,") == true
    )
    let far = try changed(digit: 1)
    #expect(far.faults.count == 1)
    #expect(far.faults.first?.hasPrefix("golden/expected.json, line 1, byte ") == true)
  }

  @Test("Reports missing and invalid manifests, and paths outside the export")
  func manifest() throws {
    let place = try Place(.onnx)
    let sound = try place.text("export.json")
    try place.folder.write("{}", to: "out/export.json")
    #expect(try place.faults() == ["export.json is invalid or from another version; export again"])
    try place.folder.write(
      sound.replacing("README.md", with: "../README.md"), to: "out/export.json")
    #expect(
      try place.faults() == [
        "../README.md is outside the export", "README.md is not part of the export; remove it",
      ])
    try place.folder.write(sound.replacing("float32", with: "float4"), to: "out/export.json")
    #expect(
      try place.faults(place.source) == [
        "export.json has an unknown weight format; export again"
      ])
    let path = place.folder.path
    #expect(throws: ExportError.notAnExport(path: path)) { try ExportVerification(folder: path) }
  }

  @Test("Reports unreadable files with the system error")
  func unreadable() throws {
    let place = try Place(.onnx)
    for name in ["README.md", "export.json"] {
      let path = place.path + "/" + name
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
      if name == "README.md" {
        #expect(try place.faults().contains { $0.hasPrefix("\(path): cannot be read: ") })
      } else {
        #expect(throws: ExportError.file(.cannotRead(path: path, code: ELOOP))) {
          try ExportVerification(folder: place.path)
        }
      }
    }
  }
}

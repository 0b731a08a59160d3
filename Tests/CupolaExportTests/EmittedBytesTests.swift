import Cupola
import Testing

@testable import CupolaExport

/// The model files of exports have the bytes that their own runtimes were seen to accept.
///
/// A new digest goes here only after `Scripts/verify-exports` has passed with the files.
@Suite("Bytes of exports") struct EmittedBytesTests {
  /// Digests of float32, float16 and, but for Core ML, int8.
  static let digests: [String: [String]] = [
    "hog onnx": ["aeee508c943331e1", "c21623c9a6ede568", "806822fa1299cdc3"],
    "fisher onnx": ["eef46ec8a134b390", "fc71794d076a1a18", "9acf047559ad0a22"],
    "hog coreml": ["ba0bf37ee35337bd", "fcc7fbd6641a0b11"],
    "fisher coreml": ["04497efa7d51a08f", "11cbc60466f4cd22"],
    "hog tflite": ["5ac03827d212384e", "74a6d13581394765", "16129cd729429a47"],
    "fisher tflite": ["af7d4854537a74cd", "5b2cb022bcaf80aa", "6f30972d3ed696d7"],
    "hog c": ["11a75943353befdd", "44cec1c3523caa76", "95d659d60d6420b8"],
    "fisher c": ["0fceda70c3bbbe77", "7ab71cf05988e140", "43dfe488ed065f03"],
  ]

  @Test("are those on record", arguments: ["hog", "fisher"], ExportFormat.allCases)
  func recorded(kind: String, format: ExportFormat) throws {
    guard format != .safetensors else { return }
    let model = kind == "hog" ? SampleModels.hog() : SampleModels.fisher()
    let notes = ExportNotes(model, source: [1])
    let found = try format.weightFormats.map { weights in
      let files = try format.files(of: model.rounded(to: weights), notes: notes)
      return String(ExportManifest.Entry(files.flatMap(\.bytes)).sha256.prefix(16))
    }
    #expect(found == Self.digests["\(kind) \(format.rawValue)"])
  }
}

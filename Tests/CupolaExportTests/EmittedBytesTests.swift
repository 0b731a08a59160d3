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
    "fisher onnx": ["21b199c371689375", "94b88dbecc764b19", "3f8d8dc84207aa4c"],
    "hog coreml": ["ba0bf37ee35337bd", "fcc7fbd6641a0b11"],
    "fisher coreml": ["b41334b17c28f457", "5ff7d3577b1dbef2"],
    "hog tflite": ["f0ffaa8e7a30114d", "437fb4c14813ce5c", "9b0ab62720f512fe"],
    "fisher tflite": ["610e83249fcaac41", "0713ec3d8b46363a", "574a02642e3d3403"],
    "hog c": ["156a1636030862ef", "6d0384e27506cac8", "3e4d171c37458429"],
    "fisher c": ["14e1eefca907d893", "58fe076a48ba00b7", "6491cb004c5e12f0"],
  ]

  /// A model file of Cupola's is no other runtime's.
  @Test(
    "are those on record",
    arguments: ["hog", "fisher"], ExportFormat.allCases.filter { $0 != .safetensors })
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

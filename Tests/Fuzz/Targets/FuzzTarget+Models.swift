@testable import Cupola

/// Model files.
extension FuzzTarget {
  static let models: [FuzzTarget] = [
    FuzzTarget("safetensors") { bytes in
      guard let file = try? SafeTensors(bytes: bytes) else { return }
      guard let written = try? file.bytes() else { throw FuzzFailure("cannot be written again") }
      try FuzzFailure.unless(
        (try? SafeTensors(bytes: written)) == file, "another file when written and read again")
    },
    FuzzTarget("model") { bytes in
      _ = try? Model(bytes: bytes)
      // Tensors that changed have another digest, and nothing behind it would be reached.
      guard var file = try? SafeTensors(bytes: bytes) else { return }
      file.metadata["tensors_sha256"] = ModelFile.digest(of: file.tensors)
      guard let sealed = try? file.bytes(), let model = try? Model(bytes: sealed) else { return }
      try check(model)
    },
  ]

  private static func check(_ model: Model) throws(FuzzFailure) {
    guard let written = try? model.bytes(), let again = try? Model(bytes: written) else {
      throw FuzzFailure("a model cannot be written and read again")
    }
    try FuzzFailure.unless(
      (try? again.bytes()) == written, "another model when written and read again")
    let size = 40
    let pixels = (0..<3 * size * size).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    let recognizer = Recognizer(model: model)
    _ = try? recognizer.recognize(
      RGBImage(width: size, height: size, pixels: pixels),
      at: Position(latitude: 48.3, longitude: 10.9), heading: Heading(degrees: 45))
  }
}

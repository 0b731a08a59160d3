import CupolaCampus

@testable import Cupola
@testable import CupolaExport

/// Targets for model files and exports.
extension FuzzTarget {
  static let models: [FuzzTarget] = [
    FuzzTarget("safetensors") { bytes in
      guard let file = try? SafeTensors(bytes: bytes) else { return }
      guard let written = try? file.bytes() else {
        throw FuzzFailure("the file cannot be written again")
      }
      try FuzzFailure.unless(
        (try? SafeTensors(bytes: written)) == file, "the file changed after writing and reading")
    },
    FuzzTarget("model") { bytes in
      _ = try? Model(bytes: bytes)
      guard let model = FuzzModel.sealed(bytes)?.model else { return }
      try check(model)
    },
    FuzzTarget("export") { bytes in
      guard let (source, model) = FuzzModel.sealed(bytes), model.recipe.inputSide <= 256 else {
        return
      }
      let number = Int(bytes.reduce(0, &+))
      for format in ExportFormat.allCases { try export(source, as: format, number) }
    },
  ]

  private static func check(_ model: Model) throws(FuzzFailure) {
    guard let written = try? model.bytes(), let again = try? Model(bytes: written) else {
      throw FuzzFailure("a model cannot be written and read again")
    }
    try FuzzFailure.unless(
      (try? again.bytes()) == written, "the model changed after writing and reading")
    let size = 40
    let pixels = (0..<3 * size * size).map { UInt8(truncatingIfNeeded: $0 * $0 / 7) }
    let recognizer = Recognizer(model: model)
    _ = try? recognizer.recognize(
      RGBImage(width: size, height: size, pixels: pixels),
      at: Position(latitude: 48.3, longitude: 10.9), heading: Heading(degrees: 45))
  }

  /// - Parameter number: Selects the weight format; trying all formats for each input is slow.
  private static func export(
    _ source: [UInt8], as format: ExportFormat, _ number: Int
  ) throws(FuzzFailure) {
    let weights: [WeightFormat?] = [nil] + format.weightFormats.map(Optional.some)
    let files: [ExportFile]
    var options = ExportOptions()
    // Compiling takes seconds.
    options.program = format == .web ? [] : nil
    do throws(ExportError) {
      files = try ModelExport(
        source: source, format: format, weights: weights[number % weights.count], options: options
      ).files
    } catch {
      switch error {
      case .brokenGuide(let problem), .unexpected(let problem):
        throw FuzzFailure("an export to \(format.rawValue): \(problem)")
      default: return
      }
    }
    let manifest = files.last.flatMap { ExportManifest(bytes: $0.bytes) }
    try FuzzFailure.unless(
      manifest?.files.count == files.count - 1
        && files.dropLast().allSatisfy { manifest?.files[$0.path] == .init($0.bytes) },
      "the manifest of \(format.rawValue) does not match the files")
    for file in files where file.path.hasSuffix("json") {
      try FuzzFailure.unless(
        (try? JSONReader.value(of: file.bytes)) != nil, "\(file.path) is not valid JSON")
    }
    for file in files where file.path.hasSuffix(".safetensors") {
      try FuzzFailure.unless((try? Model(bytes: file.bytes)) != nil, "\(file.path) is not a model")
    }
  }
}

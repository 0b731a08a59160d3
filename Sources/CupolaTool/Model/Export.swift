public import ArgumentParser
import Cupola
public import CupolaExport
import CupolaTraining

// 1. Export a model to other runtimes, and print how smaller weights affect its answers.
// 2. Verify an export by comparing its digests, and by exporting the model again.

struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export a model for phones, browsers and other devices.",
    discussion: """
      Writes a folder that contains the model, code for an app, instructions (README.md), the campus map, and test \
      photos. The model computes the probabilities of all labels from a photo's pixels. The format web is a page for \
      any static web server; it requires clang and wasm-ld, which are part of the Swift toolchain.

      EXAMPLES
        cupola export campus.safetensors --format onnx -o campus-onnx
        cupola export campus.safetensors --format onnx --weights int8 -o campus-onnx
        cupola export campus.safetensors --format web -o campus-web
        cupola export campus.safetensors --format tflite -o campus-tflite \\
          --golden photos --photos photos
        cupola export campus.safetensors --format web -o campus-web --max-error 0.02
      """)

  @Argument(help: "Model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(help: "Format of the export.")
  var format: ExportFormat

  @Option(
    name: .shortAndLong, help: "Folder to write; replaces an older export.",
    completion: .directory)
  var output: String

  @Option(
    help: """
      Storage format of the weights. With float16, Core ML also computes products in half precision, for the Neural \
      Engine. (default: as in the model)
      """)
  var weights: WeightFormat?

  @Option(
    help: ArgumentHelp(
      "Photo folder; its test photos show the effect of --weights.", valueName: "folder"))
  var photos: String?

  @Option(
    help: ArgumentHelp(
      "Test photos to include: drawn images, or also two training photos of each building from --photos, reduced in size.",
      valueName: "kind"))
  var golden: GoldenChoice = .drawn

  @Option(help: ArgumentHelp("Title of the model.", valueName: "text"))
  var name: String?

  @Option(help: ArgumentHelp("Publisher of the model.", valueName: "text"))
  var author: String?

  @Option(help: ArgumentHelp("License of the model.", valueName: "text"))
  var license: String?

  @Option(
    help: ArgumentHelp("Version of the model. (default: from its SHA-256)", valueName: "text"))
  var modelVersion: String?

  @OptionGroup var error: ErrorOption
  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([model, output, photos])
    if photos == nil { try common.checkUnused(with: tables, without: "--photos") }
    if golden == .photos, photos == nil {
      throw ValidationError("--golden photos requires --photos with the training photos")
    }
    if format == .safetensors, error.maxError != nil {
      throw ValidationError(
        "a model file supports every error rate; give --max-error to the program that uses it")
    }
    guard ExportFolder(path: output).owns(model) else { return }
    throw ValidationError(
      "\(model) is in the export folder \(output), which would be replaced; choose another folder")
  }

  func run() async throws {
    try await ExitStatus.reporting(about: model) {
      let folder = ExportFolder(path: output)
      try folder.check()
      let source = try FileAccess.read(model)
      // List the photos before an older export is replaced, so that errors are found early.
      let asked = try photos.flatMap { try photosToAsk(in: $0) }
      let export = try ModelExport(
        source: source, format: format, weights: weights, options: try options(source))
      try folder.write(export)
      export.model.noteDigest(path: model)
      error.explain(Thresholds(export.model.calibration, maximumError: error.maxError))
      error.noteCalibration(of: export.model)
      let stored = export.model.weightFormat
      Console.print(
        line: "\(output): \(format.rawValue), \(stored.rawValue), \(export.modelBytes) bytes")
      if let asked {
        try await reportChanges(export, source, asked)
      } else if weights != nil {
        Console.print(RoundingText.line(from: try Model(bytes: source), to: stored))
      }
      Console.print(line: "next: " + next)
    }
  }

  private var next: String {
    let readme = PhotoSet.withoutSlash(output) + "/README.md"
    guard format == .web else {
      return "read \(readme), which describes how to use the files in an app"
    }
    return "upload the folder to a web server; \(readme) describes how to try it on this computer"
  }

  private func options(_ source: [UInt8]) throws -> ExportOptions {
    var options = ExportOptions(
      name: name, author: author, license: license, version: modelVersion,
      maximumError: error.maxError)
    if golden == .photos, let photos {
      let set = try PhotoSet(root: photos, allowOutside: tables.allowOutside)
      options.photos = try GoldenPhotos.chosen(
        for: try Model(bytes: source), from: set.photos, decoder: common.decoder)
    }
    return options
  }

  /// Returns the photos for measuring the effect of `--weights`; `nil` if `--photos` is only for `--golden`.
  private func photosToAsk(in folder: String) throws -> PhotoSet? {
    guard golden == .drawn || weights != nil else { return nil }
    let set = try PhotoSet(root: folder, allowOutside: tables.allowOutside)
    guard !set.photos.isEmpty else { throw set.noPhotos(in: folder) }
    guard !set.photos(for: [.test]).isEmpty else { throw TrainingError.emptyPart("test") }
    return set
  }

  private func reportChanges(
    _ export: ModelExport, _ source: [UInt8], _ set: PhotoSet
  ) async throws {
    let result = await WeightsComparison(
      try Model(bytes: source), export.model, on: set.photos(for: [.test]),
      decoder: common.decoder, threads: common.threads)
    if result.asked > 0 {
      Console.print(
        "\(result.changed) of \(result.asked) answers differ from those of the model file; correct answers for "
          + "\(FigureText.count(result.ofBuildings, "building photo")): \(result.right.before) before, "
          + "\(result.right.after) now")
    }
    let failed = set.skipped + result.skipped
    for file in failed { Console.error("\(file.name): \(file.message)") }
    if result.asked == 0 {
      let failure = TrainingError.noUsablePhotos(path: set.root, failures: result.skipped.count)
      Console.error("\(failure)")
    }
    if !failed.isEmpty { throw ExitStatus.someFailed }
  }
}

enum RoundingText {
  static func line(from model: Model, to format: WeightFormat) -> String {
    if model.weightFormat == format { return "the weights are the same as in the model file" }
    if format == .float32 {
      return "the weights keep the \(model.weightFormat.rawValue) precision of the model file"
    }
    guard model.weightFormat == .float32, let known = model.provenance.rounding[format.rawValue]
    else {
      return
        "the effect of \(format.rawValue) on the answers is unknown; measure it with --photos FOLDER"
    }
    let changed =
      "\(known.changed) of \(known.asked) answers for held-out photos differ from float32; "
    guard known.ofBuildings > 0 else { return changed + "none of the photos shows a building" }
    return changed
      + "correct answers for \(FigureText.count(known.ofBuildings, "building photo")): "
      + "\(known.rightBefore) before, \(known.rightAfter) now"
  }
}

struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verify an export by its digests or by its model.",
    discussion: """
      An export lists the size and SHA-256 digest of each of its files. Changed, missing and additional files are \
      reported. With the model file, the export is also recreated and compared byte for byte, and the first \
      difference is reported. The exit code is 65 if the verification fails.

      EXAMPLES
        cupola verify campus-onnx
        cupola verify campus-onnx campus.safetensors
      """)

  @Argument(help: "Export folder.", completion: .directory)
  var export: String

  @Argument(
    help: "Model file that was exported.", completion: .file(extensions: ["safetensors"]))
  var model: String?

  func validate() throws { try PhotoArguments.checkPaths([export, model]) }

  func run() async throws {
    let verification = try await ExitStatus.reporting(about: model) {
      try ExportVerification(folder: export, source: try model.map { try FileAccess.read($0) })
    }
    for line in verification.passed { Console.print(line: "ok: " + line) }
    for line in verification.faults { Console.error("\(export): \(line)") }
    if !verification.faults.isEmpty { throw ExitStatus.badData }
  }
}

extension ExportFormat: ExpressibleByArgument {
  /// Accepts names in any case.
  public init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}

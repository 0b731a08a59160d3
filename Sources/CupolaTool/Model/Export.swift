public import ArgumentParser
import Cupola
public import CupolaExport
import CupolaTraining

// 1. Export a model for other runtimes, and print what fewer bits change.
// 2. Verify an export by its digests and by writing it anew.

struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Writes a model for the apps of phones, browsers and other devices.",
    discussion: """
      The output is a folder: the model, from the pixels of a photo to the probabilities of all \
      labels, with README.md on how to use it, the map, and three pictures to try it with.

      EXAMPLES
        cupola export campus.safetensors --format onnx -o campus-onnx
        cupola export campus.safetensors --format onnx --weights int8 -o campus-onnx
      """)

  @Argument(help: "The model file.", completion: .file(extensions: ["safetensors"]))
  var model: String

  @Option(help: "What to write.")
  var format: ExportFormat

  @Option(
    name: .shortAndLong, help: "The folder to write; an older export is replaced.",
    completion: .directory)
  var output: String

  @Option(help: "How the weights are stored (default: as in the model file).")
  var weights: WeightFormat?

  @Option(
    help: ArgumentHelp(
      "Photos to tell by what fewer bits change: a folder as for training; those for test count.",
      valueName: "folder"))
  var photos: String?

  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([model, output, photos])
    if photos == nil { try common.checkUnused(with: tables, without: "--photos") }
    guard ExportFolder(path: output).owns(model) else { return }
    throw ValidationError(
      "\(model) is a file of the export in \(output), which is replaced; name another folder.")
  }

  func run() async throws {
    try await ExitStatus.reporting(about: model) {
      let folder = ExportFolder(path: output)
      try folder.check()
      let source = try FileAccess.read(model)
      // Before an older export is replaced.
      let asked = try photos.map { try photosToAsk(in: $0) }
      let export = try ModelExport(source: source, format: format, weights: weights)
      try folder.write(export)
      export.model.noteDigest(path: model)
      let stored = export.model.weightFormat
      Console.print(
        line: "\(output): \(format.rawValue), \(stored.rawValue), \(export.modelBytes) bytes")
      if let asked {
        try await tellChanges(export, source, asked)
      } else if weights != nil {
        Console.print(RoundingText.line(from: try Model(bytes: source), to: stored))
      }
    }
  }

  private func photosToAsk(in folder: String) throws -> PhotoSet {
    let set = try PhotoSet(root: folder, allowOutside: tables.allowOutside)
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: folder) }
    guard !set.photos(for: [.test]).isEmpty else { throw TrainingError.emptyPart("test") }
    return set
  }

  private func tellChanges(
    _ export: ModelExport, _ source: [UInt8], _ set: PhotoSet
  ) async throws {
    let result = await WeightsComparison(
      try Model(bytes: source), export.model, on: set.photos(for: [.test]),
      decoder: common.decoder, threads: common.threads)
    if result.asked > 0 {
      Console.print(
        "\(result.changed) of \(result.asked) photos are answered otherwise than by the model file; "
          + "right of \(result.ofBuildings) photos of buildings: \(result.right.before) before, "
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

/// One line about what storing a model's weights in fewer bits changes, as training found it.
enum RoundingText {
  static func line(from model: Model, to format: WeightFormat) -> String {
    if model.weightFormat == format { return "the weights are those of the model file" }
    if format == .float32 {
      return "the weights stay as exact as the \(model.weightFormat.rawValue) of the model file"
    }
    guard model.weightFormat == .float32, let known = model.provenance.rounding[format.rawValue]
    else {
      return "what \(format.rawValue) changes in the answers is not known; "
        + "--photos FOLDER tells it for photos with labels"
    }
    let changed =
      "\(known.changed) of \(known.asked) photos held out in training are answered otherwise than "
      + "with float32; "
    guard known.ofBuildings > 0 else { return changed + "none of them was of a building" }
    return changed + "right of \(known.ofBuildings) photos of buildings: "
      + "\(known.rightBefore) before, \(known.rightAfter) now"
  }
}

struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Checks an export by its digests, and byte for byte by its model.",
    discussion: """
      An export names the size and SHA-256 of each of its files: changed, missing and added ones are \
      told. With the model file, the export is also written anew and compared byte for byte, and the \
      first place that differs is told. Needs no other tool. The exit code is 65 when anything is \
      wrong.

      EXAMPLES
        cupola verify campus-onnx
        cupola verify campus-onnx campus.safetensors
      """)

  @Argument(help: "The folder of the export.", completion: .directory)
  var export: String

  @Argument(
    help: "The model file that it was made from.", completion: .file(extensions: ["safetensors"]))
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

extension ExportFormat: ExpressibleByArgument {}

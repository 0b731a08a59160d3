import ArgumentParser
import Cupola
import CupolaExport
import CupolaTraining

/// `cupola export`.
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

  /// The photos of a folder to tell it by.
  private func photosToAsk(in folder: String) throws -> PhotoSet {
    let set = try PhotoSet(root: folder, allowOutside: tables.allowOutside)
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: folder) }
    guard !set.photos(for: [.test]).isEmpty else { throw TrainingError.emptyPart("test") }
    return set
  }

  /// Tells what fewer bits change, and which photos could not be asked about.
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

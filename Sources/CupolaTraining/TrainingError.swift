public import Cupola

/// What can be wrong with the material for training or evaluation.
///
/// The cases hold facts; the sentences for people are in ``message``. New cases may come with any
/// version.
public enum TrainingError: Error, Equatable, Sendable {
  /// A table such as `split.csv` cannot be used; `line` counts from 1.
  case badTable(path: String, line: Int, problem: String)
  /// A table that `cupola split` would replace, but did not write.
  case foreignTable(path: String)
  /// A folder to record to is not empty.
  case inTheWay(path: String)
  /// No photos in a folder or list.
  case noPhotos(path: String)
  /// No recorded session in a folder, and none of its folders is one.
  case noSessions(path: String)
  /// No shards in a folder that should hold some.
  case noShards(path: String, command: String)
  /// No photos in a folder to import from but those in the folder to import to.
  case photosInOutput(path: String, output: String)
  /// No folder of photos in a folder that should hold one for each building.
  case noLabelFolders(path: String)
  /// Photos were found, but none of them could be used.
  case noUsablePhotos(path: String, failures: Int)
  /// All photos have the same label.
  case oneLabel(String)
  /// Photos have a label that Cupola keeps for itself.
  case reservedLabel(String)
  /// Every label is a background.
  case noBuildings
  /// The photos show that the map cannot be right.
  case badCampus(CampusError)
  /// The task was canceled before there was a model.
  case canceled
  /// Something that Cupola brings, or that it made, cannot be used.
  case unusable(CupolaError)
  /// No photo is for the part asked for.
  case emptyPart(String)
  /// A file that is no report of an evaluation with its predictions.
  case badReport(path: String)
  /// Described photos that cannot train, or not together with others.
  case badShard(path: String, problem: String)
  /// A file or folder cannot be read or written.
  case file(FileError)
  /// A report cannot be written down, which no input brings about.
  case brokenReport(String)
  /// Photos to measure a model with that trained it, or are copies of such photos.
  case leaks(path: String, photos: Int, asked: Int, example: String)
  /// Two models were asked about other photos, or do not know the same buildings.
  case otherPhotos(path: String, both: Int, asked: Int, others: Int)
  /// Labels of photos to measure with that the model lacks, and that look like labels it has.
  case misspelledLabels(path: String, [MisspelledLabel])
  /// What frames of sessions are said to show, where it looks like labels of the model.
  case misspelledTruths(path: String, [MisspelledLabel])
}

extension TrainingError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .badTable(let path, let line, let problem): "\(path):\(line): \(problem)"
    case .foreignTable(let path):
      "\(path): not written by cupola split; name another file, or replace it with --force"
    case .inTheWay(let path): "\(path): not empty; name another folder to record to"
    case .noPhotos(let path): "\(path): no photos there"
    case .noSessions(let path):
      "\(path): no sessions there; cupola watch --record makes one, a folder with \(SessionFolder.table)"
    case .noShards(let path, let command):
      "\(path): no shards there; make them with \(command)"
    case .photosInOutput(let path, let output):
      "\(path): no photos there but in \(output), the folder to write; name another one with -o"
    case .noLabelFolders(let path):
      "\(path): no photos; it needs a folder for each building with its photos in it, or a table that "
        + "lists some"
    case .noUsablePhotos(let path, let failures):
      "\(path): none of its \(failures) photos can be used; cupola check tells why"
    case .oneLabel(let label):
      "only one label with photos that can be used, \(label); add another building's folder, or --negatives; "
        + "cupola check tells why others cannot be used"
    case .reservedLabel(let label):
      "\(label): Cupola keeps this label for itself; rename the folder, or the label in the table"
    case .badCampus(let error): error.description
    case .canceled: "training was canceled; no model was made"
    case .unusable(let error): error.message
    case .noBuildings:
      "only background labels with photos that can be used; add a folder for each building; cupola check tells why "
        + "others cannot be used"
    case .leaks(let path, let photos, let asked, let example):
      "\(path): \(photos) of \(asked) photos trained the model or are copies or crops of photos that "
        + "did, such as \(example); name others, divide them with cupola split before training, or "
        + "add --allow-leaks"
    case .emptyPart(let part):
      "no photo is for the part \"\(part)\"; add some, or rows to split.csv (cupola evaluate: or name "
        + "another with --part)"
    case .otherPhotos(let path, let both, let asked, let others):
      "\(path): tells of \(others) photos of buildings that its model knows, and \(both) of them are among "
        + "the \(asked) asked about here; evaluate both models on the same photos"
    case .misspelledLabels(let path, let labels):
      "\(path): the model has no label \(labels.map(\.message).joined(separator: ", nor ")); rename the "
        + "folder or correct split.csv, or give such photos the split test_unknown"
    case .misspelledTruths(let path, let labels):
      "\(path): the model has no label \(labels.map(\.message).joined(separator: ", nor ")); correct \"truth\" in "
        + "\(SessionFolder.table), or say nothing there"
    case .badShard(let path, let problem): "\(path): \(problem)"
    case .file(let error): error.message
    case .brokenReport(let reason): "the report cannot be made: \(reason); please tell us"
    case .badReport(let path):
      "\(path): not a report to compare with; make one with cupola evaluate --report"
    }
  }
}

extension TrainingError {
  /// That no photo of shards or of a table can be used: neither is a folder that `cupola check` could tell of.
  package static func noneUsable(ofListed path: String, photos: Int) -> TrainingError {
    .badShard(path: path, problem: "none of its \(photos) photos can be used")
  }

  /// What reads or writes files, with its errors as ``file(_:)``.
  static func files<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(TrainingError) -> Result {
    do { return try body() } catch { throw .file(error) }
  }
}

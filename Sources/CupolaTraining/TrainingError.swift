public import Cupola

// 1. Define a few cases, one for each way in which a caller may react.
// 2. Define a function for each problem; it creates the error with its message.
// 3. Report labels that look misspelled (`MisspelledLabel`).

/// A problem with the input of training or evaluation. Later versions may add cases.
public enum TrainingError: Error, Equatable, Sendable {
  /// A table such as `split.csv` is invalid; `line` counts from 1.
  case badTable(path: String, line: Int, problem: String)
  /// A shard or report is invalid or does not match the others.
  case badFile(path: String, problem: String)
  /// An existing file or folder blocks the output and must not be replaced.
  case blocked(path: String, problem: String)
  /// A folder contains no photos, sessions or shards.
  case nothingFound(String)
  /// The folder contains photos, but all of them are unusable.
  case noUsablePhotos(path: String, failures: Int)
  /// The labels are insufficient or invalid for training or evaluation.
  case badLabels(String)
  /// The evaluation would be meaningless.
  case badEvaluation(String)
  /// The photos contradict the map.
  case badCampus(CampusError)
  /// The task was canceled before training finished.
  case canceled
  /// A built-in resource, a photo or a model is unusable.
  case unusable(CupolaError)
  /// A file or folder cannot be read or written.
  case file(FileError)
}

extension TrainingError: CustomStringConvertible {
  /// The same text as ``message``.
  public var description: String { message }

  /// The problem and the recommended action, in one line.
  public var message: String {
    switch self {
    case .badTable(let path, let line, let problem): "\(path):\(line): \(problem)"
    case .badFile(let path, let problem), .blocked(let path, let problem): "\(path): \(problem)"
    case .nothingFound(let text), .badLabels(let text), .badEvaluation(let text): text
    case .noUsablePhotos(let path, let failures):
      "\(path): no usable photos (\(failures) failed); run cupola check for the reasons"
    case .badCampus(let error): error.description
    case .canceled: "training canceled; no model created"
    case .unusable(let error): error.message
    case .file(let error): error.message
    }
  }

  static func files<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(TrainingError) -> Result {
    do { return try body() } catch { throw .file(error) }
  }
}

extension TrainingError {
  package static func badShard(path: String, problem: String) -> TrainingError {
    .badFile(path: path, problem: problem)
  }

  package static func noneUsable(ofListed path: String, photos: Int) -> TrainingError {
    .badFile(path: path, problem: "no usable photos (\(photos) failed)")
  }

  package static func badReport(path: String) -> TrainingError {
    .badFile(
      path: path, problem: "not a report; create one with cupola evaluate --report")
  }

  package static func brokenReport(_ reason: String) -> TrainingError {
    .badEvaluation("cannot create the report: \(reason); please report this bug")
  }

  package static func foreignTable(path: String) -> TrainingError {
    .blocked(
      path: path,
      problem:
        "not a split table with the columns path, label and split; choose another file or overwrite it with --force"
    )
  }

  package static func notEmpty(path: String) -> TrainingError {
    .blocked(path: path, problem: "folder is not empty; choose another one to record to")
  }

  package static func noPhotos(path: String) -> TrainingError {
    .nothingFound("\(path): no photos found; choose another folder")
  }

  package static func noSessions(path: String) -> TrainingError {
    .nothingFound(
      "\(path): no session found (a folder with \(SessionFolder.table)); record one with cupola watch "
        + "--record")
  }

  package static func noShards(path: String, command: String) -> TrainingError {
    .nothingFound("\(path): no shards found; create them with \(command)")
  }

  package static func photosInOutput(path: String, output: String) -> TrainingError {
    .nothingFound(
      "\(path): no photos outside the output folder \(output); choose another one with -o")
  }

  package static func noLabelFolders(path: String) -> TrainingError {
    .nothingFound(
      "\(path): no photos found; add a folder of photos for each building or a table that lists "
        + "photos")
  }

  package static func emptyPart(_ part: String) -> TrainingError {
    .nothingFound(
      "no photos in the part \"\(part)\"; add photos or rows in split.csv, or choose another part "
        + "(cupola evaluate --part)")
  }

  package static func oneLabel(_ label: String) -> TrainingError {
    .badLabels(
      "only one label has usable photos (\(label)); add a folder for another building or use "
        + "--negatives; run cupola check to list unusable photos")
  }

  package static func reservedLabel(_ label: String) -> TrainingError {
    .badLabels(
      "\(label): reserved label; rename the folder, or the label in the table")
  }

  package static var noBuildings: TrainingError {
    .badLabels(
      "only background labels have usable photos; add a folder for each building; run cupola check "
        + "to list unusable photos")
  }

  package static func leaks(
    path: String, photos: Int, asked: Int, example: String
  ) -> TrainingError {
    .badEvaluation(
      "\(path): \(photos) of \(asked) photos, too many to skip, are training photos of the model, or copies or crops of "
        + "them, such as \(example); use other photos, split them with cupola split before training, "
        + "or add --allow-leaks")
  }

  package static func differentPhotos(
    path: String, both: Int, asked: Int, others: Int
  ) -> TrainingError {
    .badEvaluation(
      "\(path): report on different photos: \(both) of its \(others) photos of trained buildings are among "
        + "the \(asked) evaluated here; evaluate both models on the same photos")
  }
}

package struct MisspelledLabel: Equatable, Sendable {
  package let label: String
  package let meant: String

  /// The minimum number of letters for detecting a typo; shorter names may differ only in case or separators.
  private static let shortest = 4
  /// Names with at least this many letters may contain two typos; shorter names may contain one.
  private static let longName = 8
  private static let mostShown = 80

  var message: String { "\(Self.quoted(label)) (did you mean \(Self.quoted(meant))?)" }

  private static func quoted(_ label: String) -> String {
    "\"" + VisibleText.line(String(label.prefix(mostShown))) + "\""
  }

  /// Returns up to three labels that look like misspellings of known labels; numbers must match.
  package static func all(of labels: Set<String>, known: [String]) -> [MisspelledLabel] {
    let words = known.map { (label: $0, word: Word($0)) }
    var errors = TypingErrors()
    let found = labels.subtracting(known).sorted().compactMap { label -> MisspelledLabel? in
      let own = Word(label)
      let near = words.compactMap { known -> (errors: Int, label: String)? in
        own.errors(to: known.word, &errors).map { ($0, known.label) }
      }
      return near.min { ($0.errors, $0.label) < ($1.errors, $1.label) }
        .map { MisspelledLabel(label: label, meant: $0.label) }
    }
    return Array(found.prefix(3))
  }

  private struct Word {
    let letters: [UInt32]
    let numbers: [[UInt32]]
    let plain: [UInt32]

    init(_ label: String) {
      let scalars = label.lowercased().unicodeScalars
      plain = scalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        .map(\.value)
      letters = scalars.filter { $0.properties.isAlphabetic }.map(\.value)
      numbers = scalars.split { $0.properties.numericType == nil }.map { $0.map(\.value) }
    }

    func errors(to other: Word, _ errors: inout TypingErrors) -> Int? {
      guard numbers == other.numbers else { return nil }
      if plain == other.plain, !plain.isEmpty { return 0 }
      let length = min(letters.count, other.letters.count)
      guard length >= MisspelledLabel.shortest else { return nil }
      return errors.count(
        typed: letters, word: other.letters, limit: length >= MisspelledLabel.longName ? 2 : 1
      ).whole
    }
  }
}

extension TrainingError {
  /// Throws if a photo's label looks like a misspelling of a model label; ignores `testUnknown` photos.
  package static func check(
    _ photos: [LabeledPhoto], in path: String, against labels: [String]
  ) throws(TrainingError) {
    let own = Set(photos.filter { $0.split != .testUnknown }.map(\.label))
      .filter { !Labels.isBackground($0) }
    let misspelled = MisspelledLabel.all(of: own, known: labels.filter { !Labels.isBackground($0) })
    try check(
      misspelled, in: path,
      advice:
        "rename the folder, correct split.csv, or use the split test_unknown for unknown buildings")
  }

  /// Throws if a frame's true label looks like a misspelling of a model label.
  package static func check(
    _ truths: Set<String>, in path: String, against buildings: [String]
  ) throws(TrainingError) {
    let named = truths.filter { !Labels.isBackground($0) }
    let misspelled = MisspelledLabel.all(of: named, known: buildings)
    try check(
      misspelled, in: path,
      advice: "correct or remove \"truth\" in \(SessionFolder.table)")
  }

  private static func check(
    _ misspelled: [MisspelledLabel], in path: String, advice: String
  ) throws(TrainingError) {
    guard !misspelled.isEmpty else { return }
    let labels = misspelled.map(\.message).joined(separator: " or ")
    throw .badLabels("\(path): the model has no label \(labels); \(advice)")
  }
}

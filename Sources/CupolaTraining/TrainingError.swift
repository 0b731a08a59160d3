public import Cupola

// 1. Define few cases, one for each reaction of a caller.
// 2. Create the error for each problem in a function with its message.
// 3. Report labels that look misspelled (`MisspelledLabel`).

/// A problem with the input of training or evaluation; later versions may add cases.
public enum TrainingError: Error, Equatable, Sendable {
  /// A table such as `split.csv` is invalid; `line` counts from 1.
  case badTable(path: String, line: Int, problem: String)
  /// A shard or report is invalid or does not match the others.
  case badFile(path: String, problem: String)
  /// An existing file or folder blocks the output and must not be replaced.
  case blocked(path: String, problem: String)
  /// A folder has no photos, sessions or shards.
  case nothingFound(String)
  /// The folder has photos, but all of them are unusable.
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

  /// One line that says what is wrong and what to do.
  public var message: String {
    switch self {
    case .badTable(let path, let line, let problem): "\(path):\(line): \(problem)"
    case .badFile(let path, let problem), .blocked(let path, let problem): "\(path): \(problem)"
    case .nothingFound(let text), .badLabels(let text), .badEvaluation(let text): text
    case .noUsablePhotos(let path, let failures):
      "\(path): none of its \(failures) photos can be used; cupola check tells why"
    case .badCampus(let error): error.description
    case .canceled: "training was canceled; no model was made"
    case .unusable(let error): error.message
    case .file(let error): error.message
    }
  }

  /// Runs `body` and rethrows its errors as ``file(_:)``.
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
    .badFile(path: path, problem: "none of its \(photos) photos can be used")
  }

  package static func badReport(path: String) -> TrainingError {
    .badFile(
      path: path, problem: "not a report to compare with; make one with cupola evaluate --report")
  }

  package static func brokenReport(_ reason: String) -> TrainingError {
    .badEvaluation("the report cannot be made: \(reason); please tell us")
  }

  package static func foreignTable(path: String) -> TrainingError {
    .blocked(
      path: path,
      problem: "not written by cupola split; name another file, or replace it with --force")
  }

  package static func inTheWay(path: String) -> TrainingError {
    .blocked(path: path, problem: "not empty; name another folder to record to")
  }

  package static func noPhotos(path: String) -> TrainingError {
    .nothingFound("\(path): no photos there")
  }

  package static func noSessions(path: String) -> TrainingError {
    .nothingFound(
      "\(path): no sessions there; cupola watch --record makes one, a folder with "
        + SessionFolder.table)
  }

  package static func noShards(path: String, command: String) -> TrainingError {
    .nothingFound("\(path): no shards there; make them with \(command)")
  }

  package static func photosInOutput(path: String, output: String) -> TrainingError {
    .nothingFound(
      "\(path): no photos there but in \(output), the folder to write; name another one with -o")
  }

  package static func noLabelFolders(path: String) -> TrainingError {
    .nothingFound(
      "\(path): no photos; it needs a folder for each building with its photos in it, or a table "
        + "that lists some")
  }

  package static func emptyPart(_ part: String) -> TrainingError {
    .nothingFound(
      "no photo is for the part \"\(part)\"; add some, or rows to split.csv (cupola evaluate: or "
        + "name another with --part)")
  }

  package static func oneLabel(_ label: String) -> TrainingError {
    .badLabels(
      "only one label with photos that can be used, \(label); add another building's folder, or "
        + "--negatives; cupola check tells why others cannot be used")
  }

  package static func reservedLabel(_ label: String) -> TrainingError {
    .badLabels(
      "\(label): Cupola keeps this label for itself; rename the folder, or the label in the table")
  }

  package static var noBuildings: TrainingError {
    .badLabels(
      "only background labels with photos that can be used; add a folder for each building; cupola "
        + "check tells why others cannot be used")
  }

  package static func leaks(
    path: String, photos: Int, asked: Int, example: String
  ) -> TrainingError {
    .badEvaluation(
      "\(path): \(photos) of \(asked) photos trained the model or are copies or crops of photos "
        + "that did, such as \(example); name others, divide them with cupola split before "
        + "training, or add --allow-leaks")
  }

  package static func otherPhotos(
    path: String, both: Int, asked: Int, others: Int
  ) -> TrainingError {
    .badEvaluation(
      "\(path): tells of \(others) photos of buildings that its model knows, and \(both) of them "
        + "are among the \(asked) asked about here; evaluate both models on the same photos")
  }
}

package struct MisspelledLabel: Equatable, Sendable {
  package let label: String
  package let meant: String

  /// Names with fewer letters match only if they differ in case or separators; one typo would match too many.
  private static let shortest = 4
  /// Names with at least this many letters may contain two typos, shorter ones one.
  private static let longName = 8
  private static let mostShown = 80

  var message: String { "\(Self.quoted(label)) (perhaps \(Self.quoted(meant)))" }

  private static func quoted(_ label: String) -> String {
    "\"" + VisibleText.line(String(label.prefix(mostShown))) + "\""
  }

  /// Returns up to three labels that look like misspellings of known ones; a different number is no misspelling.
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

  /// A label split into lowercase letters and numbers, without separators.
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
  /// Throws if a photo's label looks like a misspelled label of the model; photos of unknown buildings are exempt.
  package static func check(
    _ photos: [LabeledPhoto], in path: String, against labels: [String]
  ) throws(TrainingError) {
    let own = Set(photos.filter { $0.split != .testUnknown }.map(\.label))
      .filter { !Labels.isBackground($0) }
    let misspelled = MisspelledLabel.all(of: own, known: labels.filter { !Labels.isBackground($0) })
    try check(
      misspelled, in: path,
      advice: "rename the folder or correct split.csv, or give such photos the split test_unknown")
  }

  /// Throws if a frame's true label looks like a misspelled label of the model; background labels are exempt.
  package static func check(
    _ truths: Set<String>, in path: String, against buildings: [String]
  ) throws(TrainingError) {
    let named = truths.filter { !Labels.isBackground($0) }
    let misspelled = MisspelledLabel.all(of: named, known: buildings)
    try check(
      misspelled, in: path,
      advice: "correct \"truth\" in \(SessionFolder.table), or say nothing there")
  }

  private static func check(
    _ misspelled: [MisspelledLabel], in path: String, advice: String
  ) throws(TrainingError) {
    guard !misspelled.isEmpty else { return }
    let labels = misspelled.map(\.message).joined(separator: ", nor ")
    throw .badLabels("\(path): the model has no label \(labels); \(advice)")
  }
}

public import Cupola

// 1. `TrainingError` has few cases, by what the caller can do about them.
// 2. Each problem has a function that makes its error, with the line that people read.
// 3. `MisspelledLabel` finds labels that look like others; the errors about these come last.

/// What can be wrong with the material for training or evaluation.
///
/// The sentences for people are in ``message``. New cases may come with any version.
public enum TrainingError: Error, Equatable, Sendable {
  /// A table such as `split.csv` cannot be used; `line` counts from 1.
  case badTable(path: String, line: Int, problem: String)
  /// Shards or a report that cannot be used, or not together with others.
  case badFile(path: String, problem: String)
  /// A file or folder to be written is there already, and is not Cupola's to replace.
  case blocked(path: String, problem: String)
  /// There are no photos, sessions or shards where they were looked for.
  case nothingFound(String)
  /// Photos were found, but none of them could be used.
  case noUsablePhotos(path: String, failures: Int)
  /// Nothing can be learned or measured with these labels.
  case badLabels(String)
  /// The figures of an evaluation would mean nothing.
  case badEvaluation(String)
  /// The photos show that the map cannot be right.
  case badCampus(CampusError)
  /// The task was canceled before there was a model.
  case canceled
  /// Something that Cupola brings, or that it made, cannot be used.
  case unusable(CupolaError)
  /// A file or folder cannot be read or written.
  case file(FileError)
}

extension TrainingError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
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

  /// What reads or writes files, with its errors as ``file(_:)``.
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

  /// That no photo of shards or of a table can be used: neither is a folder that `cupola check` could tell of.
  package static func noneUsable(ofListed path: String, photos: Int) -> TrainingError {
    .badFile(path: path, problem: "none of its \(photos) photos can be used")
  }

  package static func badReport(path: String) -> TrainingError {
    .badFile(
      path: path, problem: "not a report to compare with; make one with cupola evaluate --report")
  }

  /// A report cannot be written down, which no input brings about.
  package static func brokenReport(_ reason: String) -> TrainingError {
    .badEvaluation("the report cannot be made: \(reason); please tell us")
  }

  /// A table that `cupola split` would replace, but did not write.
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

  /// No photos in a folder to import from but those in the folder to import to.
  package static func photosInOutput(path: String, output: String) -> TrainingError {
    .nothingFound(
      "\(path): no photos there but in \(output), the folder to write; name another one with -o")
  }

  package static func noLabelFolders(path: String) -> TrainingError {
    .nothingFound(
      "\(path): no photos; it needs a folder for each building with its photos in it, or a table "
        + "that lists some")
  }

  /// No photo is for the part asked for.
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

  /// Photos to measure a model with that trained it, or are copies of such photos.
  package static func leaks(
    path: String, photos: Int, asked: Int, example: String
  ) -> TrainingError {
    .badEvaluation(
      "\(path): \(photos) of \(asked) photos trained the model or are copies or crops of photos "
        + "that did, such as \(example); name others, divide them with cupola split before "
        + "training, or add --allow-leaks")
  }

  /// Two models were asked about other photos, or do not know the same buildings.
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

  /// Of shorter names only those are alike that differ in case and separators alone: an error makes too many others.
  private static let shortest = 4
  /// In names of so many letters two typing errors are forgiven, in shorter ones one.
  private static let longName = 8
  private static let mostShown = 80

  /// "hesburg_library", did you mean "hesburgh_library"?
  var message: String { "\(Self.quoted(label)) (perhaps \(Self.quoted(meant)))" }

  private static func quoted(_ label: String) -> String {
    "\"" + VisibleText.line(String(label.prefix(mostShown))) + "\""
  }

  /// Labels that look like some of a model's; each once, sorted, at most three.
  ///
  /// Labels that differ in a number, as `building01` and `building02` or `1-12` and `11-2`, are different buildings.
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

  /// The letters of a label without case and what stands between them, and its numbers apart.
  private struct Word {
    let letters: [UInt32]
    /// The digits of each, in their order.
    let numbers: [[UInt32]]
    let plain: [UInt32]

    init(_ label: String) {
      let scalars = label.lowercased().unicodeScalars
      plain = scalars.filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }
        .map(\.value)
      letters = scalars.filter { $0.properties.isAlphabetic }.map(\.value)
      numbers = scalars.split { $0.properties.numericType == nil }.map { $0.map(\.value) }
    }

    /// `nil` where there are too many.
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
  /// Refuses photos whose labels look like misspelled ones of a model, but for those of unknown buildings.
  ///
  /// - Parameter path: the folder of the photos.
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

  /// Refuses what frames are said to show where it looks like a misspelled label of a model; a background is none.
  ///
  /// - Parameter path: the folder of the sessions.
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

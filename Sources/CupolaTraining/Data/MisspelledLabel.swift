internal import Cupola

/// A label of photos that a model lacks, and one that it has and that was perhaps meant.
public struct MisspelledLabel: Equatable, Sendable {
  /// The label of the photos.
  public let label: String
  /// The label of the model.
  public let meant: String

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
    /// Letters and digits in their order.
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
    guard misspelled.isEmpty else {
      throw TrainingError.misspelledLabels(path: path, misspelled)
    }
  }

  /// Refuses what frames are said to show where it looks like a misspelled label of a model; a background is none.
  ///
  /// - Parameter path: the folder of the sessions.
  package static func check(
    _ truths: Set<String>, in path: String, against buildings: [String]
  ) throws(TrainingError) {
    let named = truths.filter { !Labels.isBackground($0) }
    let misspelled = MisspelledLabel.all(of: named, known: buildings)
    guard misspelled.isEmpty else {
      throw TrainingError.misspelledTruths(path: path, misspelled)
    }
  }
}

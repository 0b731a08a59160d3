internal import CupolaSupport

/// One text of a query and where its words are looked for.
struct Criterion {
  let text: String
  let fields: Set<Field>

  /// Parts of a building's record that have words.
  enum Field: UInt8, CaseIterable {
    case name, otherName, abbreviation, description, category, address
    /// The abbreviation without blanks.
    case joinedAbbreviation

    /// What a word found here costs in addition.
    var points: Int32 {
      switch self {
      case .otherName: 1
      case .description: 10
      default: 0
      }
    }

    /// Abbreviations are all alike: one letter more or less is another one.
    var forgivesErrors: Bool { self != .abbreviation && self != .joinedAbbreviation }
  }

  /// What a query asks for; blank texts do not.
  static func all(of query: BuildingQuery) -> [Criterion] {
    let asked: [(String?, Set<Field>)] = [
      (
        query.words, [.name, .otherName, .abbreviation, .joinedAbbreviation, .description]
      ),
      (query.name, [.name, .otherName]), (query.abbreviation, [.joinedAbbreviation]),
      (query.category, [.category]), (query.address, [.address]),
    ]
    return asked.compactMap { text, fields in
      text.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : Criterion(text: $0, fields: fields) }
    }
  }

  /// The words to look for.
  func words(_ folding: inout Folding) -> [SearchWord] {
    let words = folding.words(of: text)
    guard fields == [.joinedAbbreviation], !words.isEmpty else { return words.map(SearchWord.init) }
    return [SearchWord(Array(words.joined()))]
  }
}

extension Building {
  /// The words of each part of the record, folded.
  func words(_ folding: inout Folding) -> [(field: Criterion.Field, words: [[UInt32]])] {
    let short = folding.words(of: abbreviation ?? "")
    let others = properties.filter { Building.isName($0.key) }.sorted { $0.key < $1.key }
      .compactMap(\.value.text)
    return [
      (.name, folding.words(of: name)),
      (.otherName, others.flatMap { folding.words(of: $0) }),
      (.abbreviation, short),
      (.joinedAbbreviation, short.isEmpty ? [] : [Array(short.joined())]),
      (.description, folding.words(of: description ?? "")),
      (.category, folding.words(of: category ?? "")),
      (.address, folding.words(of: address ?? "")),
    ]
  }

  /// Whether a property of the map is another name: OpenStreetMap's names, and those in languages.
  static func isName(_ key: String) -> Bool {
    key.hasPrefix("name:")
      || ["alt_name", "official_name", "old_name", "loc_name", "int_name"].contains(key)
  }
}

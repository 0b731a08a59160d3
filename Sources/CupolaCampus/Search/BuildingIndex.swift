internal import CupolaSupport

// 1. The index folds the words of each building, reads its years and sorts buildings by name.
// 2. A query becomes criteria: words, and the fields in which to look for them.
// 3. `Vocabulary` adds points for each word; buildings without the word drop out.
// 4. The remaining buildings are sorted by points, then by rank.

/// A catalog prepared for searching: a search of 10,000 buildings takes a few milliseconds.
///
/// Results are sorted by their points, fewer first: the sum over the query's words of the best way
/// in which each is found.
///
/// | the word is | points |
/// |---|---|
/// | a word of the building | 0 |
/// | its beginning | 1 |
/// | inside it, from 4 letters, none of them a digit | 2 |
/// | the word with 1 error, 2 errors | 3, 5 |
/// | its beginning with 1 error, 2 errors, but the right first letter | 4, 6 |
/// | found in another name of the map (`alt_name`, `old_name`, `name:en`, ...) | 1 more |
/// | found in the description only | 10 more |
/// | built in a time that reaches beyond the years asked for | 2 more |
///
/// One error is forgiven from 4 letters, two from 8; none in words with digits. Equal points: the
/// shorter name where names were searched, then names in order, then labels, then the map's order.
public struct BuildingIndex: Sendable {
  /// The catalog, in the order of the map.
  public let buildings: [Building]

  private let vocabulary: Vocabulary
  private let years: [YearRange?]
  /// Where each building comes among equals.
  private let ranks: Ranks

  /// Prepares a catalog.
  public init(_ buildings: [Building]) {
    self.buildings = buildings
    years = buildings.map { $0.yearBuilt.flatMap(YearRange.init(loosely:)) }
    var folding = Folding()
    ranks = Ranks(buildings, &folding)
    vocabulary = Vocabulary(buildings, &folding)
  }

  /// The buildings that have everything that is asked for, the best first.
  public func search(_ query: BuildingQuery) -> [BuildingMatch] {
    var points = yearPoints(query.years)
    var folding = Folding()
    for criterion in Criterion.all(of: query) {
      let words = criterion.words(&folding)
      // Something was asked for that no text can have.
      if words.isEmpty { return [] }
      for word in words { vocabulary.add(word, in: criterion.fields, to: &points) }
    }
    let order = query.words != nil || query.name != nil ? ranks.byLength : ranks.byName
    // Points first, then the rank; one number for both sorts fast.
    let keys = order.indices.filter { points[order[$0]] != Vocabulary.notFound }
      .map { Int(points[order[$0]]) << 32 | $0 }.sorted()
    return keys.prefix(max(0, query.limit ?? .max)).map { key in
      let index = order[key & 0xFFFF_FFFF]
      return BuildingMatch(
        building: buildings[index], points: key >> 32, yearsBuilt: years[index])
    }
  }

  private func yearPoints(_ asked: YearRange?) -> [Int32] {
    guard let asked else { return [Int32](repeating: 0, count: buildings.count) }
    return years.map { built in
      guard let built, built.overlaps(asked) else { return Vocabulary.notFound }
      return asked.contains(built) ? 0 : 2
    }
  }

  /// The order of buildings with equal points.
  private struct Ranks {
    /// Indices of buildings by name, then label, then place in the map.
    let byName: [Int]
    /// The same, shorter names first.
    let byLength: [Int]

    init(_ buildings: [Building], _ folding: inout Folding) {
      var names: [[UInt32]] = []
      var lengths: [Int] = []
      for building in buildings {
        let words = folding.words(of: building.name)
        lengths.append(words.count)
        names.append(Array(words.joined(separator: [0x20])))
      }
      byName = buildings.indices.sorted { a, b in
        if names[a] != names[b] { return names[a].lexicographicallyPrecedes(names[b]) }
        return (buildings[a].label, a) < (buildings[b].label, b)
      }
      // Stable, so that the order by name remains.
      byLength = byName.enumerated()
        .sorted { (lengths[$0.element], $0.offset) < (lengths[$1.element], $1.offset) }
        .map(\.element)
    }
  }
}

extension Campus {
  /// Searches the catalog once; to search often, keep a ``BuildingIndex`` of its buildings.
  public func search(_ query: BuildingQuery) -> [BuildingMatch] {
    BuildingIndex(buildings).search(query)
  }
}

/// A building that a search found.
public struct BuildingMatch: Equatable, Codable, Sendable {
  /// Its record.
  public let building: Building
  /// How far it is from what was asked for; 0 when every word stands in its name.
  public let points: Int
  /// What its `yearBuilt` means, where it is a date.
  public let yearsBuilt: YearRange?

  private enum CodingKeys: String, CodingKey {
    case building, points
    case yearsBuilt = "years_built"
  }
}

/// What is asked of the catalog: a building must have everything that is not `nil`.
///
/// Words may come in any order, each with small typing errors or as its beginning only; case, accents
/// and punctuation do not count. Blank texts ask for nothing; texts without a letter or digit, such
/// as `?`, find nothing.
public struct BuildingQuery: Equatable, Codable, Sendable {
  /// Words of the name, the abbreviation or the description.
  public var words: String?
  /// Words of the name, or of another name that the map has.
  public var name: String?
  /// The abbreviation, or the beginning of it; without blanks and without forgiving errors.
  public var abbreviation: String?
  /// Words of the category.
  public var category: String?
  /// Words of the address.
  public var address: String?
  /// When it was built. A building whose date is a range is found when they overlap.
  public var years: YearRange?
  /// The most buildings to return; `nil` for all.
  public var limit: Int?

  /// Asks for words of the name, the abbreviation or the description, or else for nothing.
  public init(_ words: String? = nil) { self.words = words }
}

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

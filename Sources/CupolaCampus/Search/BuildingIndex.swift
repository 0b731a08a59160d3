internal import CupolaSupport

// 1. Normalize each building's words, parse its construction years and sort the buildings by name.
// 2. Split a query into criteria, each with a word and the fields to search.
// 3. Add points for each word; remove buildings that do not contain the word (`Vocabulary`).
// 4. Sort the remaining buildings by points, then by rank.

/// A search index over a map's buildings. Searching 10,000 buildings takes a few milliseconds.
///
/// Results are sorted by total points, lowest first. Each word in the query adds the points of its best match:
///
/// | match | points |
/// |---|---|
/// | whole word | 0 |
/// | start of a word | 1 |
/// | inside a word (at least 4 letters, no digits) | 2 |
/// | whole word with 1 or 2 typing errors | 3 or 5 |
/// | start of a word with 1 or 2 typing errors, same first letter | 4 or 6 |
/// | in an alternative name (`alt_name`, `old_name`, `name:en`, ...) | +1 |
/// | only in the description | +10 |
/// | construction date only partly within the requested years | +2 |
///
/// Words with at least 4 letters may have one typing error, and words with at least 8 letters two; words with digits
/// must match exactly. Ties are sorted by name length (if names were searched), name, label and map order.
public struct BuildingIndex: Sendable {
  /// The buildings, in map order.
  public let buildings: [Building]

  private let vocabulary: Vocabulary
  private let years: [YearRange?]
  private let ranks: Ranks

  /// Builds an index.
  public init(_ buildings: [Building]) {
    self.buildings = buildings
    years = buildings.map { $0.yearBuilt.flatMap(YearRange.init(loosely:)) }
    var folding = Folding()
    ranks = Ranks(buildings, &folding)
    vocabulary = Vocabulary(buildings, &folding)
  }

  /// Returns the buildings that match all criteria, best match first.
  public func search(_ query: BuildingQuery) -> [BuildingMatch] {
    var points = yearPoints(query.years)
    var folding = Folding()
    for criterion in Criterion.all(of: query) {
      let words = criterion.words(&folding)
      // The criterion has no searchable characters, so it cannot match.
      if words.isEmpty { return [] }
      for word in words { vocabulary.add(word, in: criterion.fields, to: &points) }
    }
    let order = query.words != nil || query.name != nil ? ranks.byLength : ranks.byName
    // Combine points and rank in one number, which sorts fast.
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

  private struct Ranks {
    let byName: [Int]
    /// Indices sorted by the number of words in the name, then by name.
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
      // Break ties by index to keep the order by name.
      byLength = byName.enumerated()
        .sorted { (lengths[$0.element], $0.offset) < (lengths[$1.element], $1.offset) }
        .map(\.element)
    }
  }
}

extension Campus {
  /// Searches the buildings once. For repeated searches, keep a ``BuildingIndex``.
  public func search(_ query: BuildingQuery) -> [BuildingMatch] {
    BuildingIndex(buildings).search(query)
  }
}

/// A search result.
public struct BuildingMatch: Equatable, Codable, Sendable {
  /// The building.
  public let building: Building
  /// The total points, where lower is better; 0 if all words match the name exactly.
  public let points: Int
  /// The parsed `yearBuilt`, if it is a date.
  public let yearsBuilt: YearRange?

  private enum CodingKeys: String, CodingKey {
    case building, points
    case yearsBuilt = "years_built"
  }
}

/// A search query. A building must match every property that is not `nil`.
///
/// Words can be in any order, can be abbreviated, and can contain typing errors. Case, accents, punctuation and blank
/// strings are ignored. Strings without letters or digits, such as `?`, match nothing.
public struct BuildingQuery: Equatable, Codable, Sendable {
  /// Words from the name, abbreviation or description.
  public var words: String?
  /// Words from the name or an alternative name.
  public var name: String?
  /// The abbreviation or its first letters. Spaces are ignored; typing errors are not allowed.
  public var abbreviation: String?
  /// Words from the category.
  public var category: String?
  /// Words from the address.
  public var address: String?
  /// The years of construction. A building whose date is a range matches if the ranges overlap.
  public var years: YearRange?
  /// The maximum number of results; `nil` for all.
  public var limit: Int?

  /// Creates a query for words from the name, abbreviation or description.
  public init(_ words: String? = nil) { self.words = words }
}

struct Criterion {
  let text: String
  let fields: Set<Field>

  enum Field: UInt8, CaseIterable {
    case name, otherName, abbreviation, description, category, address
    /// The abbreviation without spaces.
    case joinedAbbreviation

    var points: Int32 {
      switch self {
      case .otherName: 1
      case .description: 10
      default: 0
      }
    }

    /// False for abbreviations, which can differ by a single letter.
    var forgivesErrors: Bool { self != .abbreviation && self != .joinedAbbreviation }
  }

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

  func words(_ folding: inout Folding) -> [SearchWord] {
    let words = folding.words(of: text)
    guard fields == [.joinedAbbreviation], !words.isEmpty else { return words.map(SearchWord.init) }
    return [SearchWord(Array(words.joined()))]
  }
}

extension Building {
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

  /// Whether a property is an alternative or translated name in OpenStreetMap.
  static func isName(_ key: String) -> Bool {
    key.hasPrefix("name:")
      || ["alt_name", "official_name", "old_name", "loc_name", "int_name"].contains(key)
  }
}

internal import CupolaSupport

// 1. `plain` converts a date to lower case and unifies hyphens and dots.
// 2. The text is split into two dates, or read as a single one.
// 3. `popBase` takes the year, decade or century from a date.
// 4. The words before it, such as "before" or "late", widen or narrow the years.

/// When something was built, or is asked to have been: from a year to a year, either of them open.
///
/// Years are of the Gregorian calendar; 480 BC is -479 (ISO 8601).
public struct YearRange: Equatable, Sendable {
  /// The first year, or `nil` for any year up to the last.
  public let first: Int?
  /// The last year, or `nil` for any year from the first.
  public let last: Int?

  /// Fails when the first year is after the last, or when there is neither.
  public init?(first: Int?, last: Int?) {
    if let first, let last, first > last { return nil }
    if first == nil, last == nil { return nil }
    self.first = first
    self.last = last
  }

  /// Whether a year can be in both.
  public func overlaps(_ other: YearRange) -> Bool {
    (first ?? .min) <= (other.last ?? .max) && (other.first ?? .min) <= (last ?? .max)
  }

  /// Whether all years of another range are in this one.
  public func contains(_ other: YearRange) -> Bool {
    (first ?? .min) <= (other.first ?? .min) && (last ?? .max) >= (other.last ?? .max)
  }
}

extension YearRange: Codable {
  private enum CodingKeys: String, CodingKey { case first, last }

  /// Reads `first` and `last`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` when they are no range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let range = YearRange(
      first: try container.decodeIfPresent(Int.self, forKey: .first),
      last: try container.decodeIfPresent(Int.self, forKey: .last))
    guard let range else {
      throw DecodingError.dataCorruptedError(
        forKey: .first, in: container, debugDescription: "no range of years")
    }
    self = range
  }
}

extension YearRange {
  /// Reads a date as OpenStreetMap's `start_date` writes it.
  ///
  /// | text | years |
  /// |---|---|
  /// | `1897`, `1897-05`, `1897-05-12`, `j:1897-05-12` | 1897 |
  /// | `~1900`, `c. 1900` | 1895 to 1905 |
  /// | `1890s`, `early 1890s`, `mid 1890s`, `late 1890s` | 1890 to 1899, 1893, from 1894 to 1896, from 1897 |
  /// | `C19`, `early C19` | 1801 to 1900, to 1834; `~C19` 25 years more on both sides |
  /// | `before 1850`, `after 1850` | to 1849, from 1850 |
  /// | `1914..1918`, `1914-1918`, `mid C17..late C17` | from the first of the one to the last of the other |
  /// | `480 BC` | -479 |
  ///
  /// Fails for all else.
  public init?(_ text: String) {
    let text = YearRange.plain(text)
    if let range = YearRange(between: text, parts: "…") ?? YearRange(single: text)
      ?? YearRange(between: text, parts: "-") ?? YearRange(between: text, parts: "/")
    {
      self = range
    } else {
      return nil
    }
  }

  /// Reads a date as people write it into a map: as OpenStreetMap does, or else the first number of
  /// four digits that may be a year, 1000 to 2199.
  init?(loosely text: String) {
    if let range = YearRange(text) {
      self = range
      return
    }
    let numbers: [Substring] = text.split { !("0"..."9").contains($0) }
    let years = numbers.compactMap { $0.count == 4 ? Int($0) : nil }
    guard let year = years.first(where: (1000...2199).contains) else { return nil }
    self.init(first: year, last: year)
  }

  /// In lower case, with one hyphen for all, and one sign for two dots.
  private static func plain(_ text: String) -> String {
    text.lowercased().reduce(into: "") { plain, character in
      switch character {
      case "–", "‐": plain.append("-")
      case "." where plain.last == ".":
        plain.removeLast()
        plain.append("…")
      default: plain.append(character)
      }
    }
  }

  /// Two dates with something between them.
  private init?(between text: String, parts separator: Character) {
    let sides = text.split(separator: separator, omittingEmptySubsequences: false)
    guard sides.count == 2, let first = YearRange(single: String(sides[0]))?.first,
      let last = YearRange(single: String(sides[1]))?.last
    else { return nil }
    self.init(first: first, last: last)
  }

  /// As in "before c. late C5 BC", and some more.
  private static let mostWords = 10

  /// One date with what is said about it.
  private init?(single text: String) {
    var words = text.split(separator: " ")
    // Each "about" reaches half as far again: a hundred would go beyond all numbers.
    guard words.count <= Self.mostWords, var years = words.popBase() else { return nil }
    if ["bc", "bce"].contains(words.last) {
      words.removeLast()
      years = Years(1 - years.last...1 - years.first, isYear: years.isYear)
    } else if ["ad", "ce"].contains(words.last) {
      words.removeLast()
    }
    // From the inside out: "before ~early C19".
    while let word = words.popLast() {
      switch word {
      case "~", "ca", "ca.", "c.", "circa", "about": years.widen()
      case "early", "mid", "late": years.narrow(to: word)
      case "before" where words.isEmpty:
        self.init(first: nil, last: years.isYear ? years.first - 1 : years.first)
        return
      case "after" where words.isEmpty:
        self.init(first: years.first, last: nil)
        return
      default: return nil
      }
    }
    self.init(first: years.first, last: years.last)
  }
}

/// A year, a decade or a century while it is read.
private struct Years {
  var first: Int
  var last: Int
  /// A whole year and no more exact: before 1850 is to 1849, before May 1850 is to 1850.
  let isYear: Bool

  init(_ range: ClosedRange<Int>, isYear: Bool = true) {
    (first, last) = (range.lowerBound, range.upperBound)
    self.isYear = isYear
  }

  /// Around that time: 5 years more on both sides, or a quarter of a century.
  mutating func widen() {
    let margin = max(5, (last - first + 1) / 4)
    (first, last) = (first - margin, last + margin)
  }

  /// The first, middle or last third.
  mutating func narrow(to part: Substring) {
    let count = last - first + 1
    let (start, end) = (first + (count + 2) / 3, last - count / 3)
    switch part {
    case "early": last = start - 1
    case "late": first = min(last, end + 1)
    default: if start <= end { (first, last) = (start, end) }
    }
  }
}

extension [Substring] {
  /// Takes the year, decade or century away, and a mark in front of it as a word of its own.
  fileprivate mutating func popBase() -> Years? {
    let era: Set<Substring> = ["bc", "bce", "ad", "ce"]
    guard let place = lastIndex(where: { !era.contains($0) }) else { return nil }
    var word = self[place]
    remove(at: place)
    if word.hasPrefix("j:") { word = word.dropFirst(2) }
    if word.hasPrefix("~") {
      word = word.dropFirst()
      insert("~", at: place)
    }
    return Years(word)
  }
}

extension Years {
  fileprivate init?(_ word: Substring) {
    if word.first == "c", let century = Int(word.dropFirst()), (1...99).contains(century) {
      self.init(century * 100 - 99...century * 100)
    } else if word.hasSuffix("0s"), let year = Years.year(word.dropLast()) {
      self.init(year...year + 9)
    } else {
      let parts = word.split(separator: "-", omittingEmptySubsequences: false)
      guard (1...3).contains(parts.count), let year = Years.year(parts[0]) else { return nil }
      for (part, range) in zip(parts.dropFirst(), [1...12, 1...31]) {
        guard part.count == 2, let number = Digits.number(part), range.contains(number) else {
          return nil
        }
      }
      self.init(year...year, isYear: parts.count == 1)
    }
  }

  private static func year(_ digits: Substring) -> Int? {
    (3...4).contains(digits.count) ? Digits.number(digits) : nil
  }
}

internal import CupolaSupport

// 1. Convert the text to lowercase and unify hyphens and dots (`plain`).
// 2. Split the text into two dates, or read a single date.
// 3. Read the year, decade or century (`popBase`).
// 4. Apply modifiers, for example "before" or "late".

/// A range of Gregorian years, which can be open at one end. 480 BC is -479 (ISO 8601).
public struct YearRange: Equatable, Sendable {
  /// The first year; `nil` if the range has no start.
  public let first: Int?
  /// The last year; `nil` if the range has no end.
  public let last: Int?

  /// Returns `nil` if the first year is after the last year, or if both are `nil`.
  public init?(first: Int?, last: Int?) {
    if let first, let last, first > last { return nil }
    if first == nil, last == nil { return nil }
    self.first = first
    self.last = last
  }

  /// Whether the ranges have at least one year in common.
  public func overlaps(_ other: YearRange) -> Bool {
    (first ?? .min) <= (other.last ?? .max) && (other.first ?? .min) <= (last ?? .max)
  }

  /// Whether this range includes all years in another range.
  public func contains(_ other: YearRange) -> Bool {
    (first ?? .min) <= (other.first ?? .min) && (last ?? .max) >= (other.last ?? .max)
  }
}

extension YearRange: Codable {
  private enum CodingKeys: String, CodingKey { case first, last }

  /// Decodes a range. Throws if it is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let range = YearRange(
      first: try container.decodeIfPresent(Int.self, forKey: .first),
      last: try container.decodeIfPresent(Int.self, forKey: .last))
    guard let range else {
      throw DecodingError.dataCorruptedError(
        forKey: .first, in: container, debugDescription: "invalid range of years")
    }
    self = range
  }
}

extension YearRange {
  /// Parses a date in OpenStreetMap's `start_date` format.
  ///
  /// | text | years |
  /// |---|---|
  /// | `1897`, `1897-05`, `1897-05-12`, `j:1897-05-12` | 1897 |
  /// | `~1900`, `c. 1900` | 1895 to 1905 |
  /// | `1890s`, `early 1890s`, `mid 1890s`, `late 1890s` | 1890 to 1899, to 1893, 1894 to 1896, from 1897 |
  /// | `C19`, `early C19` | 1801 to 1900, to 1834; `~C19` adds 25 years at both ends |
  /// | `before 1850`, `after 1850` | to 1849, from 1850 |
  /// | `1914..1918`, `1914-1918`, `mid C17..late C17` | from the start of the first to the end of the second |
  /// | `480 BC` | -479 |
  ///
  /// Returns `nil` for any other text.
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

  /// Parses an OpenStreetMap date, or otherwise uses the first four-digit number from 1000 to 2199.
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

  /// Returns lowercase text with "-" for all hyphens and "…" for two dots.
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

  private init?(between text: String, parts separator: Character) {
    let sides = text.split(separator: separator, omittingEmptySubsequences: false)
    guard sides.count == 2, let first = YearRange(single: String(sides[0]))?.first,
      let last = YearRange(single: String(sides[1]))?.last
    else { return nil }
    self.init(first: first, last: last)
  }

  private static let mostWords = 10

  private init?(single text: String) {
    var words = text.split(separator: " ")
    // Each "about" widens the range by half its length, so many of them would overflow.
    guard words.count <= Self.mostWords, var years = words.popBase() else { return nil }
    if ["bc", "bce"].contains(words.last) {
      words.removeLast()
      years = Years(1 - years.last...1 - years.first, isYear: years.isYear)
    } else if ["ad", "ce"].contains(words.last) {
      words.removeLast()
    }
    // Apply modifiers from right to left, for example "before ~early C19".
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

private struct Years {
  var first: Int
  var last: Int
  /// Whether the date is a plain year: "before 1850" ends in 1849, but "before May 1850" ends in 1850.
  let isYear: Bool

  init(_ range: ClosedRange<Int>, isYear: Bool = true) {
    (first, last) = (range.lowerBound, range.upperBound)
    self.isYear = isYear
  }

  /// Extends the range at both ends by 5 years or a quarter of its length, whichever is larger.
  mutating func widen() {
    let margin = max(5, (last - first + 1) / 4)
    (first, last) = (first - margin, last + margin)
  }

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
  /// Removes and parses the year, decade or century. A leading "~" becomes a separate word.
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

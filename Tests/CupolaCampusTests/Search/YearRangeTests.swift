import CupolaTestSupport
import Testing

@testable import CupolaCampus

@Suite("YearRange") struct YearRangeTests {
  @Test(
    "Parses OpenStreetMap dates",
    arguments: [
      ("1897", 1897, 1897), ("0897", 897, 897), ("1897-05", 1897, 1897), ("1897-05-12", 1897, 1897),
      ("j:1918-01-31", 1918, 1918), ("~1900", 1895, 1905), ("~ 1900", 1895, 1905),
      ("ca. 1900", 1895, 1905), ("C. 1900", 1895, 1905), ("circa 1900", 1895, 1905),
      ("1890s", 1890, 1899), ("1800s", 1800, 1809), ("~1940s", 1935, 1954),
      ("early 1890s", 1890, 1893), ("mid 1890s", 1894, 1896), ("Late 1920s", 1927, 1929),
      ("C19", 1801, 1900), ("early C19", 1801, 1834), ("mid C19", 1835, 1867),
      ("late C19", 1868, 1900), ("~C13", 1176, 1325), ("before 1850", nil, 1849),
      ("before 1910-01-20", nil, 1910), ("before C19", nil, 1800), ("before ~1850", nil, 1844),
      ("after 1823", 1823, nil), ("after 1890s", 1890, nil), ("1914..1918", 1914, 1918),
      ("2008-08-08..2009-08-24", 2008, 2009), ("mid C17..late C17", 1635, 1700),
      ("1914-1918", 1914, 1918), ("1914 – 1918", 1914, 1918), ("1914/1918", 1914, 1918),
      ("c. 1900..1910", 1895, 1910), ("480 BC", -479, -479), ("~480 BCE", -484, -474),
      ("C5 BC", -499, -400), ("before 480 bc", nil, -480), ("897 AD", 897, 897),
      ("early 1897", 1897, 1897), (" 1897 ", 1897, 1897),
    ] as [(String, Int?, Int?)])
  func dates(text: String, first: Int?, last: Int?) {
    let range = YearRange(text)
    #expect(range?.first == first && range?.last == last && range != nil)
    #expect(YearRange(loosely: text) == range)
  }

  @Test(
    "Rejects other texts",
    arguments: [
      "", " ", "old", "18", "18970", "1897-13", "1897-5", "1897-00", "1897-05-32", "1897-05-12-1",
      "C0", "C", "c100", "1895s", "0s", "before", "after", "~", "early", "before before 1850",
      "1918..1914", "1914..", "..1914", "1..2", "1914..1916..1918", "before 1850..1860", "BC",
      "١٨٩٧", "-1897", "1897-", "99999999999999999999", "C99999999999999999999", "built 1897",
    ])
  func noDates(text: String) { #expect(YearRange(text) == nil) }

  @Test("Handles any number of \"about\"")
  func about() {
    #expect(YearRange("~ ~ 1900") == YearRange(first: 1890, last: 1910))
    for count in [100, 110, 10_000] {
      let text = String(repeating: "about ", count: count) + "1900"
      #expect(YearRange(text) == nil)
      #expect(YearRange(loosely: text) == YearRange(first: 1900, last: 1900))
    }
  }

  @Test(
    "Finds a year in a text",
    arguments: [
      ("built 1897", 1897), ("12.5.1897", 1897), ("1897 (rebuilt 1950)", 1897), ("c1897", 1897),
      ("1869;1912", 1869), ("No 12345, 1999", 1999), ("0042 1850", 1850),
    ])
  func loosely(text: String, year: Int) {
    #expect(YearRange(loosely: text) == YearRange(first: year, last: year))
  }

  @Test(
    "Returns nil for texts without a year", arguments: ["", "unknown", "12345", "in 0999 or 2200"])
  func looselyNone(text: String) { #expect(YearRange(loosely: text) == nil) }

  @Test("Compares ranges")
  func sets() throws {
    let bounds: [Int?] = [nil] + (1...4).map(Optional.some)
    let ranges = bounds.flatMap { a in bounds.compactMap { YearRange(first: a, last: $0) } }
    #expect(ranges.count == 18)
    func years(_ range: YearRange) -> Set<Int> { Set((range.first ?? -5)...(range.last ?? 9)) }
    for a in ranges {
      for b in ranges {
        #expect(a.overlaps(b) == !years(a).isDisjoint(with: years(b)))
        #expect(a.contains(b) == years(a).isSuperset(of: years(b)))
      }
    }
    #expect(YearRange(first: 2, last: 1) == nil && YearRange(first: nil, last: nil) == nil)
  }

  @Test("Encodes and decodes ranges and rejects invalid JSON")
  func json() throws {
    for range in [YearRange("1897"), YearRange("before 1850"), YearRange("after 1850")] {
      #expect(try throughJSON(range) == range)
    }
    struct Pair: Codable { let first, last: Int? }
    for pair in [Pair(first: 2, last: 1), Pair(first: nil, last: nil)] {
      #expect(throws: DecodingError.self) { try throughJSON(pair, as: YearRange.self) }
    }
  }
}

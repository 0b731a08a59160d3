import Cupola
import CupolaTestSupport
import Testing
@testable import CupolaCampus

@Suite("BuildingIndex") struct BuildingIndexTests {
  static func labels(_ buildings: [Building], _ query: BuildingQuery) -> [String] {
    BuildingIndex(buildings).search(query).map(\.building.label)
  }

  static func town() throws -> [Building] {
    try Catalog.buildings([
      [
        "id": "lib", "name": "Old Library", "abbreviation": "OL", "category": "Library",
        "description": "Yellow brick.", "address": "Campus Green 4", "year_built": "1868",
      ],
      [
        "id": "hall", "name": "Founders Hall", "abbreviation": "FH", "category": "teaching",
        "description": "Beside the library.", "address": "Campus Green 6", "year_built": "1870s",
      ],
      [
        "id": "pol", "name": "Biblioteka Główna", "alt_name": "Main Library", "category": "library",
        "address": "Łąkowa Street 14", "year_built": "C20",
      ],
      [
        "id": "ub", "name": "Universitätsbibliothek", "abbreviation": "U.B.", "category": "library",
        "description": "Straße", "year_built": "before 1850",
      ],
      ["id": "gym", "name": "St. John's Gym", "category": "sports"],
    ])
  }

  static func query(_ set: (inout BuildingQuery) -> Void) -> BuildingQuery {
    var query = BuildingQuery()
    set(&query)
    return query
  }

  @Test(
    "Finds words in all text fields, best first",
    arguments: [
      ("old library", ["lib"]), ("library OLD", ["lib"]), ("library", ["lib", "pol", "hall"]),
      ("LIBRARY", ["lib", "pol", "hall"]), ("lib", ["lib", "pol", "hall"]),
      ("libary", ["lib", "pol", "hall"]), ("lirbary", ["lib", "pol", "hall"]),
      ("yellow", ["lib"]), ("old brick", ["lib"]), ("strasse", ["ub"]), ("STRAẞE", ["ub"]),
      ("glowna", ["pol"]), ("universitats", ["ub"]), ("bibliothek", ["ub", "pol"]),
      ("bibliotek", ["pol"]), ("fh", ["hall"]), ("ub", ["ub"]), ("u b", ["ub"]),
      ("johns gym", ["gym"]), ("John’s", ["gym"]), ("st johns", ["gym"]), ("campus", []),
      ("green", []), ("teaching", []), ("zzz", []), ("?", []), ("old zzz", []), ("gxm", []),
    ])
  func words(words: String, expected: [String]) throws {
    #expect(Self.labels(try Self.town(), BuildingQuery(words)) == expected)
  }

  @Test("Searches single fields")
  func parts() throws {
    let town = try Self.town()
    #expect(Self.labels(town, Self.query { $0.name = "main" }) == ["pol"])
    #expect(Self.labels(town, Self.query { $0.name = "brick" }) == [])
    #expect(Self.labels(town, Self.query { $0.abbreviation = "o" }) == ["lib"])
    #expect(Self.labels(town, Self.query { $0.abbreviation = "U B" }) == ["ub"])
    #expect(Self.labels(town, Self.query { $0.abbreviation = "library" }) == [])
    #expect(Self.labels(town, Self.query { $0.category = "libraries" }) == [])
    #expect(Self.labels(town, Self.query { $0.category = "LIBRÁRY" }) == ["pol", "lib", "ub"])
    #expect(Self.labels(town, Self.query { $0.category = "zoo" }) == [])
    #expect(Self.labels(town, Self.query { $0.address = "lakowa" }) == ["pol"])
    #expect(Self.labels(town, Self.query { $0.address = "green campus" }) == ["hall", "lib"])
    #expect(Self.labels(town, Self.query { $0.address = "green 4" }) == ["lib"])
  }

  @Test(
    "Matches ranges of years",
    arguments: [
      ("1868", ["lib"]), ("1875", ["hall"]), ("1860-1900", ["hall", "lib"]), ("1700", ["ub"]),
      ("1849", ["ub"]), ("1850", []), ("C20", ["pol"]), ("before 1869", ["lib", "ub"]),
      ("after 1990", ["pol"]), ("1865-1872", ["lib", "hall"]),
    ])
  func years(years: String, expected: [String]) throws {
    let query = Self.query { $0.years = YearRange(years) }
    #expect(Self.labels(try Self.town(), query) == expected)
  }

  @Test("Requires all criteria to match")
  func together() throws {
    let town = try Self.town()
    var query = BuildingQuery("library")
    query.category = "library"
    #expect(Self.labels(town, query) == ["lib", "pol"])
    query.years = YearRange("1900-1950")
    #expect(Self.labels(town, query) == ["pol"])
    query.address = "green"
    #expect(Self.labels(town, query) == [])
    query = Self.query { $0.category = "library" }
    query.years = YearRange("1800-1870")
    #expect(Self.labels(town, query) == ["lib", "ub"])
    query.limit = 1
    #expect(Self.labels(town, query) == ["lib"])
  }

  @Test("Ignores blank texts; an empty query returns all buildings")
  func blank() throws {
    let town = try Self.town()
    let all = ["pol", "hall", "lib", "gym", "ub"]
    #expect(Self.labels(town, BuildingQuery()) == all)
    #expect(
      Self.labels(
        town,
        Self.query {
          $0.words = " "; $0.name = ""; $0.years = nil
        }
      ).count == 5)
    #expect(Self.labels([], BuildingQuery("hall")) == [])
    #expect(Self.labels(town, Self.query { $0.limit = 0 }) == [])
    #expect(Self.labels(town, Self.query { $0.limit = -1 }) == [])
  }

  @Test(
    "Ranks matches by kind",
    arguments: [
      ("observatory", ["0", "1", "2", "3", "4", "5", "6"], [0, 0, 1, 2, 3, 4, 5]),
      ("hall", ["a"], [3]),
    ])
  func ranking(words: String, labels: [String], points: [Int]) throws {
    let names =
      words == "hall"
      ? [("a", "Holl")]
      : [
        ("0", "Observatory"), ("1", "Royal Observatory"), ("2", "Observatorysomething"),
        ("3", "Newobservatory"), ("4", "Obsevatory"), ("5", "Obsevatoryhouse"), ("6", "Obsevatoyr"),
      ]
    let buildings = try Catalog.buildings(names.map { ["id": $0.0, "name": $0.1] })
    let matches = BuildingIndex(buildings).search(BuildingQuery(words))
    #expect(matches.map(\.building.label) == labels)
    #expect(matches.map(\.points) == points)
  }

  @Test(
    "Allows one error from 4 letters, two from 8, none with digits",
    arguments: [
      ("hll", "hall", false), ("hxll", "hall", true), ("hxlx", "hall", false),
      ("labratry", "laboratory", true), ("labatry", "laboratory", false), ("19o0", "1900", false),
      ("1901", "1900", false), ("ausa", "hausa1234b", true), ("usa1", "hausa1234b", false),
      ("2345", "12345", false), ("1234", "12345", true), ("b1200", "b1201", false),
      ("xall", "hall", true),
      ("xallway", "hall", false), ("xallw", "hallway", false), ("hxllw", "hallway", true),
    ])
  func errors(typed: String, name: String, isFound: Bool) throws {
    let found = Self.labels(try Catalog.named(name), BuildingQuery(typed))
    #expect(found == (isFound ? ["0"] : []))
  }

  @Test("Agrees with a naive search", arguments: 1...60)
  func twin(seed: UInt64) throws {
    var generator = SplitMix64(seed: seed)
    let buildings = try Catalog.buildings(Self.random(40, using: &generator))
    let index = BuildingIndex(buildings)
    for _ in 0..<20 {
      let query = Self.randomQuery(using: &generator)
      let matches = index.search(query)
      let expected = NaiveSearch.search(buildings, query)
      #expect(matches.map(\.building.label) == expected.map(\.0), "\(query)")
      #expect(matches.map(\.points) == expected.map(\.1), "\(query)")
    }
  }

  @Test("Encodes and decodes queries and results")
  func json() throws {
    var query = BuildingQuery("hall")
    query.name = "a"
    query.years = YearRange("1890s")
    query.limit = 3
    #expect(try throughJSON(query) == query)
    #expect(try throughJSON(BuildingQuery()) == BuildingQuery())
    let matches = BuildingIndex(try Self.town()).search(BuildingQuery("library"))
    #expect(try throughJSON(matches) == matches)
  }

  @Test("Handles very long words quickly")
  func longWords() throws {
    let long = String(repeating: "abcdefghij", count: 20_000)
    let buildings = try Catalog.named(long, "Hall", long + "x")
    #expect(Self.labels(buildings, BuildingQuery(long)) == ["0", "2"])
    #expect(Self.labels(buildings, BuildingQuery("hall " + long)) == [])
  }

  // MARK: - Random catalogs

  /// Words of few letters, so that many are similar.
  static func word(using generator: inout SplitMix64) -> String {
    let count = Int.random(in: 1...10, using: &generator)
    return String((0..<count).map { _ in "aábc1Ł".randomElement(using: &generator) ?? "a" })
  }

  static func text(using generator: inout SplitMix64) -> String {
    (0..<Int.random(in: 1...3, using: &generator)).map { _ in word(using: &generator) }
      .joined(separator: " ")
  }

  static func random(_ count: Int, using generator: inout SplitMix64) -> [[String: String]] {
    (0..<count).map { number in
      var record = ["id": "\(number)", "name": text(using: &generator)]
      for key in ["abbreviation", "description", "category", "address", "alt_name", "name:en"]
      where Bool.random(using: &generator) {
        record[key] = text(using: &generator)
      }
      let dates = ["1900", "1890s", "C19", "~1905", "before 1900", "after 1900", "built 1901", "?"]
      record["year_built"] = dates.randomElement(using: &generator)
      return record
    }
  }

  static func randomQuery(using generator: inout SplitMix64) -> BuildingQuery {
    var query = BuildingQuery()
    func sometimes(_ text: String, _ generator: inout SplitMix64) -> String? {
      Int.random(in: 0..<3, using: &generator) == 0 ? text : nil
    }
    query.words = sometimes(word(using: &generator), &generator)
    query.name = sometimes(text(using: &generator), &generator)
    query.abbreviation = sometimes(word(using: &generator), &generator)
    query.category = sometimes(word(using: &generator), &generator)
    query.address = sometimes(word(using: &generator), &generator)
    let dates = ["1900", "1895-1905", "before 1890", "C20", "nothing"]
    query.years = dates.randomElement(using: &generator).flatMap { YearRange($0) }
    query.limit = Bool.random(using: &generator) ? nil : 5
    return query
  }
}

@Suite("TypingErrors") struct TypingErrorsTests {
  static func count(_ typed: String, _ word: String, limit: Int) -> (whole: Int?, beginning: Int?) {
    var errors = TypingErrors()
    return errors.count(
      typed: typed.unicodeScalars.map(\.value), word: word.unicodeScalars.map(\.value),
      limit: limit)
  }

  @Test(
    "Counts inserted, missing, wrong and swapped letters",
    arguments: [
      ("library", "library", 0, 0), ("libary", "library", 1, 1), ("librarry", "library", 1, 1),
      ("lybrary", "library", 1, 1), ("ilbrary", "library", 1, 1), ("lirbayr", "library", 2, 2),
      ("libr", "library", nil, 0), ("lbir", "library", nil, 1), ("zzzz", "library", nil, nil),
      // Restricted distance: swapped letters are not changed again.
      ("ca", "abc", nil, 1), ("acb", "bc", 2, 2), ("ca", "abcd", nil, 1),
    ] as [(String, String, Int?, Int?)])
  func counts(typed: String, word: String, whole: Int?, beginning: Int?) {
    let count = Self.count(typed, word, limit: 2)
    #expect(count.whole == whole && count.beginning == beginning)
  }

  @Test("Agrees with the definition", arguments: 1...300)
  func twin(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    func word() -> String {
      String(
        (0..<Int.random(in: 1...9, using: &generator)).map { _ in
          "abc".randomElement(using: &generator) ?? "a"
        })
    }
    let (typed, word) = (word(), word())
    let limit = Int.random(in: 0...3, using: &generator)
    let count = Self.count(typed, word, limit: limit)
    func bounded(_ errors: Int?) -> Int? { errors.flatMap { $0 <= limit ? $0 : nil } }
    #expect(count.whole == bounded(NaiveSearch.distance(typed, word)))
    let beginnings = (0...word.count).map { NaiveSearch.distance(typed, String(word.prefix($0))) }
    #expect(count.beginning == bounded(beginnings.min()))
  }
}

@testable import CupolaCampus
@testable import CupolaSupport

/// A naive implementation of the documented search.
enum NaiveSearch {
  /// Labels with points, best first.
  static func search(_ buildings: [Building], _ query: BuildingQuery) -> [(String, Int)] {
    let found = buildings.indices.compactMap { index in
      points(of: buildings[index], query).map { (index, $0) }
    }
    let byLength = query.words != nil || query.name != nil
    let sorted = found.sorted { a, b in
      if a.1 != b.1 { return a.1 < b.1 }
      let (first, second) = (words(buildings[a.0].name), words(buildings[b.0].name))
      if byLength, first.count != second.count { return first.count < second.count }
      let (one, other) = (first.joined(separator: " "), second.joined(separator: " "))
      if one != other { return one < other }
      let labels = (buildings[a.0].label, buildings[b.0].label)
      return labels.0 != labels.1 ? labels.0 < labels.1 : a.0 < b.0
    }
    return sorted.prefix(query.limit ?? .max).map { (buildings[$0.0].label, $0.1) }
  }

  static func points(of building: Building, _ query: BuildingQuery) -> Int? {
    var total = 0
    if let asked = query.years {
      guard let built = building.yearBuilt.flatMap(YearRange.init(loosely:)),
        built.overlaps(asked)
      else { return nil }
      total += asked.contains(built) ? 0 : 2
    }
    let short = words(building.abbreviation ?? "")
    let otherNames = ["alt_name", "name:en"].compactMap { building.properties[$0]?.text }
    func best(_ word: String, _ places: [([String], extra: Int, errors: Bool)]) -> Int? {
      places.flatMap { place in
        place.0.compactMap { points(word, $0, errors: place.errors) }.map { $0 + place.extra }
      }.min()
    }
    let names = [
      (words(building.name), extra: 0, errors: true), (otherNames.flatMap(words), 1, true),
    ]
    let abbreviations = [(short, extra: 0, errors: false), ([short.joined()], 0, false)]
    let description = [(words(building.description ?? ""), extra: 10, errors: true)]
    var wanted: [(String, [([String], extra: Int, errors: Bool)])] = []
    wanted += words(query.words ?? "").map { ($0, names + abbreviations + description) }
    wanted += words(query.name ?? "").map { ($0, names) }
    wanted += words(query.category ?? "").map { ($0, [(words(building.category ?? ""), 0, true)]) }
    wanted += words(query.address ?? "").map { ($0, [(words(building.address ?? ""), 0, true)]) }
    if let abbreviation = query.abbreviation {
      wanted.append((words(abbreviation).joined(), [([short.joined()], 0, false)]))
    }
    for (word, places) in wanted {
      guard let points = best(word, places) else { return nil }
      total += points
    }
    return total
  }

  /// The points of a query word for a catalog word.
  static func points(_ typed: String, _ word: String, errors: Bool = true) -> Int? {
    if typed == word { return 0 }
    if word.hasPrefix(typed) { return 1 }
    let isLong = typed.count >= 4 && !typed.contains(where: \.isNumber)
    guard errors, isLong else { return nil }
    if word.contains(typed) { return 2 }
    for count in 1...(typed.count >= 8 ? 2 : 1) {
      if distance(typed, word) == count { return 1 + 2 * count }
      let beginnings = (1...word.count).map { word.prefix($0) }
      if typed.first == word.first,
        beginnings.contains(where: { distance(typed, String($0)) == count })
      {
        return 2 + 2 * count
      }
    }
    return nil
  }

  /// The restricted Damerau-Levenshtein distance by its definition.
  static func distance(_ a: String, _ b: String) -> Int {
    let (a, b) = (Array(a), Array(b))
    var known: [[Int?]] = Array(
      repeating: Array(repeating: nil, count: b.count + 1), count: a.count + 1)
    func distance(_ i: Int, _ j: Int) -> Int {
      if let value = known[i][j] { return value }
      var value = max(i, j)
      if i > 0, j > 0 {
        value = min(
          distance(i - 1, j) + 1, distance(i, j - 1) + 1,
          distance(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1))
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          value = min(value, distance(i - 2, j - 2) + 1)
        }
      }
      known[i][j] = value
      return value
    }
    return distance(a.count, b.count)
  }

  static func words(_ text: String) -> [String] {
    var folding = Folding()
    return folding.words(of: text).map { word in
      String(String.UnicodeScalarView(word.compactMap(Unicode.Scalar.init)))
    }
  }
}

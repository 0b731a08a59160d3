internal import CupolaSupport

/// Every word of a catalog once, with where it stands: an inverted index.
struct Vocabulary: Sendable {
  /// Stands for a building that a query does not find.
  static let notFound = Int32.max

  private struct Place {
    let building: Int32
    let field: Criterion.Field
  }

  private let words: [SearchWord]
  /// Where each word stands is from its start up to the next one's.
  private let starts: [Int]
  private let places: [Place]
  private let buildingCount: Int

  init(_ buildings: [Building], _ folding: inout Folding) {
    var numbers: [[UInt32]: Int] = [:]
    var words: [SearchWord] = []
    var places: [[Place]] = []
    for (index, building) in buildings.enumerated() {
      for (field, texts) in building.words(&folding) {
        for text in Set(texts) {
          let place = Place(building: Int32(index), field: field)
          if let number = numbers[text] {
            places[number].append(place)
          } else {
            numbers[text] = words.count
            words.append(SearchWord(text))
            places.append([place])
          }
        }
      }
    }
    self.words = words
    starts = places.reduce(into: [0]) { $0.append(($0.last ?? 0) + $1.count) }
    self.places = places.flatMap(\.self)
    buildingCount = buildings.count
  }

  /// Adds the points of one word of a query to each building's; buildings without it are found no
  /// more.
  func add(_ query: SearchWord, in fields: Set<Criterion.Field>, to points: inout [Int32]) {
    var best = [Int32](repeating: Vocabulary.notFound, count: buildingCount)
    var errors = TypingErrors()
    let allowed = Criterion.Field.allCases.map(fields.contains)
    for (number, word) in words.enumerated() {
      guard let cost = query.points(in: word, &errors) else { continue }
      for place in places[starts[number]..<starts[number + 1]] {
        guard allowed[Int(place.field.rawValue)], cost < 2 || place.field.forgivesErrors else {
          continue
        }
        let index = Int(place.building)
        best[index] = min(best[index], Int32(cost) + place.field.points)
      }
    }
    for index in points.indices where points[index] != Vocabulary.notFound {
      points[index] =
        best[index] == Vocabulary.notFound ? Vocabulary.notFound : points[index] + best[index]
    }
  }
}

internal import CupolaCampus
internal import CupolaSupport

// 1. Names, numbers and kinds of all places go into one index of words.
// 2. Matches that the text names or numbers as a whole come first.
// 3. "Meant" are all of that name, else all of that kind, of that number, or the best match.

/// Finds places by what people type: names, numbers, kinds; typing errors are forgiven as in ``BuildingIndex``.
struct PlaceIndex: Sendable {
  private let places: [Place]
  private let index: BuildingIndex

  init(_ places: [Place]) {
    self.places = places
    index = BuildingIndex(
      places.enumerated().map { number, place in
        Building(
          // The label leads back to the place; it is not what people search for.
          label: String(number), name: place.name ?? place.title,
          abbreviation: place.ref ?? place.tags["short_name"], category: nil,
          description: place.tags["description"], properties: Self.otherNames(of: place))
      })
  }

  /// Other names, the kind among them.
  private static func otherNames(of place: Place) -> [String: JSONValue] {
    var names = place.tags.filter { isName($0.key) }
    names["name:kind"] = kind(of: place)
    // Of two abbreviations the index has one.
    if let short = place.tags["short_name"], short != place.ref { names["name:short"] = short }
    return names.mapValues { .string($0) }
  }

  /// Whether a tag is another name; there may be several in it, with semicolons between them.
  private static func isName(_ key: String) -> Bool { key.hasSuffix("_name") || key == "name:en" }

  private static func otherNames(in tags: [String: String]) -> [String] {
    tags.filter { isName($0.key) }.values.flatMap { $0.split(separator: ";").map(String.init) }
  }

  /// What places of a kind are called, also by people who do not tag maps.
  private static func kind(of place: Place) -> String {
    // There may be several, as `restaurant;cafe`.
    let categories = (place.category ?? "").tagValues.map(String.init)
    let words = categories.map { $0.replacing("_", with: " ") }
    let more = categories.compactMap { synonyms[$0] }
    let kind = place.kind == .poi ? [] : [place.kind.rawValue]
    return (kind + words + more).joined(separator: " ")
  }

  private static let synonyms: [String: String] = [
    "toilets": "toilet restroom bathroom wc", "cafe": "coffee", "bus_stop": "bus",
    "restaurant": "food", "fast_food": "food", "atm": "cash", "bank": "cash",
    "defibrillator": "aed", "pharmacy": "chemist", "parking": "car park", "stairs": "steps",
    "elevator": "lift", "canteen": "food", "drinking_water": "water",
  ]

  func search(_ text: String, limit: Int?) -> [Place] { matches(text, limit: limit).map(\.place) }

  /// What somebody who types a text means: places of that very name, or all of that kind, or of that very number, or
  /// of which it is another name, or else the best match.
  func meant(by text: String) -> [Place] {
    var folding = Folding()
    let asked = folding.words(of: text)
    if asked.isEmpty { return [] }
    let matches = matches(text, limit: nil)
    let named = matches.filter { $0.isNamed }
    let ofKind = matches.filter { match in
      let kinds = folding.words(of: Self.kind(of: match.place))
      return match.place.kind != .building && asked.allSatisfy(kinds.contains)
    }
    // Toilets with and without a name are toilets, but the building `Library` is no other library.
    if !ofKind.isEmpty, ofKind.count(where: \.isNamed) == named.count {
      return (named + ofKind.filter { !$0.isNamed }).map(\.place)
    }
    if !named.isEmpty { return named.map(\.place) }
    let numbered = matches.filter(\.isNumbered)
    if !numbered.isEmpty { return numbered.map(\.place) }
    let namedToo = matches.filter(\.isNamedToo)
    return (namedToo.isEmpty ? Array(matches.prefix(1)) : namedToo).map(\.place)
  }

  private struct Match: Equatable {
    let place: Place
    /// Whether the text is all of its name, or "room" and its number.
    let isNamed: Bool
    /// Whether the text is all of its number.
    let isNumbered: Bool
    /// Whether the text is all of another name of it, such as the English one.
    let isNamedToo: Bool

    var isFirst: Bool { isNamed || isNumbered || isNamedToo }
  }

  /// Those that the text names or numbers come first: by its words alone 1.1 is 1.6 as well, which has a 1, too.
  private func matches(_ text: String, limit: Int?) -> [Match] {
    var asked = VeryName(text)
    let found = index.search(BuildingQuery(text)).compactMap { match -> Match? in
      guard let number = Int(match.building.label) else { return nil }
      let place = places[number]
      let isNamed =
        asked.isSame(as: place.name ?? place.title) || asked.isSame(as: place.roomNumber)
      return Match(
        place: place, isNamed: isNamed, isNumbered: asked.isSame(as: place.ref),
        isNamedToo: Self.otherNames(in: place.tags).contains { asked.isSame(as: $0) })
    }
    let all = found.filter(\.isFirst) + found.filter { !$0.isFirst }
    return Array(all.prefix(max(0, limit ?? .max)))
  }
}

extension Place {
  /// What people call a room by its number, also one that has a name.
  fileprivate var roomNumber: String? { kind == .room ? ref.map { "room \($0)" } : nil }
}

/// Whether a text is all of what something is called, and not only a part of it.
package struct VeryName {
  private var folding = Folding()
  private let words: [[UInt32]]

  package init(_ text: String) { words = folding.words(of: text) }

  package mutating func isSame(as name: String?) -> Bool {
    name.map { folding.words(of: $0) == words } ?? false
  }
}

extension Place {
  package func isCalled(_ text: String) -> Bool {
    var asked = VeryName(text)
    return id == text || asked.isSame(as: name ?? title)
  }
}

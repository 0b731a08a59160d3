internal import CupolaCampus

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
    var names = place.tags.filter { $0.key.hasSuffix("_name") || $0.key == "name:en" }
    names["name:kind"] = kind(of: place)
    return names.mapValues { .string($0) }
  }

  /// What places of a kind are called, also by people who do not tag maps.
  private static func kind(of place: Place) -> String {
    let category = place.category?.replacing("_", with: " ") ?? ""
    let more = synonyms[place.category ?? ""] ?? ""
    return [place.kind == .poi ? "" : place.kind.rawValue, category, more].filter { !$0.isEmpty }
      .joined(separator: " ")
  }

  private static let synonyms: [String: String] = [
    "toilets": "toilet restroom bathroom wc", "cafe": "coffee", "bus_stop": "bus",
    "restaurant": "food", "fast_food": "food", "atm": "cash", "bank": "cash",
    "defibrillator": "aed", "pharmacy": "chemist", "parking": "car park", "stairs": "steps",
    "elevator": "lift", "canteen": "food", "drinking_water": "water",
  ]

  /// The best first.
  func search(_ text: String, limit: Int?) -> [Place] { matches(text, limit: limit).map(\.place) }

  /// What somebody who types a text means: places of that very name, or all of that kind, or else the best match.
  func meant(by text: String) -> [Place] {
    let matches = matches(text, limit: nil)
    var folding = Folding()
    let asked = folding.words(of: text)
    if asked.isEmpty { return [] }
    let named = matches.filter { folding.words(of: $0.place.name ?? $0.place.title) == asked }
    let ofKind = matches.filter { match in
      let kinds = folding.words(of: Self.kind(of: match.place))
      return match.place.kind != .building && asked.allSatisfy(kinds.contains)
    }
    // Toilets with and without a name are toilets, but the building `Library` is no other library.
    if !ofKind.isEmpty, named.allSatisfy(ofKind.contains) {
      return (named + ofKind.filter { !named.contains($0) }).map(\.place)
    }
    return (named.isEmpty ? Array(matches.prefix(1)) : named).map(\.place)
  }

  private struct Match: Equatable {
    let place: Place
    let points: Int
  }

  private func matches(_ text: String, limit: Int?) -> [Match] {
    var query = BuildingQuery(text)
    query.limit = limit
    return index.search(query).compactMap { match in
      Int(match.building.label).map { Match(place: places[$0], points: match.points) }
    }
  }
}

internal import CupolaSupport

// 1. Collect photo labels without a building, and buildings without photos.
// 2. Normalize labels, names and abbreviations, and find buildings whose letters are the same (`Names`).
// 3. Join a label and a building if they match only each other; all other matches are doubtful.
// 4. Search for similar names for the remaining labels.
// 5. `Campus.joined(by:)` writes the photo labels to the map.

/// Matches photo labels to buildings with other labels, for example `knott_hall` to "Knott Hall" (`way/101`).
///
/// Considers only labels without a building and buildings without photos. Two names match if their letters and digits
/// are equal after ``Folding``. Separators are ignored, except between digits.
package struct LabelMatching: Equatable, Sendable {
  package struct Pair: Equatable, Sendable {
    package let label: String
    package let building: Building
    package var title: String {
      building.name == building.label ? building.name : "\(building.name) (\(building.label))"
    }
  }

  /// Labels and buildings that match only each other, sorted by label.
  package private(set) var joined: [Pair] = []
  /// Possible pairs, whose names are ambiguous or only similar.
  package private(set) var doubtful: [Pair] = []

  /// The minimum length of a label to search for similar names; shorter labels have too many.
  private static let shortest = 4

  /// Matches photo labels to buildings. Ignores background labels, which start with `_`.
  package init(_ labels: some Sequence<String>, _ buildings: [Building]) {
    let labels = Set(labels).filter { !$0.hasPrefix("_") }
    let unmet = labels.subtracting(buildings.map(\.label)).sorted()
    guard !unmet.isEmpty else { return }
    var names = Names(of: buildings.filter { !labels.contains($0.label) })
    let found = unmet.map { names.buildings(called: $0) }
    let claims = Dictionary(grouping: found.joined()) { $0 }.mapValues(\.count)
    for (label, buildings) in zip(unmet, found) {
      guard let first = buildings.first else { continue }
      let pair = Pair(label: label, building: names.buildings[first])
      if buildings.count == 1, claims[first] == 1 {
        joined.append(pair)
      } else {
        doubtful.append(pair)
      }
    }
    let others = zip(unmet, found).filter { $1.isEmpty }.map(\.0)
    doubtful += names.near(others, but: Set(joined.map(\.building.label)))
    doubtful.sort { $0.label < $1.label }
  }

  /// An index of buildings by each of their names.
  package struct Names: Sendable {
    fileprivate let buildings: [Building]
    private var numbers: [[UInt32]: Set<Int>] = [:]
    private var folding = Folding()

    package init(of all: [Building]) {
      var firsts: [String: Int] = [:]
      buildings = all.filter { building in
        guard firsts[building.label] == nil else { return false }
        firsts[building.label] = firsts.count
        return true
      }
      for building in all {
        for name in building.names {
          let key = key(name)
          if let number = firsts[building.label] { numbers[key, default: []].insert(number) }
        }
      }
      numbers[[]] = nil
    }

    /// Returns the only building with this name, or `nil` if there is none or more than one.
    package func building(called label: String) -> Building? {
      guard !label.hasPrefix("_") else { return nil }
      // Copy, because the folding cache is mutable.
      var names = self
      let found = names.buildings(called: label)
      return found.count == 1 ? buildings[found[0]] : nil
    }

    fileprivate mutating func buildings(called label: String) -> [Int] {
      (numbers[key(label)] ?? []).sorted()
    }

    /// Finds buildings with similar names and the same digits.
    fileprivate mutating func near(_ labels: [String], but joined: Set<String>) -> [Pair] {
      guard !labels.isEmpty else { return [] }
      let index = BuildingIndex(buildings.filter { !joined.contains($0.label) })
      return labels.compactMap { label in
        let own = key(label)
        guard own.count >= LabelMatching.shortest else { return nil }
        var query = BuildingQuery()
        query.name = label
        return index.search(query).lazy.map(\.building).first { building in
          building.names.contains { key($0).filter(Names.isDigit) == own.filter(Names.isDigit) }
        }.map { Pair(label: label, building: $0) }
      }
    }

    /// Returns a name's letters and digits, with a space between adjacent numbers.
    private mutating func key(_ text: String) -> [UInt32] {
      folding.words(of: text).reduce(into: []) { key, word in
        if let last = key.last, let first = word.first, Names.isDigit(last), Names.isDigit(first) {
          key.append(0x20)
        }
        key += word
      }
    }

    private static func isDigit(_ letter: UInt32) -> Bool { (0x30...0x39).contains(letter) }
  }
}

extension Building {
  /// The label and all names. OpenStreetMap separates multiple names with semicolons.
  fileprivate var names: [String] {
    let others = properties.filter {
      Self.isName($0.key) || ["short_name", "ref"].contains($0.key)
    }
    let texts = [name, abbreviation].compactMap(\.self) + others.compactMap(\.value.text)
    return [label] + texts.flatMap { $0.split(separator: ";").map(String.init) }
  }
}

extension Campus {
  /// Returns the map in which matched buildings have their photo labels. Names are kept.
  package func joined(by matching: LabelMatching) -> Campus {
    let labels = Dictionary(
      matching.joined.map { ($0.building.label, (label: $0.label, name: String?.none)) }
    ) { first, _ in first }
    guard !labels.isEmpty, case .object(var map) = root, case .array(let features) = map["features"]
    else { return self }
    map["features"] = .array(features.map { Self.relabeled($0, labels) })
    // Changing labels does not make a map invalid.
    return (try? Campus(MapReader(root: .object(map)))) ?? self
  }

  /// Gives a building another label, and another name unless that is `nil`.
  static func relabeled(
    _ value: JSONValue, _ labels: [String: (label: String, name: String?)]
  ) -> JSONValue {
    guard case .object(var feature) = value, case .object(var own) = feature["properties"] else {
      return value
    }
    let read = GeoJSON.Feature(feature)
    guard read.role == .building, let old = read.label, let new = labels[old] else { return value }
    own["label"] = .string(new.label)
    if let name = new.name ?? (read.name == nil ? old : nil) { own["name"] = .string(name) }
    feature["properties"] = .object(own)
    return .object(feature)
  }
}

internal import CupolaSupport

// 1. Labels of photos without a building and buildings without photos are collected.
// 2. `Names` folds labels, names and abbreviations, and finds the buildings with the same letters.
// 3. One label and one building that match only each other are joined; others are doubtful.
// 4. A search finds similar names for the labels that match none.
// 5. `Campus.joined(by:)` writes the labels of photos into the map.

/// Which buildings of a map are those of photos that call them otherwise: a folder `knott_hall`, and OpenStreetMap's
/// `way/101` with the name "Knott Hall".
///
/// Asked about are labels of photos that no building has, and buildings whose labels no photos have. A building meets
/// photos by its label, name, abbreviation or another name of the map: texts are the same whose letters and digits are once
/// folded (``Folding``), whatever parts them, but between digits.
package struct LabelMatching: Equatable, Sendable {
  /// A label of photos, and a building that has another.
  package struct Pair: Equatable, Sendable {
    package let label: String
    package let building: Building
    /// The building as people find it on the map.
    package var title: String {
      building.name == building.label ? building.name : "\(building.name) (\(building.label))"
    }
  }

  /// One label and one building that mean each other, sorted by label.
  package private(set) var joined: [Pair] = []
  /// A label that several buildings have as a name, or of several that one building has, or that is nearly a name, and the
  /// building that was perhaps meant.
  package private(set) var doubtful: [Pair] = []

  /// In shorter labels too much is nearly the same.
  private static let shortest = 4

  /// - Parameters:
  ///   - labels: of photos; those of backgrounds, which begin with `_`, are left out.
  ///   - buildings: those of the map.
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

  /// The buildings that photos may mean, by all that they are called.
  package struct Names: Sendable {
    /// The first of each label.
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

    /// The only building that a label of photos means by what it is called; `nil` where none is called so, or several are.
    package func building(called label: String) -> Building? {
      guard !label.hasPrefix("_") else { return nil }
      // Folding keeps what it has looked up, here for this label.
      var names = self
      let found = names.buildings(called: label)
      return found.count == 1 ? buildings[found[0]] : nil
    }

    fileprivate mutating func buildings(called label: String) -> [Int] {
      (numbers[key(label)] ?? []).sorted()
    }

    /// What a search finds by labels that are nobody's name, in buildings of the same numbers.
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

    /// The letters and digits of a text, with a blank where two numbers would become one.
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
  /// All that it is called, its label included; OpenStreetMap puts several names into one text.
  fileprivate var names: [String] {
    let others = properties.filter {
      Self.isName($0.key) || ["short_name", "ref"].contains($0.key)
    }
    let texts = [name, abbreviation].compactMap(\.self) + others.compactMap(\.value.text)
    return [label] + texts.flatMap { $0.split(separator: ";").map(String.init) }
  }
}

extension Campus {
  /// The map with the labels of photos at the buildings that they mean; what these are called stays.
  package func joined(by matching: LabelMatching) -> Campus {
    let labels = Dictionary(matching.joined.map { ($0.building.label, $0.label) }) { first, _ in
      first
    }
    guard !labels.isEmpty, case .object(var map) = root, case .array(let features) = map["features"]
    else { return self }
    map["features"] = .array(features.map { Self.relabeled($0, labels) })
    // A label more breaks no map.
    return (try? Campus(MapReader(root: .object(map)))) ?? self
  }

  private static func relabeled(_ value: JSONValue, _ labels: [String: String]) -> JSONValue {
    guard case .object(var feature) = value, case .object(var own) = feature["properties"] else {
      return value
    }
    let properties = GeoJSON.Feature.flattened(own)
    let read = GeoJSON.Feature(id: feature["id"], geometry: nil, properties: properties)
    guard read.role == .building, let old = read.label, let new = labels[old] else { return value }
    own["label"] = .string(new)
    if (properties["name"]?.text ?? "").isEmpty { own["name"] = .string(old) }
    feature["properties"] = .object(own)
    return .object(feature)
  }
}

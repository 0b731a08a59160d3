import Cupola

/// What `cupola train` and `check` say of labels and a map.
enum MapMessages {
  /// Labels that one message names; `cupola check` names all.
  private static let named = 3

  /// Which buildings go by the label of photos; `nil` where none does.
  static func note(_ matching: LabelMatching?) -> String? {
    guard let joined = matching?.joined, !joined.isEmpty else { return nil }
    return "joined with the map: " + list(joined.map { "\($0.building.name) is \($0.label)" })
  }

  /// Labels of a model that its map lacks.
  static func warnings(_ model: Model, _ matching: LabelMatching?) -> [String] {
    guard let campus = model.campus else { return [] }
    let labels = model.labels.buildings.map { model.labels.names[$0] }
    let doubtful = (matching?.doubtful ?? []).filter { labels.contains($0.label) }
    let missing = labels.filter { campus.building(labeled: $0) == nil }
    var warnings: [String] = []
    if !doubtful.isEmpty {
      warnings.append(
        "perhaps the same building twice: "
          + list(doubtful.map { "\($0.label) and \($0.title) of the map" })
          + "; give the building this label, or the folder its name")
    }
    if missing.count == labels.count, labels.count > 1 {
      warnings.append(
        "no label is in the map; give its buildings the names of the folders as label, id or name")
    } else {
      let others = missing.filter { label in !doubtful.contains { $0.label == label } }
      if others.count == 1 {
        warnings.append(
          "\(others[0]) is not in the map; give a building there this label, id or name")
      } else if !others.isEmpty {
        warnings.append(
          "\(others.count) labels are not in the map: \(list(others)); give buildings there these labels, "
            + "ids or names")
      }
    }
    return warnings
  }

  private static func list(_ texts: [String]) -> String {
    let rest = texts.count - named
    return texts.prefix(named).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }
}

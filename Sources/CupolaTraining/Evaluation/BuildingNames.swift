internal import Cupola

extension Campus? {
  /// The building's name in the catalog, or else its label.
  package func name(of label: String) -> String { self?.building(labeled: label)?.name ?? label }
}

/// What people call the buildings of an evaluation: by the names of the map where it has them.
struct BuildingNames: Sendable {
  private let campus: Campus?
  /// Names that stand for several labels, so that they tell none of these apart.
  private let shared: Set<String>

  /// - Parameter labels: what is told apart.
  init(_ campus: Campus?, labels: [String]) {
    self.campus = campus
    let counts = Dictionary(grouping: Set(labels)) { campus.name(of: $0) }
    shared = Set(counts.filter { $0.value.count > 1 }.keys)
  }

  /// A name; one that several buildings have comes with its label.
  subscript(label: String) -> String {
    let name = campus.name(of: label)
    return shared.contains(name) && name != label ? "\(name) (\(label))" : name
  }

  /// The label, to be shown beside a name that differs.
  func label(besideNameOf label: String) -> String? { self[label] == label ? nil : label }
}

extension EvaluationReport {
  /// What people call the buildings.
  var names: BuildingNames {
    let campus = card?.recognizer.model.campus
    return BuildingNames(
      campus, labels: evaluation.confusion.labels + (campus?.buildings.map(\.label) ?? []))
  }
}

internal import Cupola

/// Buildings that a table has for the test alone.
enum OnlyTestedRule: CheckRule {
  static func findings(in material: CheckMaterial) -> [CheckFinding] {
    nothingTrains(in: material)
      + finding(
        .onlyTested, material.set.onlyTested.map { CheckFinding.Item($0) },
        { "\($0) of which no photo trains" },
        advice: "let some photos train, or write test_unknown: it counts as an unknown building",
        noun: "building")
  }

  /// Of all buildings, where backgrounds may train.
  private static func nothingTrains(in material: CheckMaterial) -> [CheckFinding] {
    let photos = material.buildings.values.flatMap { $0.map(\.traits.photo) }
    guard !photos.isEmpty, photos.allSatisfy({ $0.split == .test }) else { return [] }
    return [
      CheckFinding(
        kind: .nothingTrains, message: "no building has usable photos to train with",
        advice: "let some photos train, by the split train in the table or by a folder train",
        items: [])
    ]
  }
}

extension PhotoSet {
  /// Buildings of which the table has photos for the test alone, though others train: no model names
  /// them, and `cupola evaluate` counts them as unknown.
  package var onlyTested: [String] {
    guard photos.contains(where: { $0.split == .train || $0.split == .val }) else { return [] }
    let own = photos.filter { !Labels.isBackground($0.label) && $0.split != .testUnknown }
    return Dictionary(grouping: own, by: \.label)
      .filter { $0.value.allSatisfy { $0.split == .test } }.keys.sorted()
  }
}

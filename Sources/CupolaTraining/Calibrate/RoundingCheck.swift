internal import Cupola

// 1. Convert the fits of all folds to classifiers over features.
// 2. Round them to each format and compare the answers on held-out photos.

struct RoundingCheck: Sendable {
  let span: ExampleSpan
  let examples: ExampleRows
  let input: SettingsSearch.Input
  let fits: [LinearClassifier]
  let completion: FitCompletion

  static let formats = WeightFormat.allCases.filter { $0 != .float32 }

  private static let blockPhotos = 128
  /// Limits the memory of concurrent comparisons, which copy the classifier twice.
  private static let mostBytes = 64 << 20

  func changes(of model: Model) async -> [WeightFormat: Provenance.Rounding] {
    guard !fits.isEmpty else { return [:] }
    let all = overFeatures()
    let labels = input.names.names.count
    let bytes = 2 * MemoryLayout<Float>.size * labels * examples.columns
    let atOnce = max(1, min(input.threads, Self.mostBytes / max(1, bytes)))
    let parts = await parallelMap(Array(fits.indices), threads: atOnce) { fold in
      let rows = Array(fold * labels..<(fold + 1) * labels)
      let exact = completion.completed(
        LinearClassifier(
          weights: all.weights.selecting(rows: rows), biases: rows.map { all.biases[$0] }))
      return Self.formats.map { compare(exact, exact.rounded(to: $0), fold: fold, of: model) }
    }
    var changes: [WeightFormat: Provenance.Rounding] = [:]
    for (index, format) in Self.formats.enumerated() {
      changes[format] = parts.map { $0[index] }.reduce(
        Provenance.Rounding(asked: 0, changed: 0, ofBuildings: 0, rightBefore: 0, rightAfter: 0),
        +)
    }
    return changes
  }

  /// The held-out photos to compare; for large training sets, a sample of them.
  private var asked: [Int] {
    let all = input.folds.tested
    return input.scale == .full ? all : all.sampled(to: TrainingScale.enoughRounded)
  }

  /// Converts all fits in one call, because they share an expensive factorization.
  private func overFeatures() -> LinearClassifier {
    let labels = input.names.names.count
    let weights = Matrix(
      rows: fits.count * labels, columns: fits[0].weights.columns,
      values: fits.flatMap(\.weights.values))
    return span.classifier(
      from: LinearClassifier(weights: weights, biases: fits.flatMap(\.biases)), over: examples)
  }

  private func compare(
    _ exact: LinearClassifier, _ rounded: LinearClassifier, fold: Int, of model: Model
  ) -> Provenance.Rounding {
    let buildings = input.names.buildings
    func best(_ logits: [Float]) -> Int? { buildings.max { logits[$0] < logits[$1] } }
    let heldOut = asked.filter { input.folds.assignment[$0] == fold }
    let answers = stride(from: 0, to: heldOut.count, by: Self.blockPhotos).flatMap { start in
      let photos = Array(heldOut[start..<min(start + Self.blockPhotos, heldOut.count)])
      let features = examples.selecting(rows: photos.map(input.views.testRow)).all
      let (before, after) = (exact.logits(ofRows: features), rounded.logits(ofRows: features))
      return photos.enumerated().map { row, photo in
        (before.row(row), after.row(row), truth: input.labels[photo])
      }
    }
    let isBuilding = Set(buildings)
    let known = answers.filter { isBuilding.contains($0.truth) }
    return Provenance.Rounding(
      asked: heldOut.count,
      changed: answers.count { model.building(logits: $0.0) != model.building(logits: $0.1) },
      ofBuildings: known.count, rightBefore: known.count { best($0.0) == $0.truth },
      rightAfter: known.count { best($0.1) == $0.truth })
  }
}

extension Provenance.Rounding {
  fileprivate static func + (a: Self, b: Self) -> Self {
    Self(
      asked: a.asked + b.asked, changed: a.changed + b.changed,
      ofBuildings: a.ofBuildings + b.ofBuildings, rightBefore: a.rightBefore + b.rightBefore,
      rightAfter: a.rightAfter + b.rightAfter)
  }
}

public import Cupola

/// What storing the weights in fewer bits changes, on photos whose labels are known.
public struct WeightsComparison: Equatable, Sendable {
  /// Photos that were asked about.
  public let asked: Int
  /// How many of them got another answer than with the weights of the model file.
  public let changed: Int
  /// Photos of buildings among them.
  public let ofBuildings: Int
  /// How many of these had their building's label most probable, before and after.
  public let right: (before: Int, after: Int)
  /// Photos that could not be asked about.
  package let skipped: [SkippedFile]

  private struct Answer {
    let isChanged: Bool
    let isBuilding: Bool
    let isRight: (before: Bool, after: Bool)
  }

  /// Asks two models that differ in their weights only; photos that cannot be used are left out.
  public init(
    _ model: Model, _ rounded: Model, on photos: [LabeledPhoto], decoder: PhotoDecoder,
    threads: Int
  ) async {
    let (answers, skipped) = await photos.reading(threads: threads) {
      photo throws(CupolaError) in
      try Self.ask(model, rounded, about: photo, decoder: decoder)
    }
    (asked, self.skipped) = (answers.count, skipped)
    changed = answers.count { $0.isChanged }
    let known = answers.filter(\.isBuilding)
    ofBuildings = known.count
    right = (known.count { $0.isRight.before }, known.count { $0.isRight.after })
  }

  private static func ask(
    _ model: Model, _ rounded: Model, about photo: LabeledPhoto, decoder: PhotoDecoder
  ) throws(CupolaError) -> Answer {
    let decoded = try model.recipe.decode(photo.opened(by: decoder))
    let square = model.recipe.prepare(decoded, geometry: model.recipe.geometry)
    let features = try model.extractor.features(of: square)
    let logits = (model.classifier.logits(features), rounded.classifier.logits(features))
    func best(_ logits: [Float]) -> String? {
      let buildings = model.labels.buildings
      return buildings.max { logits[$0] < logits[$1] }.map { model.labels.names[$0] }
    }
    return Answer(
      isChanged: model.building(logits: logits.0) != rounded.building(logits: logits.1),
      isBuilding: model.labels.names.contains(photo.label) && !Labels.isBackground(photo.label),
      isRight: (best(logits.0) == photo.label, best(logits.1) == photo.label))
  }

  /// Equal counts.
  public static func == (a: WeightsComparison, b: WeightsComparison) -> Bool {
    (a.asked, a.changed, a.ofBuildings, a.right.before, a.right.after)
      == (b.asked, b.changed, b.ofBuildings, b.right.before, b.right.after)
  }
}

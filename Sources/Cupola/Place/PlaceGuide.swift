#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A model's knowledge of places, made ready to be asked.
struct PlaceGuide: Sendable {
  private let model: PlaceModel?
  private let labels: Labels
  private let scene: PlaceScene

  /// The picture must give a building this share of all buildings to be contradicted.
  static let saysSo = 0.6
  /// A place contradicts when it makes the building that much less probable than the best placed.
  static let muchLess = -log(20.0)

  /// - Parameter mapsUntrained: whether buildings of the map that no photo trained can be answers.
  init(_ model: Model, mapsUntrained: Bool = true) {
    (self.model, labels) = (model.place, model.labels)
    scene = PlaceScene(
      model.labels, campus: model.campus, viewpoints: model.place?.viewpoints ?? [:],
      untrained: mapsUntrained && model.place != nil)
  }

  /// What is known of the place of a picture.
  struct Question {
    let position: Position
    let heading: Heading?
    /// How much of the horizon the picture shows.
    let view: FieldOfView
    /// When the heading was measured.
    let year: Double
  }

  /// What a place adds to what a picture says.
  struct Answer {
    /// What the picture says, one probability a label of the model: without ``Labels/unfamiliar`` where
    /// the map has buildings that no photo trained nearby, which then stand for it.
    let picture: [Double]
    /// The model's labels, and behind them the buildings of the map that no photo trained.
    let labels: Labels
    /// One each.
    let probabilities: [Double]
    /// The buildings that can be what the picture shows.
    let candidates: Set<Int>
    /// `nil` when the model learned nothing about places.
    let agreement: Recognition.PlaceAgreement?
    /// Each building as seen from there.
    let views: [BuildingView?]
  }

  /// - Parameter image: what the picture says, one probability a label.
  func answer(_ question: Question, image: [Double]) -> Answer {
    let heading = question.heading?.trueNorth(at: question.position, year: question.year)
    let evidence = PlaceEvidence(
      at: question.position, heading: heading, scene: scene, view: question.view)
    let candidates = Set(evidence.candidates)
    guard let model else {
      return Answer(
        picture: image, labels: scene.labels, probabilities: image, candidates: candidates,
        agreement: nil, views: evidence.views)
    }
    let doubt = UnknownBuilding.logRatio(probabilities: image, labels: labels)
    let shifts = evidence.shifts(model)
    let untrained = evidence.candidates.filter(scene.untrained.contains)
    let picture = untrained.isEmpty ? image : withoutUnfamiliar(image)
    let fusion = MapFusion(
      labels: labels, untrained: untrained,
      untrainedCount: scene.untrained.count, hasHeading: heading != nil, doubt: doubt)
    return Answer(
      picture: picture, labels: scene.labels, probabilities: fusion.fused(picture, shifts),
      candidates: candidates, agreement: agreement(picture, shifts, knows: fusion.knownShare),
      views: evidence.views)
  }

  private func withoutUnfamiliar(_ image: [Double]) -> [Double] {
    guard let unfamiliar = labels.unfamiliar, image[unfamiliar] < 1 else { return image }
    let rest = 1 - image[unfamiliar]
    return image.indices.map { $0 == unfamiliar ? 0 : image[$0] / rest }
  }

  /// - Parameter knownShare: how probably the picture is of a building that trained.
  private func agreement(
    _ image: [Double], _ shifts: [Double], knows knownShare: Double
  ) -> Recognition.PlaceAgreement? {
    guard let best = labels.buildings.max(by: { image[$0] < image[$1] }) else { return nil }
    let saysSo = Decision.share(of: best, image, labels) * knownShare >= Self.saysSo
    return saysSo && shifts[best] <= Self.muchLess ? .contradicts : .agrees
  }
}

extension PlaceDensity {
  /// One a label; `nil` for backgrounds.
  package static func all(
    of labels: Labels, campus: Campus?, viewpoints: [String: [Viewpoint]]
  ) -> [PlaceDensity?] {
    let records = Dictionary(
      campus?.buildings.map { ($0.label, $0) } ?? [], uniquingKeysWith: { first, _ in first })
    return labels.names.map { name in
      Labels.isBackground(name)
        ? nil : PlaceDensity(viewpoints: viewpoints[name] ?? [], building: records[name])
    }
  }
}

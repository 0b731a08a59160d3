#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A model's knowledge of places, made ready to be asked.
struct PlaceGuide: Sendable {
  private let model: PlaceModel?
  private let calibration: Calibration
  private let labels: Labels
  private let scene: PlaceScene

  /// The picture must give a building this share of all buildings to be contradicted.
  private static let saysSo = 0.6
  /// A place contradicts when it makes the building that much less probable than the best placed.
  private static let muchLess = -log(5.0)

  init(_ model: Model) {
    (self.model, labels, calibration) = (model.place, model.labels, model.calibration)
    scene = PlaceScene(
      model.labels, campus: model.campus, viewpoints: model.place?.viewpoints ?? [:],
      untrained: model.place != nil)
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

  /// - Parameters:
  ///   - image: what the picture says, one probability a label.
  ///   - logits: the same before temperature and softmax.
  func answer(_ question: Question, image: [Double], logits: [Float]) -> Answer {
    let heading = question.heading?.trueNorth(at: question.position, year: question.year)
    let evidence = PlaceEvidence(
      at: question.position, heading: heading, scene: scene, view: question.view)
    let candidates = Set(evidence.candidates)
    guard let model else {
      return Answer(
        labels: scene.labels, probabilities: image, candidates: candidates, agreement: nil,
        views: evidence.views)
    }
    let doubt = UnknownBuilding.logRatio(
      logits: logits, probabilities: image, labels: labels, calibration: calibration)
    let shifts = evidence.shifts(model)
    let fusion = MapFusion(
      labels: labels, untrained: evidence.candidates.filter(scene.untrained.contains),
      untrainedCount: scene.untrained.count, hasHeading: heading != nil, doubt: doubt)
    return Answer(
      labels: scene.labels, probabilities: fusion.fused(image, shifts), candidates: candidates,
      agreement: agreement(image, shifts, knows: fusion.knownShare), views: evidence.views)
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

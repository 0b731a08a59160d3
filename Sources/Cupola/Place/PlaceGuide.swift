/// A model's knowledge of places, made ready to be asked.
struct PlaceGuide: Sendable {
  private let model: PlaceModel?
  private let labels: Labels
  private let scene: PlaceScene

  /// - Parameter mapsUntrained: whether buildings of the map that no photo trained can be answers.
  init(_ model: Model, mapsUntrained: Bool = true) {
    (self.model, labels) = (model.place, model.labels)
    scene = PlaceScene(
      model.labels, campus: model.campus, viewpoints: model.place?.viewpoints ?? [:],
      untrained: mapsUntrained && model.place != nil,
      limitsTrained: model.classifier.kind == .retrieval)
  }

  /// Which labels compete for a picture that was taken there; `nil` when all do.
  func labelsInReach(of position: Position?) -> [Bool]? {
    position.flatMap(scene.labelsInReach)
  }

  /// What is known of the place of a picture.
  struct Question {
    let position: Position
    let heading: Heading?
    /// How much of the horizon the picture shows.
    let view: FieldOfView
    /// When the heading was measured.
    let year: Double

    /// The heading from true north.
    var trueHeading: Heading? { heading?.trueNorth(at: position, year: year) }
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
    /// Where picture and place say different buildings.
    let contradiction: Contradiction?
    /// `nil` when the model learned nothing about places.
    let agreement: Recognition.PlaceAgreement?
    /// Each building as seen from there.
    let views: [BuildingView?]
  }

  /// What a place adds to the logarithms of what pictures say, one a label of the model, 0 or less; `nil` when the model
  /// learned nothing about places.
  func shifts(_ question: Question) -> [Double]? {
    model.map { evidence(for: question).shifts($0) }
  }

  private func evidence(for question: Question) -> PlaceEvidence {
    PlaceEvidence(
      at: question.position, heading: question.trueHeading, scene: scene, view: question.view)
  }

  /// - Parameter image: what the picture says, one probability a label.
  func answer(_ question: Question, image: [Double]) -> Answer {
    let heading = question.trueHeading
    let evidence = evidence(for: question)
    let candidates = Set(evidence.candidates)
    guard let model else {
      return Answer(
        picture: image, labels: scene.labels, probabilities: image, candidates: candidates,
        contradiction: nil, agreement: nil, views: evidence.views)
    }
    let behind = behind(candidates, from: question.position, toward: heading)
    let doubt = UnknownBuilding.logRatio(probabilities: image, labels: labels)
    let shifts = evidence.shifts(model)
    let untrained = evidence.candidates.filter(scene.untrained.contains)
    let picture = untrained.isEmpty ? image : withoutUnfamiliar(image)
    let fusion = MapFusion(
      labels: labels, untrained: untrained,
      untrainedCount: scene.untrained.count, hasHeading: heading != nil, doubt: doubt)
    let fused = fusion.fused(picture, shifts)
    let contradiction = Contradiction(
      sure: sure(picture, fusion.knownShare), shifts: shifts, behind: behind,
      ranked: candidates.sorted { (fused[$0], $1) > (fused[$1], $0) },
      trained: scene.trainedCount)
    return Answer(
      picture: picture, labels: scene.labels, probabilities: fused,
      candidates: candidates, contradiction: contradiction,
      agreement: contradiction == nil ? .agrees : .contradicts, views: evidence.views)
  }

  private func withoutUnfamiliar(_ image: [Double]) -> [Double] {
    let rest = labels.familiarity(of: image)
    guard let unfamiliar = labels.unfamiliar, rest > 0 else { return image }
    return image.indices.map { $0 == unfamiliar ? 0 : image[$0] / rest }
  }

  /// Headings that err by more than 90 degrees are rarer than confusions: of 275 photos of notredame none
  /// has its building behind the camera.
  private func behind(
    _ candidates: Set<Int>, from position: Position, toward heading: Heading?
  ) -> Set<Int> {
    guard let heading else { return [] }
    return candidates.filter {
      scene.outlines[$0]?.isBehind(
        position, error: position.placeError, toward: heading.degrees) ?? false
    }
  }

  /// The building that the picture is sure of.
  ///
  /// - Parameter knownShare: how probably the picture is of a building that trained.
  private func sure(_ image: [Double], _ knownShare: Double) -> Int? {
    labels.buildings.max { image[$0] < image[$1] }.flatMap { best in
      Decision.share(of: best, image, labels) * knownShare >= Contradiction.sureShare ? best : nil
    }
  }
}

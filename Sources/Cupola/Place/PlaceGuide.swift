#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// What position and heading add to the answer of a picture:
// 1. `PlaceEvidence` of all buildings near the position is computed.
// 2. `UnknownBuilding` judges whether the picture shows a building without photos.
// 3. `MapFusion` combines picture and place.
// 4. `Contradiction` finds answers that do not fit the place.

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

  struct Question {
    let position: Position
    let heading: Heading?
    /// How much of the horizon the picture shows.
    let view: FieldOfView
    let year: Double

    var trueHeading: Heading? { heading?.trueNorth(at: position, year: year) }
  }

  struct Answer {
    /// What the picture says, one probability a label of the model: without ``Labels/unfamiliar`` where
    /// the map has buildings that no photo trained nearby, which then stand for it.
    let picture: [Double]
    /// The model's labels, and behind them the buildings of the map that no photo trained.
    let labels: Labels
    let probabilities: [Double]
    /// The buildings that can be what the picture shows.
    let candidates: Set<Int>
    let contradiction: Contradiction?
    /// `nil` when the model learned nothing about places.
    let agreement: Recognition.PlaceAgreement?
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

/// What picture and place say together about trained buildings, and about those of the map alone.
struct MapFusion {
  let labels: Labels
  /// Those that can be what the picture shows, as they are numbered in a ``PlaceScene``.
  let untrained: [Int]
  let untrainedCount: Int
  /// Without one a place says little about which of two neighbors it is.
  let hasHeading: Bool
  /// ``UnknownBuilding`` of the picture.
  let doubt: Double

  /// What a building without photos counts where nobody knows the heading.
  static let withoutHeading = 0.25

  /// How probably the picture is of a building that trained, whatever the place; 1 when the map knows no
  /// others nearby.
  var knownShare: Double {
    guard !untrained.isEmpty else { return 1 }
    return 1 / (1 + UnknownBuilding.visitOdds * exp(doubt))
  }

  /// How probable one building without photos is before its place is known, where all that trained are
  /// 1 together.
  private var prior: Double {
    let trained = Double(labels.buildings.count)
    // At most that of a building that trained: those have photos because they are visited.
    let each = min(1, UnknownBuilding.visitOdds * trained / Double(max(untrainedCount, 1)))
    return each * exp(doubt) * (hasHeading ? 1 : Self.withoutHeading)
  }

  /// Probabilities, one a shift.
  ///
  /// A building without photos has as much of the picture as all that trained together, times what the
  /// picture says for an unknown one. All buildings together never have more than the picture gives
  /// them, so that the backgrounds lose nothing.
  /// - Parameters:
  ///   - image: one a label, by the picture alone.
  ///   - shifts: what the place adds to the logarithms, one a building, 0 or less.
  func fused(_ image: [Double], _ shifts: [Double]) -> [Double] {
    guard !untrained.isEmpty else {
      let fused = PlaceEvidence.fused(image, Array(shifts.prefix(image.count)))
      return fused + [Double](repeating: 0, count: shifts.count - image.count)
    }
    var weights = [Double](repeating: 0, count: shifts.count)
    for label in image.indices { weights[label] = image[label] * exp(shifts[label]) }
    let seen = labels.buildings.reduce(0) { $0 + image[$1] }
    for building in untrained { weights[building] = seen * prior * exp(shifts[building]) }
    let buildings = labels.buildings + untrained
    let all = buildings.reduce(0) { $0 + weights[$1] }
    if all > seen { for building in buildings { weights[building] *= seen / all } }
    let sum = weights.reduce(0, +)
    return sum > 0
      ? weights.map { $0 / sum } : image + [Double](repeating: 0, count: shifts.count - image.count)
  }
}

/// What a picture says about whether its building trained the model at all.
///
/// The one place where that is judged: a better gate goes here.
enum UnknownBuilding {
  /// The share of visits to buildings that did not train.
  static let visits = OperatingPoint.unknownVisits
  static let visitOdds = visits / (1 - visits)

  /// A picture that is less sure than this says nothing more of an unknown building.
  static let mostLogRatio = 1.0
  static let leastLogRatio = -8.0
  /// The logarithm of the odds of the best building against all others where that begins to speak for
  /// a known one, and how much.
  static let bend = 2.5
  static let slope = 1.5
  /// No probability counts as less, so that its logarithm is a number.
  static let leastProbability = 1e-12

  /// The logarithm of how much more likely the picture is of an unknown building than of a known one.
  ///
  /// Fitted to photos of notredame's five buildings, each left out of training in turn: an unknown
  /// building gives the best known one 40 to 95 % of all buildings' probability, hardly ever 99 %.
  /// - Parameter probabilities: one a label, by the picture alone.
  static func logRatio(probabilities: [Double], labels: Labels) -> Double {
    guard let best = labels.buildings.max(by: { probabilities[$0] < probabilities[$1] }) else {
      return mostLogRatio
    }
    let share = Decision.share(of: best, probabilities, labels)
    let odds = log(max(share, leastProbability)) - log(max(1 - share, leastProbability))
    let byShare = max(mostLogRatio - slope * log1p(exp(odds - bend)), leastLogRatio)
    guard let unfamiliar = labels.unfamiliar else { return byShare }
    // A picture that the model itself finds like none of its buildings speaks for another one.
    let trained = labels.buildings.reduce(0) { $0 + probabilities[$1] }
    let byLikeness =
      log(max(probabilities[unfamiliar], leastProbability)) - log(max(trained, leastProbability))
    return max(byShare, min(byLikeness, mostLogRatio))
  }
}

/// Where a place does not fit what the picture says, so that neither is to be named.
struct Contradiction {
  /// The building that the picture is sure of, or else the one that would be named.
  let said: Int
  /// The most probable other, one before the camera if there is any.
  let other: Int?

  /// The picture must give a building this share of all buildings to be sure of it.
  static let sureShare = 0.6
  /// A place contradicts when it makes the building that much less probable than the best placed.
  static let muchLess = -log(20.0)

  /// `nil` where the place fits.
  ///
  /// - Parameters:
  ///   - sure: the building that the picture is sure of, if any.
  ///   - shifts: what the place adds to the logarithms of the probabilities.
  ///   - behind: the buildings behind the camera; such a one is not named where another is before it.
  ///   - ranked: the candidates, the most probable first.
  ///   - trained: how many trained; those after them are answered by place only.
  init?(sure: Int?, shifts: [Double], behind: Set<Int>, ranked: [Int], trained: Int) {
    guard let said = sure ?? ranked.first, said < trained else { return nil }
    let others = ranked.filter { $0 != said }
    let ahead = others.first { !behind.contains($0) }
    let isFar = sure != nil && shifts[said] <= Self.muchLess
    guard isFar || (ahead != nil && behind.contains(said)) else { return nil }
    self.said = said
    other = ahead ?? others.first
  }
}

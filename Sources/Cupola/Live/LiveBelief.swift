#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What is known of the scene from all its frames: a forward filter (Rabiner, Proc. IEEE 1989) over the buildings and
/// all that is none of them.
///
/// What a frame says is tempered, because neighboring frames say much the same; the scene changes rarely, and
/// suddenly where a frame is no continuation.
struct LiveBelief: Sendable {
  /// One a building in the order of the labels' buildings, and last what is none of them; they sum to 1.
  private(set) var values: [Double]

  /// What a frame counts after ``usualStep``, and at most however long after.
  static let weight = 0.4
  static let mostWeight = 0.6
  /// How probably the scene changes within ``usualStep``.
  static let change = 0.05
  /// Seconds between frames where nobody said.
  static let usualStep = 0.1
  /// No frame counts more against anything.
  static let leastLikelihood = 1e-3
  /// How much of the way the line between known and unknown buildings is moved to that of the error that is promised:
  /// frames of an unknown building agree less with each other than those of a known one do, which the filter sees.
  static let caution = 0.5

  /// What the probability of the backgrounds is multiplied with.
  private let factor: Double
  private var likelihoods: [Double]

  /// - Parameter error: the share of frames of unknown buildings that may get a name.
  init(_ model: Model, error: Double) {
    let buildings = model.labels.buildings.count
    values = (0...buildings).map { Self.prior($0, buildings) }
    likelihoods = [Double](repeating: 0, count: buildings + 1)
    let curve = model.calibration.unknownBuildings
    let line = curve.map { $0.threshold(error: error) ?? $0.strictest } ?? 0
    factor = exp(Self.caution * min(max(line, 0), 100))
  }

  /// What is believed of a scene of which nothing was seen.
  private static func prior(_ state: Int, _ buildings: Int) -> Double {
    guard buildings > 0 else { return 1 }
    return state < buildings ? 0.5 / Double(buildings) : 0.5
  }

  /// Begins anew.
  ///
  /// - Parameter building: one that is still believed in as much as in all else.
  mutating func reset(continuing building: Int? = nil) {
    let buildings = values.count - 1
    for state in values.indices { values[state] = Self.prior(state, buildings) }
    guard let building else { return }
    let rest = 1 - values[building]
    for state in values.indices { values[state] *= rest > 0 ? 0.5 / rest : 0 }
    values[building] = 0.5
  }

  /// Takes in a frame.
  ///
  /// - Parameter elapsed: seconds since the frame before.
  mutating func update(_ picture: LivePicture, elapsed: Double) {
    let buildings = values.count - 1
    var sum = 0.0
    for state in values.indices {
      likelihoods[state] =
        state < buildings ? picture.probability(state) : picture.background * factor
      sum += likelihoods[state]
    }
    let steps = min(max(elapsed, 0), 60) / Self.usualStep
    let weight = min(Self.weight * steps, Self.mostWeight)
    let stays = pow(1 - Self.change, steps)
    var total = 0.0
    for state in values.indices {
      let likelihood = max(likelihoods[state] / sum, Self.leastLikelihood)
      let before = stays * values[state] + (1 - stays) * Self.prior(state, buildings)
      values[state] = before * pow(likelihood, weight)
      total += values[state]
    }
    for state in values.indices { values[state] /= total }
  }
}

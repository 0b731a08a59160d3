#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Turn the logits of frames into a steady verdict:
// 1. `FrameProbabilities` computes the probabilities for one frame.
// 2. `LiveFilter` combines all frames of a scene.
// 3. `LivePlaceEvidence` computes the evidence from position and heading.
// 4. `VerdictHysteresis` shows a name only at a high probability and removes it only at a low one.

struct FrameProbabilities: Sendable {
  private(set) var probabilities: [Double]
  /// The most probable building, as an index into the labels' buildings.
  private(set) var best = 0
  private(set) var background = 1.0

  private let labels: Labels
  private let temperature: Double

  init(_ model: Model) {
    labels = model.labels
    temperature = model.calibration.temperature
    probabilities = [Double](repeating: 0, count: labels.names.count)
  }

  mutating func read(_ logits: [Float]) {
    Softmax.write(&probabilities, of: logits, temperature: temperature)
    background = 0
    for label in labels.backgrounds { background += probabilities[label] }
    best = 0
    for number in labels.buildings.indices where probability(number) > probability(best) {
      best = number
    }
  }

  /// Returns a building's probability, given its index among the labels' buildings; 0 without buildings.
  func probability(_ number: Int) -> Double {
    labels.buildings.isEmpty ? 0 : probabilities[labels.buildings[number]]
  }

  var odds: Double {
    log(max(probability(best), Self.least)) - log(max(background, Self.least))
  }

  private static let least = 1e-12
}

/// A forward filter (Rabiner, Proc. IEEE 1989) over all frames of a scene. It has one state per building and one for no
/// building. Frame likelihoods are tempered, because adjacent frames are correlated. The model assumes that the scene
/// rarely changes between frames, and always changes at a cut.
struct LiveFilter: Sendable {
  /// The probability of each building, in the same order as the labels' buildings, then of no building. The sum is 1.
  private(set) var values: [Double]

  /// The exponent applied to a frame after ``usualStep``; longer steps do not increase it.
  static let weight = 0.4
  static let mostWeight = 0.6
  /// The probability of a scene change within ``usualStep``.
  static let change = 0.05
  /// The default time between frames in seconds.
  static let usualStep = 0.1
  /// The minimum likelihood of a state in one frame.
  static let leastLikelihood = 1e-3
  /// The fraction of the threshold for unknown buildings that the filter applies.
  /// Less than 1, because frames of an unknown building are less consistent, which the filter already takes into
  /// account.
  static let caution = 0.5

  /// The factor for the total probability of the background classes.
  private let factor: Double
  private var likelihoods: [Double]

  /// - Parameter error: The maximum fraction of frames of unknown buildings that receive a name.
  init(_ model: Model, error: Double) {
    let buildings = model.labels.buildings.count
    values = (0...buildings).map { Self.prior($0, buildings) }
    likelihoods = [Double](repeating: 0, count: buildings + 1)
    let curve = model.calibration.unknownBuildings
    let threshold = curve.map { $0.threshold(error: error) ?? $0.strictest } ?? 0
    factor = exp(Self.caution * min(max(threshold, 0), 100))
  }

  private static func prior(_ state: Int, _ buildings: Int) -> Double {
    guard buildings > 0 else { return 1 }
    return state < buildings ? 0.5 / Double(buildings) : 0.5
  }

  /// Starts a new scene, in which `building` starts with half of the probability.
  mutating func reset(continuing building: Int? = nil) {
    let buildings = values.count - 1
    for state in values.indices { values[state] = Self.prior(state, buildings) }
    guard let building else { return }
    let rest = 1 - values[building]
    for state in values.indices { values[state] *= rest > 0 ? 0.5 / rest : 0 }
    values[building] = 0.5
  }

  /// Updates the filter with a frame, `elapsed` seconds after the previous one.
  mutating func update(_ frame: FrameProbabilities, elapsed: Double) {
    let buildings = values.count - 1
    var sum = 0.0
    for state in values.indices {
      likelihoods[state] =
        state < buildings ? frame.probability(state) : frame.background * factor
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

/// The evidence from position and heading for live frames, updated only when either changes.
struct LivePlaceEvidence: Sendable {
  private var shot: CaptureInfo?
  private(set) var fence: FenceSide?
  private(set) var among: [Bool]?
  /// Terms to add to the buildings' log probabilities, 0 or less, in the same order as the labels' buildings; `nil`
  /// without evidence.
  private(set) var shifts: [Double]?

  mutating func update(_ shot: CaptureInfo, guide: PlaceGuide, model: Model) {
    // Compare all values, because rotating the phone changes the field of view, and the year changes the declination.
    guard shot != self.shot else { return }
    self.shot = shot
    let position = shot.position
    fence = position.flatMap { model.campus?.geofence.side(of: $0) }
    among = guide.labelsInReach(of: position)
    shifts = shot.placeQuery.flatMap { guide.shifts($0) }.map { shifts in
      model.labels.buildings.map { shifts[$0] }
    }
  }

  func write(_ placed: inout [Double], from filter: LiveFilter) {
    var sum = 0.0
    for state in filter.values.indices {
      var value = filter.values[state]
      if let shifts, state < shifts.count { value *= exp(shifts[state]) }
      placed[state] = value
      sum += value
    }
    for state in placed.indices where sum > 0 { placed[state] /= sum }
  }

  func contradicts(_ building: Int) -> Bool {
    shifts.map { $0[building] <= Contradiction.muchLess } ?? false
  }
}

/// The displayed verdict, with hysteresis: it appears at a high probability and disappears at a low one.
struct VerdictHysteresis: Equatable, Sendable {
  enum Shown: Equatable, Sendable {
    case looking
    /// A building, by its index among the labels' buildings.
    case building(Int)
    case unsure
    case other
  }

  private(set) var shown = Shown.looking
  /// Consecutive frames in which two buildings together have almost all of the probability.
  private var undecided = 0

  /// The probability at which a verdict appears. Below the second value, it disappears.
  static let appearThreshold = 0.95
  static let disappearThreshold = 0.2
  /// The combined probability of two buildings, and the number of frames, after which the verdict is unsure.
  static let pairThreshold = 0.9
  static let pairFrames = 10

  mutating func reset() { self = VerdictHysteresis() }

  /// Starts a new scene. Keeps a verdict only if the first frame confirms it.
  /// - Returns: The building that is kept, if any.
  mutating func cut(_ frame: FrameProbabilities) -> Int? {
    undecided = 0
    switch shown {
    case .building(let building) where frame.best == building && frame.odds >= 0:
      return building
    case .other where frame.odds < 0: break
    default: shown = .looking
    }
    return nil
  }

  mutating func update(_ probabilities: [Double], contradicts: Bool) {
    let buildings = probabilities.count - 1
    if case .building(let building) = shown, probabilities[building] < Self.disappearThreshold {
      shown = .looking
    }
    if shown == .other, probabilities[buildings] < Self.disappearThreshold { shown = .looking }
    var (best, second) = (-1, -1)
    for building in 0..<buildings {
      if best < 0 || probabilities[building] > probabilities[best] {
        (best, second) = (building, best)
      } else if second < 0 || probabilities[building] > probabilities[second] {
        second = building
      }
    }
    if contradicts {
      shown = .unsure
    } else if best >= 0, probabilities[best] >= Self.appearThreshold {
      shown = .building(best)
    } else if probabilities[buildings] >= Self.appearThreshold {
      shown = .other
    } else {
      wait(
        best >= 0 && second >= 0
          && probabilities[best] + probabilities[second] >= Self.pairThreshold)
    }
  }

  private mutating func wait(_ isBetweenTwo: Bool) {
    undecided = isBetweenTwo ? undecided + 1 : 0
    if shown == .looking, undecided >= Self.pairFrames { shown = .unsure }
    if shown == .unsure, undecided == 0 { shown = .looking }
  }
}

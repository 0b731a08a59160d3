#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// From the logits of frames to a steady verdict:
// 1. `LivePicture`: the probabilities of one frame.
// 2. `LiveBelief`: a filter over all frames of a scene.
// 3. `LivePlace`: what the position and the heading add.
// 4. `SteadyVerdict`: shows a building late and keeps it long.

/// What one frame says by itself: one probability a label.
struct LivePicture: Sendable {
  /// One a label of the model.
  private(set) var probabilities: [Double]
  /// The best building, where it stands among the labels' buildings.
  private(set) var best = 0
  /// The probability of all backgrounds together.
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

  /// Of a building, by where it stands among the labels' buildings; 0 without any.
  func probability(_ number: Int) -> Double {
    labels.buildings.isEmpty ? 0 : probabilities[labels.buildings[number]]
  }

  /// The logarithm of the odds of the best building against all backgrounds.
  var odds: Double {
    log(max(probability(best), Self.least)) - log(max(background, Self.least))
  }

  private static let least = 1e-12
}

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

/// What the place says of the frames that are taken there; asked anew only when it changes.
struct LivePlace: Sendable {
  /// What was asked about last.
  private var shot: Shot?
  private(set) var fence: FenceSide?
  /// The labels that compete; `nil` is all.
  private(set) var among: [Bool]?
  /// What is added to the logarithms of the buildings' beliefs, one each in the order of the labels' buildings, 0 or
  /// less; `nil` where the place says nothing.
  private(set) var shifts: [Double]?

  /// Takes in where the next frame is taken.
  mutating func update(_ shot: Shot, guide: PlaceGuide, model: Model) {
    // All of it: a phone that is turned sees less of the horizon, and a needle points elsewhere in another year.
    guard shot != self.shot else { return }
    self.shot = shot
    let position = shot.position
    fence = position.flatMap { model.campus?.geofence.side(of: $0) }
    among = guide.labelsInReach(of: position)
    shifts = shot.question.flatMap { guide.shifts($0) }.map { shifts in
      model.labels.buildings.map { shifts[$0] }
    }
  }

  /// Beliefs with what the place says, written over what was there.
  func write(_ placed: inout [Double], from belief: LiveBelief) {
    var sum = 0.0
    for state in belief.values.indices {
      var value = belief.values[state]
      if let shifts, state < shifts.count { value *= exp(shifts[state]) }
      placed[state] = value
      sum += value
    }
    for state in placed.indices where sum > 0 { placed[state] /= sum }
  }

  /// Whether a building can hardly be seen from here.
  func contradicts(_ building: Int) -> Bool {
    shifts.map { $0[building] <= Contradiction.muchLess } ?? false
  }
}

/// What is shown of beliefs: it appears only when they are sure, and stays until they are far from it.
struct SteadyVerdict: Equatable, Sendable {
  /// What is shown.
  enum Shown: Equatable, Sendable {
    case looking
    /// By where it stands among the labels' buildings.
    case building(Int)
    case unsure
    case other
  }

  private(set) var shown = Shown.looking
  /// Frames in which two buildings were all that was believed in.
  private var undecided = 0

  /// So much belief makes a verdict appear, and less than the second makes it go.
  static let appears = 0.95
  static let goes = 0.2
  /// Two buildings are told when they have had this much of the belief together for so many frames.
  static let together = 0.9
  static let patience = 10

  /// Nothing was seen.
  mutating func reset() { self = SteadyVerdict() }

  /// Another scene begins: a name, or that it is nothing, stays only where the first frame says the same.
  ///
  /// - Returns: the building whose name stays.
  mutating func cut(_ picture: LivePicture) -> Int? {
    undecided = 0
    switch shown {
    case .building(let building) where picture.best == building && picture.odds >= 0:
      return building
    case .other where picture.odds < 0: break
    default: shown = .looking
    }
    return nil
  }

  /// - Parameters:
  ///   - beliefs: one a building, and last what is none of them.
  ///   - contradicts: whether the place speaks against a building.
  mutating func update(_ beliefs: [Double], contradicts: Bool) {
    let buildings = beliefs.count - 1
    if case .building(let building) = shown, beliefs[building] < Self.goes { shown = .looking }
    if shown == .other, beliefs[buildings] < Self.goes { shown = .looking }
    var (best, second) = (-1, -1)
    for building in 0..<buildings {
      if best < 0 || beliefs[building] > beliefs[best] {
        (best, second) = (building, best)
      } else if second < 0 || beliefs[building] > beliefs[second] {
        second = building
      }
    }
    if contradicts {
      shown = .unsure
    } else if best >= 0, beliefs[best] >= Self.appears {
      shown = .building(best)
    } else if beliefs[buildings] >= Self.appears {
      shown = .other
    } else {
      wait(best >= 0 && second >= 0 && beliefs[best] + beliefs[second] >= Self.together)
    }
  }

  /// Counts frames between two buildings.
  private mutating func wait(_ isBetweenTwo: Bool) {
    undecided = isBetweenTwo ? undecided + 1 : 0
    if shown == .looking, undecided >= Self.patience { shown = .unsure }
    if shown == .unsure, undecided == 0 { shown = .looking }
  }
}

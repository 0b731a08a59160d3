#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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

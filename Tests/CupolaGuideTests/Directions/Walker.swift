import Cupola

@testable import CupolaGuide

/// A walk along corners, a place each second: 1.0 to 1.8 m/s, with stops.
struct Walker {
  let corners: [SIMD2<Double>]
  /// Meters from the start to each corner.
  let arcs: [Double]
  private(set) var arc = 0.0
  private let speed: Double
  private var stop = 0
  private var random: SplitMix64

  init(_ corners: [SIMD2<Double>], seed: UInt64) {
    self.corners = corners
    var arcs = [0.0]
    for (a, b) in zip(corners, corners.dropFirst()) {
      arcs.append(arcs[arcs.count - 1] + (b - a).length)
    }
    self.arcs = arcs
    random = SplitMix64(seed: seed)
    speed = Double.random(in: 1...1.8, using: &random)
  }

  var length: Double { arcs[arcs.count - 1] }
  var isAtEnd: Bool { arc >= length }

  /// Where the walker is.
  var place: SIMD2<Double> {
    var number = 0
    while number + 2 < arcs.count, arcs[number + 1] < arc { number += 1 }
    let share = (arc - arcs[number]) / (arcs[number + 1] - arcs[number])
    return corners[number] + share * (corners[number + 1] - corners[number])
  }

  /// Goes on for a second.
  mutating func step() {
    if stop > 0 {
      stop -= 1
      return
    }
    if Int.random(in: 0..<80, using: &random) == 0 { stop = Int.random(in: 5...30, using: &random) }
    let pace = max(0.8, min(2, speed + Double.random(in: -0.2...0.2, using: &random)))
    arc = min(length, arc + pace)
  }
}

/// The errors of a phone's positions: four fifths of the variance fade by a tenth a second, the rest is new
/// each time.
struct PositionNoise {
  private let deviation: Double
  /// The radius that the phone gives, sometimes wrong by 30 %.
  let reported: Double
  private var slow: SIMD2<Double>
  private var random: SplitMix64

  /// - Parameter radius: meters within which 68 % of the errors are.
  init(radius: Double, seed: UInt64) {
    random = SplitMix64(seed: seed)
    deviation = radius / 1.5096
    let wrong = Int.random(in: 0..<4, using: &random)
    reported = radius * (wrong == 0 ? 0.7 : wrong == 1 ? 1.3 : 1)
    slow = .zero
    slow = 0.8.squareRoot() * deviation * normal()
  }

  mutating func next() -> SIMD2<Double> {
    defer { slow = 0.9 * slow + (0.8 * 0.19).squareRoot() * deviation * normal() }
    return slow + 0.2.squareRoot() * deviation * normal()
  }

  /// Two numbers that are nearly of the standard normal distribution: sums of twelve uniform ones.
  private mutating func normal() -> SIMD2<Double> {
    var sum = SIMD2<Double>(repeating: -6)
    for _ in 0..<12 {
      sum += [Double.random(in: 0..<1, using: &random), Double.random(in: 0..<1, using: &random)]
    }
    return sum
  }
}

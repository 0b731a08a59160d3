internal import Cupola

/// A simulated walk along corners with one position per second: 1.0 to 1.8 m/s, with stops.
///
/// In this module because it is compiled with optimization, and tests take a million steps.
package struct Walker {
  package let corners: [SIMD2<Double>]
  /// Meters from the start to each corner.
  package let arcs: [Double]
  package private(set) var arc = 0.0
  private let speed: Double
  private var stop = 0
  private var random: SplitMix64

  package init(_ corners: [SIMD2<Double>], seed: UInt64) {
    self.corners = corners
    var arcs = [0.0]
    for (a, b) in zip(corners, corners.dropFirst()) {
      arcs.append(arcs[arcs.count - 1] + ((b - a) * (b - a)).sum().squareRoot())
    }
    self.arcs = arcs
    random = SplitMix64(seed: seed)
    speed = Double.random(in: 1...1.8, using: &random)
  }

  package var length: Double { arcs[arcs.count - 1] }
  package var isAtEnd: Bool { arc >= length }

  /// The current position.
  package var place: SIMD2<Double> {
    var number = 0
    while number + 2 < arcs.count, arcs[number + 1] < arc { number += 1 }
    let share = (arc - arcs[number]) / (arcs[number + 1] - arcs[number])
    return corners[number] + share * (corners[number + 1] - corners[number])
  }

  /// Advances by one second.
  package mutating func step() {
    if stop > 0 {
      stop -= 1
      return
    }
    if Int.random(in: 0..<80, using: &random) == 0 { stop = Int.random(in: 5...30, using: &random) }
    let pace = max(0.8, min(2, speed + Double.random(in: -0.2...0.2, using: &random)))
    arc = min(length, arc + pace)
  }
}

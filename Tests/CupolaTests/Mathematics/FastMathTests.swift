import Foundation
import Testing

@testable import Cupola

@Suite("Fast mathematics") struct FastMathTests {
  @Test("The exponential is within 2 units in the last place from -69 to 0")
  func exponential() {
    #expect(FastMath.exponential(0) == 1)
    var worst = 0.0
    for step in 0...690_000 {
      let x = -Float(step) * 1e-4
      let exact = exp(Double(x))
      worst = max(worst, abs(Double(FastMath.exponential(x)) - exact) / Double(Float(exact).ulp))
    }
    #expect(worst <= 2)
  }

  @Test(
    "Below -69 nothing is left, so that no product of it is subnormal",
    arguments: [-69.001, -70, -87, -88, -1000, -1e30, -.infinity] as [Float])
  func tail(x: Float) {
    #expect(FastMath.exponential(x) == 0)
  }

  @Test("Softmax gives the probabilities and the logarithm of the sum", arguments: [8, 16, 128])
  func softmax(count: Int) {
    for (seed, spread) in [(1, 1), (2, 30), (3, 1000)] as [(UInt64, Float)] {
      let scores = SampleFisher.matrix(1, count, in: -spread...spread, seed: seed).values
      let constants = SampleFisher.matrix(1, count, in: -40...40, seed: seed + 9).values
      let sums = zip(scores, constants).map { Double($0 + $1) }
      let top = sums.max() ?? 0
      let powers = sums.map { exp($0 - top) }
      let total = powers.reduce(0, +)
      var found = scores
      var span = found.mutableSpan
      let logarithm = FastMath.softmax(&span, adding: constants.span)
      #expect(abs(found.reduce(0.0) { $0 + Double($1) } - 1) < 1e-6)
      #expect(largestDifference(found, powers.map { $0 / total }) < 1e-6)
      #expect(abs(Double(logarithm) - (top + log(total))) < 1e-6 * max(10, abs(top)))
    }
  }

  /// The loops that wider vectors go through at once; whichever variant this processor takes.
  @Test("Softmax has the bits of plain loops", arguments: [8, 64, 128, 256])
  func bits(count: Int) {
    for seed in 1...20 as ClosedRange<UInt64> {
      let scores = SampleFisher.matrix(1, count, in: -60...60, seed: seed).values
      let constants = SampleFisher.matrix(1, count, in: -60...60, seed: seed + 99).values
      let sums = zip(scores, constants).map { $0 + $1 }
      let top = sums.max() ?? 0
      let powers = sums.map { FastMath.exponential($0 - top) }
      var lanes = SIMD8<Float>.zero
      for (index, power) in powers.enumerated() { lanes[index % 8] += power }
      let scale = 1 / lanes.sum()
      var found = scores
      var span = found.mutableSpan
      _ = FastMath.softmax(&span, adding: constants.span)
      #expect(found.map(\.bitPattern) == powers.map { ($0 * scale).bitPattern })
    }
  }

  @Test("A number of scores that is no multiple of 8 is the programmer's fault")
  func count() async {
    await #expect(processExitsWith: .failure) {
      var scores: [Float] = [1, 2, 3]
      var span = scores.mutableSpan
      _ = FastMath.softmax(&span, adding: ([0, 0, 0] as [Float]).span)
    }
  }
}

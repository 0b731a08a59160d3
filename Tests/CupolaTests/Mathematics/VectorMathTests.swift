import Foundation
import Testing

@testable import Cupola

@Suite("Vector mathematics") struct VectorMathTests {
  static let lengths = [0, 1, 3, 7, 8, 9, 15, 16, 17, 100, 1003]

  static func vector(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
  }

  @Test("The inner product matches a double-precision sum", arguments: lengths)
  func dot(count: Int) {
    let (a, b) = (Self.vector(count, seed: 1), Self.vector(count, seed: 2))
    let exact = zip(a, b).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    #expect(abs(Double(VectorMath.dot(a.span, b.span)) - exact) < 1e-4)
    #expect(abs(VectorMath.preciseDot(a, b) - exact) < 1e-12)
  }

  @Test("Integers are multiplied and added exactly", arguments: lengths)
  func exact(count: Int) {
    let a = (0..<count).map { Float($0 % 17) - 8 }
    let b = (0..<count).map { Float($0 % 5) }
    let sum = zip(a, b).reduce(0) { $0 + Int($1.0) * Int($1.1) }
    #expect(VectorMath.dot(a.span, b.span) == Float(sum))
    #expect(VectorMath.preciseDot(a, b) == Double(sum))
  }

  @Test("A unit vector has length 1 and keeps its direction", arguments: [1, 5, 64, 333])
  func unit(count: Int) {
    let vector = Self.vector(count, seed: 3)
    let unit = VectorMath.unit(vector)
    #expect(abs(unit.reduce(0.0) { $0 + Double($1) * Double($1) } - 1) < 1e-5)
    let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    #expect(largestDifference(unit, vector.map { Double($0) / length }) < 1e-6)
  }

  @Test("The zero vector stays zero") func zero() {
    #expect(VectorMath.unit([0, 0, 0]) == [0, 0, 0])
  }

  @Test("Differences and weighted sums are elementwise", arguments: lengths)
  func sums(count: Int) {
    let a = (0..<count).map { Float($0) }
    let b = (0..<count).map { Float(2 * $0 - 5) }
    #expect(VectorMath.difference(a, b) == (0..<count).map { Float(5 - $0) })
    var target = a
    VectorMath.add(b, times: 0.5, to: &target)
    #expect(target == (0..<count).map { Float(2 * $0) - 2.5 })
    var other = [Float](repeating: .nan, count: count)
    VectorMath.add(b, times: 0.5, to: a, into: &other)
    #expect(other == target)
  }
}

@Suite("Fast mathematics") struct FastMathTests {
  @Test("The exponential is within 2 ulp from -69 to 0")
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
    "The exponential is 0 below -69, so products are not subnormal",
    arguments: [-69.001, -70, -87, -88, -1000, -1e30, -.infinity] as [Float])
  func tail(x: Float) {
    #expect(FastMath.exponential(x) == 0)
  }

  @Test("Softmax returns the probabilities and the log of the sum", arguments: [8, 16, 128])
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

  /// Compares the variant that this processor uses with scalar loops.
  @Test("Softmax matches scalar loops bit for bit", arguments: [8, 64, 128, 256])
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

  @Test("A score count that is not a multiple of 8 traps")
  func count() async {
    await #expect(processExitsWith: .failure) {
      var scores: [Float] = [1, 2, 3]
      var span = scores.mutableSpan
      _ = FastMath.softmax(&span, adding: ([0, 0, 0] as [Float]).span)
    }
  }
}

@Suite("Softmax") struct SoftmaxTests {
  static let cases: [[Float]] = [
    [0], [0, 0], [1, 2, 3], [-1e30, 0, 1e30], [1000, 1001, 999], [-1000, -1001], [3.5, 3.5, -2],
  ]

  @Test("Probabilities are in 0...1, sum to 1 and keep the order", arguments: cases)
  func range(logits: [Float]) {
    let probabilities = Softmax.probabilities(logits)
    #expect(probabilities.count == logits.count)
    #expect(probabilities.allSatisfy { (0...1).contains($0) })
    #expect(abs(probabilities.reduce(0, +) - 1) < 1e-12)
    for first in logits.indices {
      for second in logits.indices where logits[first] > logits[second] {
        #expect(probabilities[first] >= probabilities[second])
      }
    }
  }

  @Test("Probabilities match the definition", arguments: [0.5, 1, 4])
  func definition(temperature: Double) {
    let logits: [Float] = [0.25, -1.5, 3, 2.75]
    let powers = logits.map { exp(Double($0) / temperature) }
    let found = Softmax.probabilities(logits, temperature: temperature)
    #expect(found.count == 4)
    for (one, other) in zip(found, powers) {
      #expect(abs(one - other / powers.reduce(0, +)) < 1e-14)
    }
  }

  @Test("Only differences between logits matter")
  func shift() {
    #expect(Softmax.probabilities([1, 2, 4]) == Softmax.probabilities([101, 102, 104]))
  }

  @Test("High temperatures even out probabilities, low ones sharpen them")
  func temperature() {
    let hot = Softmax.probabilities([1, 2, 4], temperature: 1e6)
    #expect(hot.allSatisfy { abs($0 - 1.0 / 3) < 1e-5 })
    #expect(Softmax.probabilities([1, 2, 4], temperature: 1e-3) == [0, 0, 1])
  }
}

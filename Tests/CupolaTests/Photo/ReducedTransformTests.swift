import CupolaCampus
import Foundation
import Testing

@testable import Cupola

@Suite("The inverse cosine transform to 2x2 samples") struct ReducedTransformTests {
  /// The coefficients' order in a file (T.81, figure A.6), by walking along the diagonals.
  private static let order: [(row: Int, column: Int)] = {
    var places: [(row: Int, column: Int)] = []
    var (row, column, isUp) = (0, 0, true)
    while places.count < 64 {
      places.append((row, column))
      let next = isUp ? (row - 1, column + 1) : (row + 1, column - 1)
      if (0..<8).contains(next.0), (0..<8).contains(next.1) {
        (row, column) = next
      } else {
        // Along the border, and back.
        if isUp ? column < 7 : row == 7 { column += 1 } else { row += 1 }
        isUp.toggle()
      }
    }
    return places
  }()

  /// The means of the quarters of T.81's transform (A.3.3).
  private static func means(_ coefficients: [Int32]) -> [Double] {
    func basis(_ frequency: Int, _ half: Int) -> Double {
      let waves = (4 * half..<4 * half + 4).map {
        cos(Double(2 * $0 + 1) * Double(frequency) * .pi / 16)
      }
      return waves.reduce(0, +) / 4 * (frequency == 0 ? 0.5.squareRoot() : 1)
    }
    return [(0, 0), (0, 1), (1, 0), (1, 1)].map { y, x in
      zip(order, coefficients).reduce(128) { sum, next in
        sum + Double(next.1) / 4 * basis(next.0.row, y) * basis(next.0.column, x)
      }
    }
  }

  private static func samples(_ coefficients: [Int32], steps: [Int32]) -> [UInt8] {
    var sums = [Int32](repeating: 0, count: ReducedTransform.count)
    let factors = ReducedTransform.factors(steps)
    for (number, value) in coefficients.enumerated() {
      sums[ReducedTransform.slots[number]] &+= value &* factors[number]
    }
    let mean = sums[0]
    var span = sums.mutableSpan
    let four = ReducedTransform.samples(&span, from: 0)
    #expect(sums == [mean] + [Int32](repeating: 0, count: ReducedTransform.count - 1))
    return [four.0, four.1, four.2, four.3]
  }

  @Test("The samples are the means of the block's quarters")
  func quarters() {
    var generator = SplitMix64(seed: 1)
    for turn in 0..<500 {
      let steps = (0..<64).map { _ in Int32(1 + generator.next() % 20) }
      let coefficients = (0..<64).map { number in
        Int32(generator.next() % 31) - 15 < 12 - turn % 20
          ? 0 : Int32(generator.next() % 9) - 4 + (number == 0 ? 20 : 0)
      }
      let means = Self.means(zip(coefficients, steps).map { $0 * $1 })
      for (sample, mean) in zip(Self.samples(coefficients, steps: steps), means) {
        #expect(abs(Double(sample) - min(max(mean, 0), 255)) < 0.8)
      }
    }
  }

  @Test("A block of nothing but a mean is flat", arguments: -1100...1100)
  func flat(mean: Int32) {
    let steps = [Int32](repeating: 3, count: 64)
    let coefficients = [mean] + [Int32](repeating: 0, count: 63)
    let expected = UInt8(min(max((3 * mean + 4) >> 3 + 128, 0), 255))
    #expect(Self.samples(coefficients, steps: steps) == [expected, expected, expected, expected])
    let flat = ReducedTransform.flat(mean * ReducedTransform.factors(steps)[0])
    #expect(flat == (expected, expected, expected, expected))
  }
}

import Testing

@testable import Cupola

@Suite("Vector mathematics") struct VectorMathTests {
  static let lengths = [0, 1, 3, 7, 8, 9, 15, 16, 17, 100, 1003]

  static func vector(_ count: Int, seed: UInt64) -> [Float] {
    var generator = SplitMix64(seed: seed)
    return (0..<count).map { _ in Float.random(in: -1...1, using: &generator) }
  }

  @Test("The inner product is that of its twin in double", arguments: lengths)
  func dot(count: Int) {
    let (a, b) = (Self.vector(count, seed: 1), Self.vector(count, seed: 2))
    let exact = zip(a, b).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
    #expect(abs(Double(VectorMath.dot(a.span, b.span)) - exact) < 1e-4)
    #expect(abs(VectorMath.preciseDot(a, b) - exact) < 1e-12)
  }

  @Test("Whole numbers are multiplied and added without error", arguments: lengths)
  func exact(count: Int) {
    let a = (0..<count).map { Float($0 % 17) - 8 }
    let b = (0..<count).map { Float($0 % 5) }
    let sum = zip(a, b).reduce(0) { $0 + Int($1.0) * Int($1.1) }
    #expect(VectorMath.dot(a.span, b.span) == Float(sum))
    #expect(VectorMath.preciseDot(a, b) == Double(sum))
  }

  @Test("A unit vector has length 1 and its old direction", arguments: [1, 5, 64, 333])
  func unit(count: Int) {
    let vector = Self.vector(count, seed: 3)
    let unit = VectorMath.unit(vector)
    #expect(abs(unit.reduce(0.0) { $0 + Double($1) * Double($1) } - 1) < 1e-5)
    let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
    #expect(largestDifference(unit, vector.map { Double($0) / length }) < 1e-6)
  }

  @Test("The zero vector stays") func zero() { #expect(VectorMath.unit([0, 0, 0]) == [0, 0, 0]) }

  @Test("Differences and weighted sums are those of each element", arguments: lengths)
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

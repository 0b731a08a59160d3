import Testing

@testable import CupolaTraining

@Suite("L-BFGS")
struct LBFGSTests {
  /// A bowl whose axes are as steep as 1 to 100.
  private static func bowl(_ point: [Float], _ gradient: inout [Float]) -> Double {
    var value = 0.0
    for index in point.indices {
      let steepness = Float(1 + 99 * index / max(1, point.count - 1))
      let distance = point[index] - Float(index)
      gradient[index] = steepness * distance
      value += Double(steepness * distance * distance) / 2
    }
    return value
  }

  /// A bent valley that is hard to follow; its end is at (1, 1).
  private static func rosenbrock(_ point: [Float], _ gradient: inout [Float]) -> Double {
    let (x, y) = (Double(point[0]), Double(point[1]))
    gradient[0] = Float(-2 * (1 - x) - 400 * x * (y - x * x))
    gradient[1] = Float(200 * (y - x * x))
    return (1 - x) * (1 - x) + 100 * (y - x * x) * (y - x * x)
  }

  @Test("finds the bottom of a quadratic bowl", arguments: [1, 2, 7, 40])
  func quadratic(dimensions: Int) {
    let start = [Float](repeating: -3, count: dimensions)
    let minimum = LBFGS().minimize(from: start, Self.bowl)
    #expect(minimum.converged)
    for (index, value) in minimum.point.enumerated() {
      #expect(abs(value - Float(index)) < 1e-3)
    }
  }

  @Test(
    "finds the end of Rosenbrock's valley",
    arguments: [(-1.2, 1), (0, 0), (3, -2)] as [(Float, Float)])
  func valley(x: Float, y: Float) {
    let minimum = LBFGS().minimize(from: [x, y], Self.rosenbrock)
    #expect(minimum.value < 1e-6)
    #expect(abs(minimum.point[0] - 1) < 1e-2)
    #expect(abs(minimum.point[1] - 1) < 1e-2)
  }

  @Test("never ends higher than it started, however early it stops", arguments: 0...6)
  func descends(iterations: Int) {
    var gradient: [Float] = [0, 0]
    let start = Self.rosenbrock([-1.2, 1], &gradient)
    let solver = LBFGS(maximumIterations: iterations)
    let minimum = solver.minimize(from: [-1.2, 1], Self.rosenbrock)
    #expect(minimum.iterations == iterations)
    #expect(!minimum.converged)
    #expect(iterations == 0 ? minimum.value == start : minimum.value < start)
  }

  @Test("stays where the gradient is zero already")
  func flat() {
    let minimum = LBFGS().minimize(from: [1, 1], Self.rosenbrock)
    #expect(minimum.converged)
    #expect(minimum.iterations == 0)
    #expect(minimum.point == [1, 1])
  }

  @Test("the value it returns belongs to the point it returns")
  func valueFitsPoint() {
    var gradient: [Float] = [0, 0]
    let minimum = LBFGS(maximumIterations: 9).minimize(from: [-1.2, 1], Self.rosenbrock)
    #expect(minimum.value == Self.rosenbrock(minimum.point, &gradient))
  }

  @Test("the length of the first step saves the search for it")
  func firstStep() {
    // Flat: the minimum is a thousand gradients away.
    let flat: LBFGS.Objective = { point, gradient in
      gradient = point.map { ($0 - 1) / 1_000 }
      return point.reduce(0.0) { $0 + Double(($1 - 1) * ($1 - 1)) / 2_000 }
    }
    var solver = LBFGS()
    let length = solver.lengthOfFirstStep(from: [0, 0], flat)
    #expect(length > 100 && length < 2_000)
    func looks() -> Int {
      var looks = 0
      let minimum = solver.minimize(from: [0, 0]) { point, gradient in
        looks += 1
        return flat(point, &gradient)
      }
      #expect(minimum.converged)
      return looks
    }
    let before = looks()
    solver.firstStep = length
    #expect(looks() < before)
  }
}

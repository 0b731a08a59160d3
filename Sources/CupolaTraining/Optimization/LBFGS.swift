internal import Cupola

/// Minimizes a smooth function by the limited-memory BFGS method (Liu & Nocedal 1989) with a weak
/// Wolfe line search by bisection (Lewis & Overton 2013).
struct LBFGS {
  /// Pairs of steps and gradient changes that are remembered.
  var memory = 12
  var maximumIterations = 500
  /// Converged when no component of the gradient is larger.
  var gradientTolerance: Float = 1e-5
  /// The first step that is tried is the gradient times this, a gradient longer than 1 made as long as 1.
  var firstStep: Float = 1

  struct Minimum {
    var point: [Float]
    var value: Double
    var iterations: Int
    /// Whether the gradient fell below the tolerance, or no step in 32-bit floats helps any more.
    var converged: Bool
  }

  /// The function's value; its gradient goes into the second parameter.
  typealias Objective = (_ point: [Float], _ gradient: inout [Float]) -> Double

  /// - Parameter isStepDone: called after each step.
  func minimize(
    from start: [Float], isStepDone: (() -> Void)? = nil, _ objective: Objective
  ) -> Minimum {
    var gradient = [Float](repeating: 0, count: start.count)
    var minimum = Minimum(
      point: start, value: objective(start, &gradient), iterations: 0, converged: false)
    var history = History(memory: memory)
    // What a canceled task makes is thrown away.
    while minimum.iterations < maximumIterations, !Task.isCancelled {
      if Self.isFlat(gradient, gradientTolerance) {
        minimum.converged = true
        return minimum
      }
      let direction = history.direction(against: gradient)
      let first = history.isEmpty ? firstStep / max(1, Self.norm(gradient)) : 1
      guard
        let step = Self.search(
          from: minimum, gradient, along: direction, firstStep: first, objective)
      else {
        if history.isEmpty {
          // Even straight downhill nothing is gained: the value is exact to its last bit.
          minimum.converged = Self.isFlat(gradient, 100 * gradientTolerance)
          return minimum
        }
        history = History(memory: memory)
        continue
      }
      history.add(
        step: VectorMath.difference(step.point, minimum.point),
        change: VectorMath.difference(step.gradient, gradient))
      minimum.point = step.point
      minimum.value = step.value
      minimum.iterations += 1
      isStepDone?()
      gradient = step.gradient
    }
    return minimum
  }

  /// How long the first step from a point turns out to be, for ``firstStep`` of a costlier function that is much
  /// the same.
  func lengthOfFirstStep(from start: [Float], _ objective: Objective) -> Float {
    var gradient = [Float](repeating: 0, count: start.count)
    let value = objective(start, &gradient)
    let unit = max(1, Self.norm(gradient))
    let step = Self.search(
      from: Minimum(point: start, value: value, iterations: 0, converged: false), gradient,
      along: gradient.map { -$0 }, firstStep: firstStep / unit, objective)
    return step.map { $0.length * unit } ?? firstStep
  }

  private struct Step {
    var point: [Float]
    var value: Double
    var gradient: [Float]
    var length: Float
  }

  /// A step along a direction that lowers the value enough and the slope enough; `nil` when there is
  /// none that 32-bit floats can tell.
  private static func search(
    from start: Minimum, _ gradient: [Float], along direction: [Float], firstStep: Float,
    _ objective: Objective
  ) -> Step? {
    let slope = VectorMath.preciseDot(gradient, direction)
    guard slope < 0 else { return nil }
    var (low, high): (Float, Float) = (0, .infinity)
    var length = firstStep
    var trial = Step(point: start.point, value: 0, gradient: gradient, length: length)
    var best: Step?
    for _ in 0..<30 {
      VectorMath.add(direction, times: length, to: start.point, into: &trial.point)
      trial.length = length
      trial.value = objective(trial.point, &trial.gradient)
      if !(trial.value <= start.value + 1e-4 * Double(length) * slope) {
        high = length
      } else {
        best = trial
        if VectorMath.preciseDot(trial.gradient, direction) >= 0.9 * slope { return trial }
        low = length
      }
      length = high.isFinite ? (low + high) / 2 : 2 * length
    }
    return best
  }

  private static func isFlat(_ gradient: [Float], _ tolerance: Float) -> Bool {
    gradient.allSatisfy { abs($0) <= tolerance }
  }

  private static func norm(_ vector: [Float]) -> Float {
    Float(VectorMath.preciseDot(vector, vector).squareRoot())
  }
}

/// The last steps, which stand for the inverse Hessian.
private struct History {
  let memory: Int
  private var steps: [[Float]] = []
  private var changes: [[Float]] = []
  private var inverseCurvatures: [Double] = []

  init(memory: Int) { self.memory = memory }

  var isEmpty: Bool { steps.isEmpty }

  mutating func add(step: [Float], change: [Float]) {
    let curvature = VectorMath.preciseDot(step, change)
    guard curvature > 1e-12 * VectorMath.preciseDot(change, change) else { return }
    if steps.count == memory {
      steps.removeFirst()
      changes.removeFirst()
      inverseCurvatures.removeFirst()
    }
    steps.append(step)
    changes.append(change)
    inverseCurvatures.append(1 / curvature)
  }

  /// The two-loop recursion.
  func direction(against gradient: [Float]) -> [Float] {
    var vector = gradient.map { -$0 }
    var weights = [Double](repeating: 0, count: steps.count)
    for index in steps.indices.reversed() {
      weights[index] = inverseCurvatures[index] * VectorMath.preciseDot(steps[index], vector)
      VectorMath.add(changes[index], times: -Float(weights[index]), to: &vector)
    }
    if let change = changes.last, let inverse = inverseCurvatures.last {
      let scale = Float(1 / (inverse * VectorMath.preciseDot(change, change)))
      for index in vector.indices { vector[index] *= scale }
    }
    for index in steps.indices {
      let weight = inverseCurvatures[index] * VectorMath.preciseDot(changes[index], vector)
      VectorMath.add(steps[index], times: Float(weights[index] - weight), to: &vector)
    }
    return vector
  }
}

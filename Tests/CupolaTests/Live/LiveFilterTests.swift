import Foundation
import Testing

@testable import Cupola

@Suite("Live filter") struct LiveFilterTests {
  /// A picture that says some probabilities, hall, tower and background.
  private static func picture(_ model: Model, _ probabilities: [Double]) -> FrameProbabilities {
    var picture = FrameProbabilities(model)
    picture.read(probabilities.map { Float(log($0)) })
    return picture
  }

  private static func reference(_ frames: [[Double]], elapsed: Double) -> [Double] {
    let prior = [0.25, 0.25, 0.5]
    var belief = prior
    let steps = elapsed / 0.1
    for frame in frames {
      let sum = frame.reduce(0, +)
      let stays = pow(0.95, steps)
      let before = belief.indices.map { stays * belief[$0] + (1 - stays) * prior[$0] }
      let after = before.indices.map {
        before[$0] * pow(max(frame[$0] / sum, 1e-3), min(0.4 * steps, 0.6))
      }
      belief = after.map { $0 / after.reduce(0, +) }
    }
    return belief
  }

  @Test("Beliefs match the textbook forward algorithm", arguments: [0.04, 0.1, 0.5])
  func forward(elapsed: Double) throws {
    let model = try SampleModel.model()
    var generator = SplitMix64(seed: 5)
    let frames = (0..<30).map { _ in (0..<3).map { _ in 0.01 + generator.fraction } }
    var belief = LiveFilter(model, error: 0.05)
    for frame in frames {
      belief.update(Self.picture(model, frame), elapsed: elapsed)
      #expect(abs(belief.values.reduce(0, +) - 1) < 1e-9)
    }
    let expected = Self.reference(frames, elapsed: elapsed)
    for (found, wanted) in zip(belief.values, expected) { #expect(abs(found - wanted) < 1e-5) }
  }

  @Test("High scores of unknown buildings raise the naming threshold")
  func unknown() throws {
    var model = try SampleModel.model()
    var plain = LiveFilter(model, error: 0.05)
    model.calibration.unknownBuildings = ErrorCurve(
      photos: 99, wrong: (0..<99).map { Double($0) / 20 })
    var careful = LiveFilter(model, error: 0.05)
    for _ in 0..<4 {
      plain.update(Self.picture(model, [0.8, 0.05, 0.15]), elapsed: 0.1)
      careful.update(Self.picture(model, [0.8, 0.05, 0.15]), elapsed: 0.1)
    }
    // The last belief is that of no building.
    let last = plain.values.count - 1
    #expect(careful.values[0] < plain.values[0] && careful.values[last] > plain.values[last])
    // 4 of 99 photos may be named: the threshold is the fifth score, 4.7, and half of it counts.
    let frame = [0.8, 0.05, 0.15 * exp(0.5 * 4.7)]
    let expected = Self.reference([[Double]](repeating: frame, count: 4), elapsed: 0.1)
    for (found, wanted) in zip(careful.values, expected) { #expect(abs(found - wanted) < 1e-5) }
  }

  @Test("A reset keeps only the continuing building")
  func reset() throws {
    let model = try SampleModel.model()
    var belief = LiveFilter(model, error: 0.05)
    for _ in 0..<20 { belief.update(Self.picture(model, [0.9, 0.05, 0.05]), elapsed: 0.1) }
    belief.reset()
    #expect(belief.values == [0.25, 0.25, 0.5])
    belief.reset(continuing: 1)
    #expect(belief.values[1] == 0.5 && abs(belief.values.reduce(0, +) - 1) < 1e-12)
  }

  @Test("Invalid time steps keep beliefs finite", arguments: [-5, 0, 1e9])
  func times(elapsed: Double) throws {
    let model = try SampleModel.model()
    var belief = LiveFilter(model, error: 0.05)
    for _ in 0..<5 { belief.update(Self.picture(model, [0.9, 0.05, 0.05]), elapsed: elapsed) }
    #expect(belief.values.allSatisfy { $0.isFinite && $0 >= 0 })
  }
}

@Suite("Steady verdicts") struct SteadyVerdictTests {
  @Test("A name appears and disappears at different thresholds")
  func hysteresis() {
    var verdict = VerdictHysteresis()
    let beliefs = [0.9, 0.96, 0.5, 0.25, 0.94, 0.19, 0.9]
    let shown = beliefs.map { belief in
      verdict.update([belief, (1 - belief) / 2, (1 - belief) / 2], contradicts: false)
      return verdict.shown
    }
    let hall = VerdictHysteresis.Shown.building(0)
    #expect(shown == [.looking, hall, hall, hall, hall, .looking, .looking])
  }

  @Test("Another name replaces the first only if it is as certain")
  func change() {
    var verdict = VerdictHysteresis()
    verdict.update([0.97, 0.02, 0.01], contradicts: false)
    verdict.update([0.3, 0.65, 0.05], contradicts: false)
    #expect(verdict.shown == .building(0))
    verdict.update([0.02, 0.97, 0.01], contradicts: false)
    #expect(verdict.shown == .building(1))
  }

  @Test("Other is shown at once, unsure only after a delay")
  func others() {
    var verdict = VerdictHysteresis()
    for number in 1...12 {
      verdict.update([0.48, 0.48, 0.04], contradicts: false)
      #expect(verdict.shown == (number < VerdictHysteresis.pairFrames ? .looking : .unsure))
    }
    verdict.update([0.01, 0.01, 0.98], contradicts: false)
    #expect(verdict.shown == .other)
    verdict.update([0.3, 0.3, 0.4], contradicts: false)
    #expect(verdict.shown == .other)
    verdict.update([0.97, 0.01, 0.02], contradicts: true)
    #expect(verdict.shown == .unsure)
    verdict.reset()
    #expect(verdict == VerdictHysteresis())
  }

  @Test("That it is nothing, or one of two, is told until it is believed in less")
  func goes() {
    var verdict = VerdictHysteresis()
    verdict.update([0.01, 0.01, 0.98], contradicts: false)
    verdict.update([0.4, 0.4, 0.2], contradicts: false)
    #expect(verdict.shown == .other)
    verdict.update([0.45, 0.36, 0.19], contradicts: false)
    #expect(verdict.shown == .looking)
    // Two buildings have 92% together, then 89%: the delay starts again.
    for count in [9, 9, 10] {
      for _ in 0..<count { verdict.update([0.46, 0.46, 0.08], contradicts: false) }
      #expect(verdict.shown == (count == 10 ? .unsure : .looking))
      verdict.update([0.46, 0.43, 0.11], contradicts: false)
      #expect(verdict.shown == .looking)
    }
  }

  @Test(
    "A name survives a cut if the next frame confirms it",
    arguments: [([0.6, 0.1, 0.3], true), ([0.1, 0.6, 0.3], false), ([0.4, 0.1, 0.5], false)])
  func cut(probabilities: [Double], stays: Bool) throws {
    var picture = FrameProbabilities(try SampleModel.model())
    picture.read(probabilities.map { Float(log($0)) })
    var verdict = VerdictHysteresis()
    verdict.update([0.97, 0.02, 0.01], contradicts: false)
    let building = verdict.cut(picture)
    #expect(building == (stays ? 0 : nil))
    #expect(verdict.shown == (stays ? .building(0) : .looking))
  }

  @Test(
    "The other verdict survives a cut if the next frame confirms it",
    arguments: [([0.1, 0.2, 0.7], true), ([0.6, 0.1, 0.3], false)])
  func cutOfOther(probabilities: [Double], stays: Bool) throws {
    var picture = FrameProbabilities(try SampleModel.model())
    picture.read(probabilities.map { Float(log($0)) })
    var verdict = VerdictHysteresis()
    verdict.update([0.01, 0.01, 0.98], contradicts: false)
    #expect(verdict.cut(picture) == nil)
    #expect(verdict.shown == (stays ? .other : .looking))
  }
}

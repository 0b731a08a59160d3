import Foundation
import Testing

@testable import Cupola

@Suite("Live beliefs") struct LiveBeliefTests {
  /// A picture that says some probabilities, hall, tower and background.
  private static func picture(_ model: Model, _ probabilities: [Double]) -> LivePicture {
    var picture = LivePicture(model)
    picture.read(probabilities.map { Float(log($0)) })
    return picture
  }

  /// The forward algorithm as in a textbook.
  private static func twin(_ frames: [[Double]], elapsed: Double) -> [Double] {
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

  @Test("Beliefs are those of the textbook's loop", arguments: [0.04, 0.1, 0.5])
  func forward(elapsed: Double) throws {
    let model = try SampleModel.model()
    var generator = SplitMix64(seed: 5)
    let frames = (0..<30).map { _ in (0..<3).map { _ in 0.01 + generator.fraction } }
    var belief = LiveBelief(model, error: 0.05)
    for frame in frames {
      belief.update(Self.picture(model, frame), elapsed: elapsed)
      #expect(abs(belief.values.reduce(0, +) - 1) < 1e-9)
    }
    let expected = Self.twin(frames, elapsed: elapsed)
    for (found, wanted) in zip(belief.values, expected) { #expect(abs(found - wanted) < 1e-5) }
  }

  @Test("Where unknown buildings look sure, more is asked of a known one")
  func unknown() throws {
    var model = try SampleModel.model()
    var plain = LiveBelief(model, error: 0.05)
    model.calibration.unknownBuildings = ErrorCurve(
      photos: 99, wrong: (0..<99).map { Double($0) / 20 })
    var careful = LiveBelief(model, error: 0.05)
    for _ in 0..<4 {
      plain.update(Self.picture(model, [0.8, 0.05, 0.15]), elapsed: 0.1)
      careful.update(Self.picture(model, [0.8, 0.05, 0.15]), elapsed: 0.1)
    }
    // The last is that it is none of the buildings.
    let last = plain.values.count - 1
    #expect(careful.values[0] < plain.values[0] && careful.values[last] > plain.values[last])
    // Of 99 photos 4 may be named: the line is the fifth score, 4.7, of which half counts.
    let frame = [0.8, 0.05, 0.15 * exp(0.5 * 4.7)]
    let expected = Self.twin([[Double]](repeating: frame, count: 4), elapsed: 0.1)
    for (found, wanted) in zip(careful.values, expected) { #expect(abs(found - wanted) < 1e-5) }
  }

  @Test("A reset forgets all but the building that goes on")
  func reset() throws {
    let model = try SampleModel.model()
    var belief = LiveBelief(model, error: 0.05)
    for _ in 0..<20 { belief.update(Self.picture(model, [0.9, 0.05, 0.05]), elapsed: 0.1) }
    belief.reset()
    #expect(belief.values == [0.25, 0.25, 0.5])
    belief.reset(continuing: 1)
    #expect(belief.values[1] == 0.5 && abs(belief.values.reduce(0, +) - 1) < 1e-12)
  }

  @Test("Times that go back, stand still or jump do no harm", arguments: [-5, 0, 1e9])
  func times(elapsed: Double) throws {
    let model = try SampleModel.model()
    var belief = LiveBelief(model, error: 0.05)
    for _ in 0..<5 { belief.update(Self.picture(model, [0.9, 0.05, 0.05]), elapsed: elapsed) }
    #expect(belief.values.allSatisfy { $0.isFinite && $0 >= 0 })
  }
}

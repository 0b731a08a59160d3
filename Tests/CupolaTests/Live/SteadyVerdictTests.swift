import Foundation
import Testing

@testable import Cupola

@Suite("Steady verdicts") struct SteadyVerdictTests {
  @Test("A name appears above one line and goes below another")
  func hysteresis() {
    var verdict = SteadyVerdict()
    let beliefs = [0.9, 0.96, 0.5, 0.25, 0.94, 0.19, 0.9]
    let shown = beliefs.map { belief in
      verdict.update([belief, (1 - belief) / 2, (1 - belief) / 2], contradicts: false)
      return verdict.shown
    }
    let hall = SteadyVerdict.Shown.building(0)
    #expect(shown == [.looking, hall, hall, hall, hall, .looking, .looking])
  }

  @Test("Another name takes the place of the first only when it is as sure")
  func change() {
    var verdict = SteadyVerdict()
    verdict.update([0.97, 0.02, 0.01], contradicts: false)
    verdict.update([0.3, 0.65, 0.05], contradicts: false)
    #expect(verdict.shown == .building(0))
    verdict.update([0.02, 0.97, 0.01], contradicts: false)
    #expect(verdict.shown == .building(1))
  }

  @Test("Nothing is told, and two buildings only after a while")
  func others() {
    var verdict = SteadyVerdict()
    for number in 1...12 {
      verdict.update([0.48, 0.48, 0.04], contradicts: false)
      #expect(verdict.shown == (number < SteadyVerdict.patience ? .looking : .unsure))
    }
    verdict.update([0.01, 0.01, 0.98], contradicts: false)
    #expect(verdict.shown == .other)
    verdict.update([0.3, 0.3, 0.4], contradicts: false)
    #expect(verdict.shown == .other)
    verdict.update([0.97, 0.01, 0.02], contradicts: true)
    #expect(verdict.shown == .unsure)
    verdict.reset()
    #expect(verdict == SteadyVerdict())
  }

  @Test("That it is nothing, or one of two, is told until it is believed in less")
  func goes() {
    var verdict = SteadyVerdict()
    verdict.update([0.01, 0.01, 0.98], contradicts: false)
    verdict.update([0.4, 0.4, 0.2], contradicts: false)
    #expect(verdict.shown == .other)
    verdict.update([0.45, 0.36, 0.19], contradicts: false)
    #expect(verdict.shown == .looking)
    // Two have 92 % together, and then 89 %: the waiting begins anew.
    for count in [9, 9, 10] {
      for _ in 0..<count { verdict.update([0.46, 0.46, 0.08], contradicts: false) }
      #expect(verdict.shown == (count == 10 ? .unsure : .looking))
      verdict.update([0.46, 0.43, 0.11], contradicts: false)
      #expect(verdict.shown == .looking)
    }
  }

  @Test(
    "A name outlives a cut where the frame behind it says the same, and no less than all else",
    arguments: [([0.6, 0.1, 0.3], true), ([0.1, 0.6, 0.3], false), ([0.4, 0.1, 0.5], false)])
  func cut(probabilities: [Double], stays: Bool) throws {
    var picture = LivePicture(try SampleModel.model())
    picture.read(probabilities.map { Float(log($0)) })
    var verdict = SteadyVerdict()
    verdict.update([0.97, 0.02, 0.01], contradicts: false)
    let building = verdict.cut(picture)
    #expect(building == (stays ? 0 : nil))
    #expect(verdict.shown == (stays ? .building(0) : .looking))
  }

  @Test(
    "That it is nothing outlives a cut where the frame behind it says the same",
    arguments: [([0.1, 0.2, 0.7], true), ([0.6, 0.1, 0.3], false)])
  func cutOfOther(probabilities: [Double], stays: Bool) throws {
    var picture = LivePicture(try SampleModel.model())
    picture.read(probabilities.map { Float(log($0)) })
    var verdict = SteadyVerdict()
    verdict.update([0.01, 0.01, 0.98], contradicts: false)
    #expect(verdict.cut(picture) == nil)
    #expect(verdict.shown == (stays ? .other : .looking))
  }
}

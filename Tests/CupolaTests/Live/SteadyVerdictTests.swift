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
}

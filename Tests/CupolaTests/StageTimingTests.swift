import Testing

@testable import Cupola

@Suite("Stage timing") struct StageTimingTests {
  @Test("Stages that ran are there, the others not")
  func stages() {
    var timing = StageTiming()
    #expect(timing.milliseconds.isEmpty)
    let result = timing.measure(.decode) { 7 }
    #expect(result == 7 && Array(timing.milliseconds.keys) == [.decode])
  }

  @Test("A stage that fails is timed as well, and its error passed on")
  func failure() {
    var timing = StageTiming()
    #expect(throws: CupolaError.unsupportedFormat(.gif)) {
      try timing.measure(.metadata) { throw CupolaError.unsupportedFormat(.gif) }
    }
    #expect(timing.milliseconds[.metadata] != nil)
  }

  @Test("The time of a stage that runs twice is added up")
  func twice() throws {
    var timing = StageTiming()
    timing.measure(.decode) {}
    let once = try #require(timing.milliseconds[.decode])
    timing.measure(.decode) {}
    #expect(try #require(timing.milliseconds[.decode]) >= once)
  }
}

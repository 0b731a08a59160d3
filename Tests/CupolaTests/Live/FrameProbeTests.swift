import Testing

@testable import Cupola

@Suite("Frame probes") struct FrameProbeTests {
  @Test("The part that says more than the whole is told, after two looks at it")
  func hint() {
    var probe = FrameProbe()
    var looks = [0, 0, 0]
    for _ in 0..<36 {
      guard let (part, geometry) = probe.next(whole: -1) else { continue }
      looks[part] += 1
      #expect(geometry.name == "window")
      probe.add(part == 0 ? 3 : -1, part: part)
    }
    #expect(looks == [4, 4, 4] && probe.hint == .moveLeft)
    probe.reset()
    #expect(probe.hint == nil)
  }

  @Test("Nothing is told where no part is better, or none is good")
  func nothing() {
    for (whole, odds) in [(2.0, 3.0), (-5, 0.5), (0, 1.2)] {
      var probe = FrameProbe()
      for _ in 0..<36 {
        if let (part, _) = probe.next(whole: whole) { probe.add(odds, part: part) }
      }
      #expect(probe.hint == nil)
    }
  }
}

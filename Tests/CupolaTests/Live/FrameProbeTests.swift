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

  @Test(
    "A part is told by the side that it is on, not before the second look at it",
    arguments: [(0, 0, LiveHint.moveLeft), (1, 15, .stepNearer), (2, 30, .moveRight)])
  func sides(part: Int, left: Int, hint: LiveHint) {
    let window = Geometry.Window(left: left, top: 15, width: 70, height: 70)
    var probe = FrameProbe()
    var looks = 0
    while looks < 2 {
      #expect(probe.hint == nil)
      guard let (found, geometry) = probe.next(whole: -1) else { continue }
      if found == part { looks += 1 }
      #expect((geometry == .window(window)) == (found == part))
      probe.add(found == part ? 3 : -1, part: found)
    }
    #expect(probe.hint == hint)
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

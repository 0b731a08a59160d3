import Testing

@testable import Cupola

@Suite("Frame pacer") struct FramePacerTests {
  /// The number of frames accepted in ten seconds at 30 frames per second.
  private static func taken(again pacer: inout FramePacer) -> Int {
    (0..<300).count { pacer.takes(at: Double($0) / 30) }
  }

  /// The number of frames accepted by a fresh copy of the pacer.
  private static func taken(_ pacer: FramePacer) -> Int {
    var pacer = pacer
    return taken(again: &pacer)
  }

  @Test("The frame rate is limited and drops with heat and low battery")
  func rates() {
    var pacer = FramePacer(mostFrames: 15)
    #expect((148...152).contains(Self.taken(pacer)))
    pacer.heat = .fair
    #expect((98...102).contains(Self.taken(pacer)))
    pacer.heat = .serious
    #expect((48...52).contains(Self.taken(pacer)))
    pacer.savesBattery = true
    #expect((24...27).contains(Self.taken(pacer)))
    pacer.heat = .critical
    #expect((4...7).contains(Self.taken(pacer)))
  }

  @Test("A slow device drops frames and never catches up")
  func slow() {
    var pacer = FramePacer(mostFrames: 30)
    var (busyUntil, taken) = (0.0, 0)
    for number in 0..<300 {
      let time = Double(number) / 30
      guard time >= busyUntil, pacer.takes(at: time) else { continue }
      taken += 1
      busyUntil = time + 0.2
      pacer.finished(at: busyUntil, startedAt: time)
    }
    #expect((36...42).contains(taken))
  }

  @Test("A clock that goes back or jumps stops no frames")
  func clock() {
    var pacer = FramePacer(mostFrames: 15)
    var counts = [Self.taken(again: &pacer), Self.taken(again: &pacer)]
    for nonsense in [1e9, .nan, .infinity] {
      _ = pacer.takes(at: nonsense)
      counts.append(Self.taken(again: &pacer))
    }
    #expect(counts.allSatisfy { (148...152).contains($0) }, "\(counts)")
    // Swapped timestamps do not raise the frame rate.
    let trembling = (0..<300).count { pacer.takes(at: 100 + Double($0 ^ 1) / 30) }
    #expect((140...152).contains(trembling))
  }
}

import Testing

@testable import Cupola

@Suite("Frame pacer") struct FramePacerTests {
  /// How many frames of a camera of 30 a second are taken in ten seconds.
  private static func taken(again pacer: inout FramePacer) -> Int {
    (0..<300).count { pacer.takes(at: Double($0) / 30) }
  }

  /// The same of one that nobody asks again.
  private static func taken(_ pacer: FramePacer) -> Int {
    var pacer = pacer
    return taken(again: &pacer)
  }

  @Test("No more frames than were allowed, fewer when it is hot or the battery is low")
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

  @Test("A slow device leaves frames out, and never catches up")
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

  @Test("A clock that goes back, or says nonsense for once, stops no frames")
  func clock() {
    var pacer = FramePacer(mostFrames: 15)
    var counts = [Self.taken(again: &pacer), Self.taken(again: &pacer)]
    for nonsense in [1e9, .nan, .infinity] {
      _ = pacer.takes(at: nonsense)
      counts.append(Self.taken(again: &pacer))
    }
    #expect(counts.allSatisfy { (148...152).contains($0) }, "\(counts)")
    // One that trembles takes no more frames than were allowed.
    let trembling = (0..<300).count { pacer.takes(at: 100 + Double($0 ^ 1) / 30) }
    #expect((140...152).contains(trembling))
  }
}

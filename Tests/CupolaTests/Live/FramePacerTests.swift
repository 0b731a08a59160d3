import Testing

@testable import Cupola

@Suite("Frame pacer") struct FramePacerTests {
  /// How many frames of a camera of 30 a second are taken in ten seconds.
  private static func taken(_ pacer: FramePacer) -> Int {
    var pacer = pacer
    return (0..<300).count { pacer.takes(at: Double($0) / 30) }
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
}

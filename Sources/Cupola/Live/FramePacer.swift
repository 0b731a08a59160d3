/// Says which frames of a camera are to be looked at: those in between are left out, none waits.
public struct FramePacer: Equatable, Sendable {
  /// How hot a device is.
  public enum Heat: Sendable {
    case nominal
    case fair
    case serious
    case critical
  }

  /// Frames a second that are looked at, at most, when nothing speaks against it; more than 0.
  package var mostFrames: Double
  /// How hot the device is.
  public var heat = Heat.nominal
  /// Whether it saves its battery.
  public var savesBattery = false

  /// When the next frame is to be looked at.
  private var next = -Double.infinity
  /// When the last frame came.
  private var last = -Double.infinity

  /// - Parameter mostFrames: frames a second, more than 0.
  public init(mostFrames: Double = 15) {
    precondition(mostFrames > 0, "\(mostFrames) frames a second")
    self.mostFrames = mostFrames
  }

  /// Frames a second that are looked at, at most.
  package var rate: Double {
    let byHeat =
      switch heat {
      case .nominal: mostFrames
      case .fair: mostFrames * 2 / 3
      case .serious: mostFrames / 3
      case .critical: min(1, mostFrames / 15)
      }
    return savesBattery ? byHeat / 2 : byHeat
  }

  /// Whether a frame is to be looked at.
  ///
  /// - Parameter time: when it came, in seconds since any moment. Where it goes back by more than a frame, as of a video that
  ///   begins anew, so does the count.
  public mutating func takes(at time: Double) -> Bool {
    guard !time.isNaN else { return false }
    // Else no frame would be taken until the clock is again where it was.
    if time < last - 1 / rate { next = -.infinity }
    last = time
    // A camera's clock trembles: a frame that comes a little early is taken.
    guard time >= next - 0.1 / rate else { return false }
    next = max(next, time - 1 / rate) + 1 / rate
    return true
  }

  /// Tells when the work on a frame ended: the next one is looked at after a pause of a quarter of what it took.
  ///
  /// - Parameters:
  ///   - end: in seconds since the moment that ``takes(at:)`` counts from.
  ///   - start: when it began, likewise.
  public mutating func finished(at end: Double, startedAt start: Double) {
    next = max(next, end + max(0, end - start) / 4)
  }
}

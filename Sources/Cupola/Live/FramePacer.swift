/// Selects which camera frames to process. Other frames are dropped, not queued.
public struct FramePacer: Equatable, Sendable {
  /// The thermal state of a device.
  public enum Heat: Sendable {
    case nominal
    case fair
    case serious
    case critical
  }

  /// The maximum number of frames per second at normal temperature, greater than 0.
  package var mostFrames: Double
  /// The thermal state of the device.
  public var heat = Heat.nominal
  /// Whether the device is in low power mode.
  public var savesBattery = false

  private var next = -Double.infinity
  private var last = -Double.infinity

  /// - Parameter mostFrames: The maximum number of frames per second, greater than 0.
  public init(mostFrames: Double = 15) {
    precondition(mostFrames > 0, "invalid frame rate of \(mostFrames) per second")
    self.mostFrames = mostFrames
  }

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

  /// Returns whether to process a frame.
  ///
  /// - Parameter time: The arrival time in seconds, relative to any fixed moment. If it is more than one frame before
  ///   the previous time, as in a restarted video, the pacer is reset.
  public mutating func takes(at time: Double) -> Bool {
    guard !time.isNaN else { return false }
    // Without a reset, all frames would be dropped until the clock catches up.
    if time < last - 1 / rate { next = -.infinity }
    last = time
    // Camera clocks jitter, so accept frames up to 10% of the interval early.
    guard time >= next - 0.1 / rate else { return false }
    next = max(next, time - 1 / rate) + 1 / rate
    return true
  }

  /// Records that a frame was processed. The next frame must wait for a quarter of the processing time.
  ///
  /// - Parameters:
  ///   - end: The end of the processing, in seconds on the clock of ``takes(at:)``.
  ///   - start: The start of the processing on the same clock.
  public mutating func finished(at end: Double, startedAt start: Double) {
    next = max(next, end + max(0, end - start) / 4)
  }
}

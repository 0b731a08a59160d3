/// How much a scheduled time is worth.
public enum TransitPrecision: Hashable, Sendable {
  /// Vehicles keep it.
  case exact
  /// It lies between times that vehicles keep (`timepoint` of 0, or interpolated).
  case approximate
  /// A vehicle comes that often; the time itself is only one of many possible ones.
  case every(seconds: Int)

  /// Such as `every 10 min`; `nil` when a vehicle has a time of its own.
  public var words: String? {
    guard case .every(let seconds) = self else { return nil }
    return seconds % 60 == 0 ? "every \(seconds / 60) min" : "every \(seconds) s"
  }
}

/// How near a beacon is, as far as its signal tells: in zones, never in meters.
public enum TourZoneLevel: String, Equatable, Sendable, CaseIterable {
  case immediate, near, far
}

extension TourZoneLevel: Comparable {
  private var rank: Int {
    switch self {
    case .immediate: 0
    case .near: 1
    case .far: 2
    }
  }

  /// Whether a level is nearer than another.
  public static func < (a: TourZoneLevel, b: TourZoneLevel) -> Bool { a.rank < b.rank }
}

/// Where the visitor is, seen from a stop, as of the last position and the beacon's zone.
struct TourPresence: Equatable {
  /// Meters to the stop; `nil` without a recent position.
  var meters: Double?
  /// Whether the stop may begin.
  var isInside = false
  /// Whether the stop is near.
  var isNear = false
  /// Whether the visitor is surely away from the stop, which ends it.
  var isAway = false
  /// Whether the visitor is surely not near any more.
  var isFar = false
  /// The smaller, the more it is this stop of several.
  var rank = Double.infinity
  /// When that was so: a position tells nothing of the seconds after it.
  var time = 0.0
}

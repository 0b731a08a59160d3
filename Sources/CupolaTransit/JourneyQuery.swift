/// From where to where a journey is wanted, in whole seconds and numbers of stops.
struct JourneyQuery {
  /// A stop and the seconds on foot to it or from it.
  struct Reach: Equatable {
    var stop: Int
    var seconds: Int
  }

  /// Sorted by stop, each once.
  var access: [Reach]
  /// Sorted by stop, each once.
  var egress: [Reach]
  /// All boardings are in it, seconds since 1970.
  var window: Range<Int>
  /// The least seconds of a change.
  var change: Int
  /// Whether trips and stops that take no wheelchair are left out.
  var isStepFree: Bool
  /// The stops that can be walked to from one; those of its station come by themselves.
  var walks: (Int) -> [Reach]

  /// Longer walks are none.
  static let longestWalk = 86400.0

  /// Reads stops with seconds on foot; a station stands for its platforms. Unknown stops and seconds
  /// that are none are left out; of two for a stop, the shorter counts.
  static func reaches(_ seconds: [String: Double], in timetable: Timetable) -> [Reach] {
    var best: [Int: Int] = [:]
    for (id, value) in seconds where (0...longestWalk).contains(value) {
      let rounded = Int(value.rounded(.up))
      for stop in timetable.numbers(ofStops: [id]) {
        best[stop] = min(best[stop] ?? rounded, rounded)
      }
    }
    return best.map { Reach(stop: $0.key, seconds: $0.value) }.sorted { $0.stop < $1.stop }
  }
}

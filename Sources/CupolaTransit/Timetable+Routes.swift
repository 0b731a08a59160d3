extension Timetable {
  /// The routes whose trips call at a stop, or at a platform of a station; in the feed's order.
  public func routes(at stop: String) -> [TransitRoute] {
    var numbers: Set<Int32> = []
    for stop in self.numbers(ofStops: [stop]) {
      for place in index.lines.places[stop] {
        let line = index.lines.lines[Int(place.line)]
        numbers.insert(tables.patterns[Int(line.pattern)].route)
      }
    }
    return numbers.sorted().map { index.routes[Int($0)] }
  }

  /// The stops of a route, direction by direction; where the schedule says no direction, by what the
  /// vehicles show.
  ///
  /// The same for the same feed, whatever the order of its rows of trips.
  public func sequences(ofRoute id: String) -> [RouteSequence] {
    guard let route = index.routeNumbers[id] else { return [] }
    var groups: [SequenceKey: SequenceGroup] = [:]
    for (trip, row) in tables.trips.enumerated() {
      let number = Int(tables.profiles[Int(row.profile)].pattern)
      let pattern = tables.patterns[number]
      guard Int(pattern.route) == route, !pattern.calls.isEmpty else { continue }
      let key = SequenceKey(
        direction: pattern.direction, headsign: pattern.direction < 0 ? row.headsign : -1)
      let runs = runsInADay(ofTrip: trip)
      groups[key, default: SequenceGroup()].headsigns[row.headsign, default: 0] += runs
      let stops = tables.calls[pattern.calls].map(\.stop)
      groups[key, default: SequenceGroup()].sequences[stops, default: 0] += runs
    }
    return groups.keys.sorted(by: <).compactMap { key in groups[key].map { sequence($0, key) } }
  }

  private struct SequenceKey: Hashable {
    let direction: Int8
    let headsign: Int32

    static func < (a: SequenceKey, b: SequenceKey) -> Bool {
      (a.direction, a.headsign) < (b.direction, b.headsign)
    }
  }

  private struct SequenceGroup {
    /// Runs in a day by sequence of stops.
    var sequences: [[Int32]: Int] = [:]
    /// By headsign.
    var headsigns: [Int32: Int] = [:]
  }

  private func runsInADay(ofTrip trip: Int) -> Int {
    let rows = tables.frequencies(ofTrip: trip)
    return rows.isEmpty ? 1 : rows.reduce(0) { $0 + tables.frequencies[$1].runs }
  }

  private func sequence(_ group: SequenceGroup, _ key: SequenceKey) -> RouteSequence {
    let ranked = group.sequences.sorted { a, b in
      a.value != b.value ? a.value > b.value : a.key.lexicographicallyPrecedes(b.key)
    }
    let usual = ranked.first?.key ?? []
    let merged = ranked.dropFirst().reduce(usual) { Self.merged($0, with: $1.key) }
    let headsign = group.headsigns.min { a, b in
      a.value != b.value ? a.value > b.value : a.key < b.key
    }
    return RouteSequence(
      direction: key.direction < 0 ? nil : Int(key.direction),
      headsign: headsign.flatMap { $0.key < 0 ? nil : tables.headsigns[Int($0.key)] },
      usual: usual.map { index.stops[Int($0)] }, stops: merged.map { index.stops[Int($0)] },
      tripCount: ranked.reduce(0) { $0 + $1.value })
  }

  /// A sequence with the stops of another that it lacks, each behind the one that it follows there.
  static func merged(_ sequence: [Int32], with other: [Int32]) -> [Int32] {
    let known = Set(sequence)
    // What comes before the first common stop belongs before it; place 0 is before all.
    var added: [[Int32]] = Array(repeating: [], count: sequence.count + 1)
    var waiting: [Int32] = []
    var place = 0
    var hasCommon = false
    var seen = known
    for stop in other {
      if known.contains(stop) {
        // A stop that the sequence has earlier only does not lead back.
        if let next = sequence[place...].firstIndex(of: stop) {
          if !hasCommon {
            added[next] += waiting
            waiting = []
          }
          (place, hasCommon) = (next + 1, true)
        }
      } else if seen.insert(stop).inserted {
        if hasCommon { added[place].append(stop) } else { waiting.append(stop) }
      }
    }
    added[sequence.count] += waiting
    var result: [Int32] = []
    for (number, stop) in sequence.enumerated() { result += added[number] + [stop] }
    return result + added[sequence.count]
  }
}

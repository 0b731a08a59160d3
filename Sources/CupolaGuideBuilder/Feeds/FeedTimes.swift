internal import CupolaCampus
internal import CupolaGuide

// 1. Sort a trip's rows, and remove as few times as possible so that the remaining times never go backward.
// 2. Interpolate the missing times.

/// Sorts a trip's rows and completes their times.
///
/// A missing time is interpolated between the nearest stops with times before and after it, using distances. These come
/// from `shape_dist_traveled` if it is complete and does not decrease; otherwise, from straight lines between the
/// stops. If coordinates are missing or all the same, stops are evenly spaced.
struct FeedTimes {
  let stops: FeedStops
  let faults: FeedFaults

  func settled(_ rows: ArraySlice<FeedCall>, of trip: @autoclosure () -> String) -> [FeedCall] {
    var calls = ordered(rows)
    guard calls.contains(where: \.hasTime) else {
      if let first = calls.first { add(.noTimes, first, trip()) }
      return []
    }
    dropEnds(&calls, trip())
    if !isForward(calls) {
      add(.timesBackward, calls[0], trip())
      blankMisfits(&calls)
    }
    interpolate(&calls)
    if calls.count == 1 { add(.oneStop, calls[0], trip()) }
    return calls
  }

  private func add(_ problem: FeedFaultKind, _ call: FeedCall, _ value: @autoclosure () -> String) {
    faults.add(problem, in: .stopTimes, line: Int(call.line), value: value())
  }

  private func ordered(_ rows: ArraySlice<FeedCall>) -> [FeedCall] {
    var calls = Array(rows)
    var isRising = true
    for index in calls.indices.dropFirst() {
      isRising = isRising && calls[index - 1].sequence < calls[index].sequence
    }
    if isRising { return calls }
    calls.sort { ($0.sequence, $0.line) < ($1.sequence, $1.line) }
    var unique: [FeedCall] = []
    for call in calls {
      if unique.last?.sequence == call.sequence {
        add(.repeatedSequence, call, String(call.sequence))
      } else {
        unique.append(call)
      }
    }
    return unique
  }

  /// Removes stops before the first time and after the last one, because their times cannot be interpolated.
  private func dropEnds(_ calls: inout [FeedCall], _ trip: @autoclosure () -> String) {
    guard let first = calls.firstIndex(where: \.hasTime),
      let last = calls.lastIndex(where: \.hasTime), last - first + 1 < calls.count
    else { return }
    add(.noEndTime, calls[first == 0 ? last + 1 : 0], trip())
    calls = Array(calls[first...last])
  }

  private func isForward(_ calls: [FeedCall]) -> Bool {
    var last: Int32 = 0
    for call in calls where call.hasTime {
      if call.arrival < last { return false }
      last = call.departure
    }
    return true
  }

  /// Removes the times of as few rows as possible, so that times do not go backward. At the first and last row, the
  /// nearest remaining time is used instead.
  private func blankMisfits(_ calls: inout [FeedCall]) {
    let kept = longestForward(calls)
    guard let first = kept.first, let last = kept.last else { return }
    var next = 0
    for index in calls.indices {
      if next < kept.count, kept[next] == index {
        next += 1
        continue
      }
      calls[index].isExact = false
      let (before, after) = (calls[first].arrival, calls[last].departure)
      let time: Int32 = index < first ? before : index > last ? after : -1
      (calls[index].arrival, calls[index].departure) = (time, time)
    }
  }

  /// Returns the longest subsequence of rows whose times do not go backward (Fredman 1975, adapted to time spans).
  private func longestForward(_ calls: [FeedCall]) -> [Int] {
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: calls.count)
    // Spans are sorted by departure, so a span may follow only spans that end before its arrival.
    for index in calls.indices where calls[index].hasTime {
      let call = calls[index]
      let length = ends.indices.bisection { calls[ends[$0]].departure > call.arrival }
      before[index] = length > 0 ? ends[length - 1] : -1
      if length == ends.count {
        ends.append(index)
      } else if call.departure < calls[ends[length]].departure {
        ends[length] = index
      }
    }
    var chain: [Int] = []
    var place = ends.last ?? -1
    while place >= 0 {
      chain.append(place)
      place = before[place]
    }
    return chain.reversed()
  }

  private func interpolate(_ calls: inout [FeedCall]) {
    var last = 0
    for index in calls.indices where calls[index].hasTime {
      if index > last + 1 { interpolate(&calls, between: last, and: index) }
      last = index
    }
  }

  private func interpolate(_ calls: inout [FeedCall], between first: Int, and last: Int) {
    let ways = ways(calls[first...last])
    let start = calls[first].departure
    let span = Double(calls[last].arrival - start)
    guard let whole = ways.last, whole > 0 else { return }
    for index in first + 1..<last {
      let part = min(1, max(0, ways[index - first] / whole))
      let time = start + Int32((span * part).rounded())
      (calls[index].arrival, calls[index].departure) = (time, time)
      calls[index].isExact = false
    }
  }

  private func ways(_ calls: ArraySlice<FeedCall>) -> [Double] {
    let given = calls.map { Double($0.distance - calls[calls.startIndex].distance) }
    if isRising(given) { return given }
    let points = calls.compactMap { stops.rows[Int($0.stop)].point }
    if points.count == calls.count {
      var ways = [0.0]
      for (start, end) in zip(points, points.dropFirst()) {
        ways.append((ways.last ?? 0) + Self.meters(from: start, to: end))
      }
      if isRising(ways) { return ways }
    }
    return calls.indices.map { Double($0 - calls.startIndex) }
  }

  private func isRising(_ ways: [Double]) -> Bool {
    guard let last = ways.last, last > 0 else { return false }
    return zip(ways, ways.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// The straight-line distance on a local plane. Only the ratios of distances matter, including for trains and
  /// ferries.
  private static func meters(from start: MapPoint, to end: MapPoint) -> Double {
    let middle = (start.latitude + end.latitude) / 2
    let east = Degrees.turn(from: start.longitude, to: end.longitude) * Degrees.sinCos(middle).cos
    let north = end.latitude - start.latitude
    return (east * east + north * north).squareRoot() * LocalPlane.metersPerDegree
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Each cell of a window on the track has a probability for each speed.
// 2. Time moves probability forward; a position weighs it by its distance.
// 3. Quantiles say where somebody is.
// 4. The watch sums evidence that somebody has left the route.

/// Where on a track somebody may be, and how fast: a hidden Markov model on cells and speeds.
///
/// People go forward or stand. The errors of positions are alike for some seconds: each is compared with
/// what the one before leaves of its error, as for autoregressive errors (Bar-Shalom, Li & Kirubarajan
/// 2001, 8.4). A position that fits nowhere says little.
struct TrackFilter: Sendable {
  struct Fix: Sendable {
    var place: SIMD2<Double>
    /// Of each coordinate, meters.
    var deviation: Double
    var level: Double?
    /// Where to, of length 1.
    var direction: SIMD2<Double>?
  }

  private let pace: TravelPace
  private var first = 0
  /// How probable each speed is at each cell of the window, cell by cell; the sum is 1.
  private var masses: [Double] = []
  private var cells: [Double] = []
  private var last: Fix?

  /// Seconds for which errors are alike.
  private static let errorMemory = 10.0
  /// The part of the variance that changes from one position to the next.
  private static let white = 0.08
  /// What is less probable is let go.
  private static let least = 1e-7

  init(_ pace: TravelPace) { self.pace = pace }

  // MARK: - Steps

  /// Begins anew from one position.
  ///
  /// - Parameters:
  ///   - cell: where the track begins that is left to go.
  ///   - scale: meters along it by which a place gets less probable.
  mutating func start(_ fix: Fix, on track: RouteTrack, from cell: Int, scale: Double) {
    let reach = max(1, min(20_000, (8 * scale / track.step).rounded(.up)))
    let end = min(track.cells.count - 1, cell + Int(reach))
    first = min(cell, end)
    masses = []
    for cell in first...end {
      let squares = (fix.place - track.cells[cell]).squared / (fix.deviation * fix.deviation)
      let weight = exp(-squares / 2 - Double(cell - first) * track.step / scale)
      let stopped = pace.secondsStopped / (pace.secondsStopped + pace.secondsToStop)
      masses.append(stopped * (weight + 1e-300))
      for share in pace.shares.dropFirst() {
        masses.append((1 - stopped) * share * (weight + 1e-300))
      }
    }
    last = fix
    normalize()
  }

  /// Goes on by some seconds and takes a position.
  mutating func update(_ fix: Fix, on track: RouteTrack, after seconds: Double) {
    // A long silence is gone through in parts, as speeds change.
    let parts = max(1, min(60, Int(min(600, seconds / 3).rounded(.up))))
    for _ in 0..<parts { move(seconds / Double(parts), on: track) }
    weigh(fix, on: track, after: seconds)
    last = fix
  }

  private mutating func move(_ seconds: Double, on track: RouteTrack) {
    let (speeds, shares) = (pace.speeds, pace.shares)
    let count = speeds.count
    let width = masses.count / count
    let top = (speeds.last ?? 0) * seconds / track.step
    let room = max(0, track.cells.count - first - width)
    let added = min(room, Int(min(top, 1e6)) + 2)
    var moved = [Double](repeating: 0, count: masses.count + added * count)
    let end = width + added - 1
    let changing = 1 - exp(-seconds / pace.memory)
    let stopping = 1 - exp(-seconds / pace.secondsToStop)
    let going = 1 - exp(-seconds / pace.secondsStopped)
    for cell in 0..<width {
      var sum = 0.0
      for speed in 0..<count { sum += masses[cell * count + speed] }
      if sum == 0 { continue }
      let stopped = masses[cell * count]
      let moving = sum - stopped
      for speed in 0..<count {
        let mass =
          speed == 0
          ? (1 - going) * stopped + stopping * moving
          : (1 - stopping) * (1 - changing) * masses[cell * count + speed]
            + ((1 - stopping) * changing * moving + going * stopped) * shares[speed]
        let way = min(speeds[speed] * seconds / track.step, 1e6)
        let whole = Int(way)
        let part = way - Double(whole)
        moved[min(end, cell + whole) * count + speed] += (1 - part) * mass
        moved[min(end, cell + whole + 1) * count + speed] += part * mass
      }
    }
    masses = moved
  }

  private mutating func weigh(_ fix: Fix, on track: RouteTrack, after seconds: Double) {
    guard let last else { return }
    let fading = exp(-seconds / Self.errorMemory)
    // A bad position says little about the error of a good one.
    let kept = fading * min(1, fix.deviation / last.deviation)
    let variance =
      fix.deviation * fix.deviation * (1 - kept * kept + Self.white * (1 + kept * kept))
    let speeds = pace.speeds
    let count = speeds.count
    for cell in 0..<(masses.count / count) {
      let number = first + cell
      let error = fix.place - track.cells[number]
      let extra = doubt(fix, at: number, on: track)
      for speed in 0..<count where masses[cell * count + speed] > 0 {
        // Who is at the end has perhaps been there before.
        let way = number == track.cells.count - 1 ? 0 : speeds[speed] * seconds / track.step
        let before = last.place - track.place(atCell: Double(number) - way)
        let squares = (error - kept * before).squared / variance
        let fit = exp(-squares / 2) + 1e-3 / (1 + squares * squares)
        masses[cell * count + speed] *= extra * fit
      }
    }
    normalize()
  }

  private func doubt(_ fix: Fix, at cell: Int, on track: RouteTrack) -> Double {
    var factor = 1.0
    if track.isElsewhere(fix, cell) { factor *= 0.4 }
    // People look aside: a little at a time.
    if let direction = fix.direction {
      factor *= 1 + 0.3 * (direction * track.direction(at: cell)).sum()
    }
    return factor
  }

  private mutating func normalize() {
    let count = pace.speeds.count
    let sum = masses.reduce(0, +)
    guard sum > 0 else { return }
    let width = masses.count / count
    var cells = [Double](repeating: 0, count: width)
    for cell in 0..<width {
      for number in (cell * count)..<((cell + 1) * count) {
        masses[number] /= sum
        cells[cell] += masses[number]
      }
    }
    var (low, high) = (0, width - 1)
    while low < high, cells[low] < Self.least { low += 1 }
    while high > low, cells[high] < Self.least { high -= 1 }
    if low > 0 || high < width - 1 {
      masses = Array(masses[(low * count)..<((high + 1) * count)])
      cells = Array(cells[low...high])
      first += low
    }
    self.cells = cells
  }

  // MARK: - Answers

  /// The place behind which somebody is with a probability, in cells.
  func quantile(_ probability: Double) -> Double {
    var sum = 0.0
    for (cell, mass) in cells.enumerated() {
      if sum + mass >= probability, mass > 0 {
        // A cell reaches half way to its neighbors.
        let share = (probability - sum) / mass - 0.5
        return max(0, Double(first + cell) + share)
      }
      sum += mass
    }
    return Double(first + max(0, cells.count - 1))
  }

  /// How probable it is that somebody is at a cell or behind it.
  func probability(from cell: Double) -> Double {
    var sum = 0.0
    for (number, mass) in cells.enumerated() where Double(first + number) >= cell { sum += mass }
    return sum
  }
}

struct TravelPace: Sendable {
  /// Meters a second that ``TrackFilter`` tells apart: the first is 0.
  let speeds: [Double]
  /// How often who goes, goes so; of the first 0.
  let shares: [Double]
  /// Seconds after which somebody goes faster or slower, stops, and goes on.
  let memory: Double
  let secondsToStop: Double
  let secondsStopped: Double
  let spacing: Double
  /// Meters that maps draw ways beside where people go: sidewalks, lanes.
  let mapError: Double
  /// Seconds that somebody is at least too far away before it counts as off-route.
  let leastSecondsAway: Double
  /// Off-route evidence a second, by squared distance in standard deviations.
  let evidence: Double

  init(_ mode: TravelMode) {
    switch mode {
    case .walk, .stepFree:
      (speeds, shares) = ([0, 0.5, 1, 1.4, 1.8, 2.4], [0, 0.08, 0.27, 0.4, 0.2, 0.05])
      (memory, secondsToStop, secondsStopped) = (30, 60, 15)
      (spacing, mapError) = (1, 4)
      (leastSecondsAway, evidence) = (5, 0.3)
    case .drive:
      speeds = [0, 2, 5, 8, 12, 17, 25, 40]
      shares = [0, 0.12, 0.18, 0.2, 0.2, 0.15, 0.1, 0.05]
      (memory, secondsToStop, secondsStopped) = (5, 40, 15)
      (spacing, mapError) = (2, 5)
      (leastSecondsAway, evidence) = (3, 0.6)
    }
  }
}

/// Decides whether somebody has left a route: a sum of evidence as of Page (1954), with hysteresis.
struct OffRouteWatch: Sendable {
  private let pace: TravelPace
  private(set) var isOff = false
  /// Evidence for being away, 0 or more.
  private var evidence = 0.0
  /// Updates and seconds without a break that somebody was too far away, or back.
  private var updates = 0
  private var seconds = 0.0

  /// The sum of squared distances of positions that were not too far away, and seconds of it: what a phone
  /// tells of its errors is often too good.
  private var spread = 100.0
  private var spreadSeconds = 100.0

  /// Standard deviations that a position's error explains.
  private static let explained = 2.4
  /// Standard deviations within which somebody is back.
  private static let back = 1.5
  private static let enough = 5.5
  private static let leastUpdates = 3
  /// Seconds on the route before somebody counts as back.
  private static let leastSecondsBack = 5.0

  init(_ pace: TravelPace) { self.pace = pace }

  /// How large the errors have been, as a part of what the phone tells.
  var scale: Double { min(1.4, max(0.8, (spread / spreadSeconds).squareRoot())) }

  /// Whether the last positions already say that somebody is leaving.
  var isDoubtful: Bool { isOff || evidence > Self.enough / 2 }

  /// Takes the distance to the route in standard deviations; whether somebody has just come back.
  mutating func update(_ distance: Double, after passed: Double) -> Bool {
    // A silence is no evidence.
    let passed = min(passed, 2)
    if !isOff {
      let bound = min(distance, Self.explained)
      spread += bound * bound * passed
      spreadSeconds += passed
    }
    let distance = distance / scale
    let isAway = distance > (isOff ? Self.back : Self.explained)
    if isOff ? isAway : !isAway {
      (updates, seconds) = (0, 0)
    } else {
      updates &+= 1
      seconds += passed
    }
    if isOff {
      guard updates >= Self.leastUpdates, seconds >= Self.leastSecondsBack else { return false }
      self = OffRouteWatch(pace)
      return true
    }
    let squares = min(distance, 6) * min(distance, 6) - Self.explained * Self.explained
    evidence = max(0, evidence + pace.evidence * passed * squares / 2)
    if evidence >= Self.enough, updates >= Self.leastUpdates, seconds >= pace.leastSecondsAway {
      (isOff, updates, seconds) = (true, 0, 0)
    }
    return false
  }
}

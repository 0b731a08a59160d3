#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Move the probabilities of all cells and speeds forward in time.
// 2. Weight them by the distance to a position, and compute quantiles.
// 3. Sum the evidence that the user has left the route.

/// A hidden Markov model of the position and speed along a track. Users move forward or stop.
///
/// Consecutive position errors are correlated, so each position is compared with what remains of the previous error
/// (autoregressive errors; Bar-Shalom, Li & Kirubarajan 2001, 8.4). Outliers have little weight.
struct TrackFilter: Sendable {
  struct Fix: Sendable {
    var place: SIMD2<Double>
    var deviation: Double
    var level: Double?
    var direction: SIMD2<Double>?
  }

  private let pace: TravelPace
  private var first = 0
  /// The probability of each speed in each cell of the window, ordered by cell; the sum is 1.
  private var masses: [Double] = []
  private var cells: [Double] = []
  private var last: Fix?

  /// The correlation time of position errors in seconds.
  private static let errorMemory = 10.0
  /// The fraction of the variance that is uncorrelated between positions.
  private static let white = 0.08
  private static let least = 1e-7

  init(_ pace: TravelPace) { self.pace = pace }

  // MARK: - Steps

  /// Starts over from one position, anywhere in the track after `cell`. `scale` is the decay length of the prior in
  /// meters.
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

  mutating func update(_ fix: Fix, on track: RouteTrack, after seconds: Double) {
    // Divide long gaps into parts, because users change their speed.
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
    // The error of an inaccurate position says little about the error of an accurate one.
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
        // The user may have stopped at the end of the track.
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
    // Give the heading little weight, because people look around.
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

  // MARK: - Estimates

  /// Returns the cell that, with the given probability, the user has not passed.
  func quantile(_ probability: Double) -> Double {
    var sum = 0.0
    for (cell, mass) in cells.enumerated() {
      if sum + mass >= probability, mass > 0 {
        let share = (probability - sum) / mass - 0.5
        return max(0, Double(first + cell) + share)
      }
      sum += mass
    }
    return Double(first + max(0, cells.count - 1))
  }

  func probability(from cell: Double) -> Double {
    var sum = 0.0
    for (number, mass) in cells.enumerated() where Double(first + number) >= cell { sum += mass }
    return sum
  }
}

struct TravelPace: Sendable {
  /// The speeds of ``TrackFilter`` in m/s; the first is 0.
  let speeds: [Double]
  /// The fraction of the moving time spent at each speed; the first is 0.
  let shares: [Double]
  /// The mean time in seconds until the speed changes, until the user stops, and until a stop ends.
  let memory: Double
  let secondsToStop: Double
  let secondsStopped: Double
  let spacing: Double
  /// The distance in meters between a mapped way and the sidewalks or lanes that its users take.
  let mapError: Double
  /// The minimum time in seconds before a position away from the route counts as off-route.
  let leastSecondsAway: Double
  /// The evidence per second that the user is off the route, by squared distance in standard deviations.
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

/// Detects when a user leaves a route: a cumulative sum test (Page 1954) with hysteresis.
struct OffRouteWatch: Sendable {
  private let pace: TravelPace
  private(set) var isOff = false
  private var evidence = 0.0
  /// The numbers of consecutive updates and seconds that count toward leaving the route or returning to it.
  private var updates = 0
  private var seconds = 0.0

  /// The sum of squared distances from the route, and its duration in seconds; used because reported errors are often
  /// too small.
  private var spread = 100.0
  private var spreadSeconds = 100.0

  /// The largest distance, in standard deviations, that position errors can explain.
  private static let explained = 2.4
  private static let back = 1.5
  private static let enough = 5.5
  private static let leastUpdates = 3
  /// The number of seconds near the route after which the user counts as back on it.
  private static let leastSecondsBack = 5.0

  init(_ pace: TravelPace) { self.pace = pace }

  /// The ratio of actual to reported errors.
  var scale: Double { min(1.4, max(0.8, (spread / spreadSeconds).squareRoot())) }

  var isDoubtful: Bool { isOff || evidence > Self.enough / 2 }

  /// Adds a distance to the route in standard deviations, and returns whether the user has just returned to the route.
  mutating func update(_ distance: Double, after passed: Double) -> Bool {
    // Do not count the time without positions as evidence.
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

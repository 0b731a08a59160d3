import Cupola
import Testing

@testable import CupolaGuide

/// The rules of visits by positions, told again from the whole history at each event: slowly and simply.
private struct SlowVisit {
  let stops: [(id: String, east: Double, north: Double, radius: Double)]
  let isFixed: Bool
  /// Positions so far, and for each what began or ended then.
  var history: [(time: Double, east: Double, north: Double, error: Double)] = []
  var done: [String] = []
  var current: String?
  /// The number of the event with which each stop became free to begin, or its last visit ended.
  var freeSince: [String: Int] = [:]
  var arrivedAt = 0

  init(_ stops: [(String, Double, Double, Double)], isFixed: Bool) {
    self.stops = stops
    self.isFixed = isFixed
    for stop in stops { freeSince[stop.0] = 0 }
  }

  func distance(_ stop: (id: String, east: Double, north: Double, radius: Double), _ event: Int)
    -> Double
  {
    let (east, north) = (history[event].east - stop.east, history[event].north - stop.north)
    return (east * east + north * north).squareRoot()
  }

  /// How long the last events without a break hold; nil when the last does not.
  func seconds(from first: Int, _ holds: (Int) -> Bool) -> Double? {
    var start: Int?
    for event in history.indices.reversed() where event >= first {
      guard holds(event) else { break }
      start = event
      if event > 0, history[event].time - history[event - 1].time > 60 { break }
    }
    return start.map { history[history.count - 1].time - history[$0].time }
  }

  /// A passed stop is one without questions that began: arrivals only.
  mutating func handle(time: Double, east: Double, north: Double, error: Double) -> [String] {
    if let last = history.last, time < last.time { return [] }
    history.append((time, east, north, error))
    var said: [String] = []
    if let id = current, let stop = stops.first(where: { $0.id == id }) {
      let away = seconds(from: arrivedAt) {
        distance(stop, $0) > stop.radius + min(max(history[$0].error, 10), 100)
      }
      if let away, away >= 5 {
        current = nil
        said.append("done \(id)")
      }
    }
    let open = stops.filter { !done.contains($0.id) }
    let ready = (isFixed ? Array(open.prefix(1)) : open).filter { stop in
      let inside = seconds(from: freeSince[stop.id] ?? 0) {
        distance(stop, $0) <= stop.radius && history[$0].error <= max(2 * stop.radius, 30)
      }
      return inside.map { $0 >= 5 } ?? false
    }
    let event = history.count - 1
    let best = ready.min { distance($0, event) / $0.radius < distance($1, event) / $1.radius }
    if let best {
      if let current { said.append("done \(current)") }
      said.append("arrived \(best.id)")
      (current, arrivedAt) = (best.id, history.count)
      done.append(best.id)
      // The next of a fixed order counts from the event after this one.
      for stop in stops where isFixed { freeSince[stop.id] = history.count }
    }
    if done.count == stops.count, let last = current {
      said.append("done \(last)")
      current = nil
    }
    return said
  }
}

@Suite("Visits and their slow twin")
struct TourTwinTests {
  @Test("say the same of any walk")
  func same() {
    var random = SplitMix64(seed: 7)
    var count = 0
    for round in 0..<200 {
      let stops = (0..<Int.random(in: 1...6, using: &random)).map { number in
        (
          "s\(number)", Double(Int.random(in: -80...80, using: &random)),
          Double(Int.random(in: -80...80, using: &random)),
          Double(Int.random(in: 8...40, using: &random))
        )
      }
      let tour = MadeTour.tour(
        stops.map { MadeTour.stop($0.0, $0.1, $0.2, radius: $0.3) },
        order: round % 2 == 0 ? .fixed : .free)
      var visit = TourVisit(of: tour)
      var slow = SlowVisit(stops, isFixed: round % 2 == 0)
      var (time, east, north) = (0.0, 0.0, 0.0)
      for _ in 0..<250 {
        time += [1.0, 1.0, 1.0, 1.0, 2.0, 5.0, 61.0, -1.0].randomElement(using: &random) ?? 1.0
        // Quarters of a meter off all whole ones, so that no distance is at its bound.
        east = max(-100, min(100, east + Double(Int.random(in: -8...8, using: &random))))
        north = max(-100, min(100, north + Double(Int.random(in: -8...8, using: &random))))
        if Int.random(in: 0..<20, using: &random) == 0,
          let stop = stops.randomElement(using: &random)
        {
          (east, north) = (stop.1, stop.2)
        }
        let error = [3.0, 8.0, 20.0, 50.0, 150.0].randomElement(using: &random) ?? 3.0
        let event = MadeTour.position(east + 0.27, north + 0.41, at: time, accuracy: error)
        let said = visit.handle(event).compactMap { signal -> String? in
          switch signal {
          case .arrived(let stop): "arrived \(stop)"
          case .done(let stop): "done \(stop)"
          default: nil
          }
        }
        let told = slow.handle(time: time, east: east + 0.27, north: north + 0.41, error: error)
        count += told.count
        #expect(said == told, "round \(round), \(time) s")
        if said != told { return }
      }
    }
    print("\(count) arrivals and ends, all the same")
    #expect(count > 300)
  }
}

import CupolaTestSupport
import CupolaCampus
import CupolaSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Visits of random tours")
struct TourVisitPropertyTests {
  @Test("Visits stops once, one at a time and in fixed order")
  func invariants() {
    var random = SplitMix64(seed: 3)
    var arrivals = 0
    let rounds = Verification.count(40, of: 150)
    for _ in 0..<rounds {
      let tour = TestTour.any(using: &random)
      var visit = TourVisit(of: tour)
      var walker = (east: 0.0, north: 0.0, time: 1000.0)
      var (over, arrived, finished): (Set<String>, [String], Int) = ([], [], 0)
      for _ in 0..<200 {
        let event = TestTour.anyEvent(of: tour, &walker, using: &random)
        for signal in visit.handle(event) {
          switch signal {
          case .done(let stop), .skipped(let stop):
            #expect(over.insert(stop).inserted, "\(stop) ended twice")
          case .arrived(let stop):
            arrivals += 1
            #expect(!over.contains(stop))
            arrived.append(stop)
            if tour.order == .fixed {
              let number = tour.stops.firstIndex { $0.id == stop } ?? 0
              #expect(tour.stops[..<number].allSatisfy { over.contains($0.id) })
            }
            let after = tour.stop(stop)?.after ?? []
            #expect(after.allSatisfy { over.contains($0) || visit.state(of: $0) == .answered })
          case .finished:
            finished += 1
            #expect(finished == 1)
          case .restarted: (over, finished) = ([], 0)
          default: break
          }
        }
        let here = tour.stops.filter { [.at, .answered].contains(visit.state(of: $0.id)) }
        #expect(here.count <= 1 && here.first?.id == visit.currentStop?.id)
        #expect((0...visit.mostScore).contains(visit.score))
        #expect(visit.isFinished == (over.count == tour.stops.count))
        for stop in tour.stops {
          let isOver = [.done, .skipped].contains(visit.state(of: stop.id))
          #expect(isOver == over.contains(stop.id))
        }
      }
    }
    #expect(arrivals > rounds)
  }

  @Test("A saved and restored visit continues identically")
  func resumed() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<Verification.count(15, of: 60) {
      let tour = TestTour.any(using: &random)
      var visit = TourVisit(of: tour)
      var copy = visit
      var walker = (east: 0.0, north: 0.0, time: 1000.0)
      for _ in 0..<100 {
        let json = copy.json
        let (read, changes) = try TourVisit.resumed(json: json, path: "", of: tour)
        #expect(changes == nil && read == visit && read.json == json)
        copy = read
        let event = TestTour.anyEvent(of: tour, &walker, using: &random)
        #expect(visit.handle(event) == copy.handle(event))
      }
    }
  }

  @Test("A damaged visit is rejected or continues correctly")
  func damaged() throws {
    var random = SplitMix64(seed: 5)
    let tour = TestTour.any(using: &random)
    var visit = TourVisit(of: tour)
    var walker = (east: 0.0, north: 0.0, time: 1000.0)
    for _ in 0..<60 { _ = visit.handle(TestTour.anyEvent(of: tour, &walker, using: &random)) }
    let json = visit.json
    for count in 0..<(json.count - 1) {
      #expect(throws: GuideError.self) {
        try TourVisit.resumed(json: Array(json[..<count]), path: "", of: tour)
      }
    }
    let words = ["waiting", "reached", "answered", "done", "skipped", "open", "right", "wrong"]
    var read = 0
    let rounds = Verification.count(600, of: 3000)
    for round in 0..<rounds {
      var text = String(decoding: json, as: UTF8.self)
      if round % 2 == 0 {
        for _ in 0..<4 {
          let old = "\"\(words.randomElement(using: &random) ?? "")\""
          let new = "\"\(words.randomElement(using: &random) ?? "")\""
          if let range = text.firstRange(of: old) { text.replaceSubrange(range, with: new) }
        }
      } else {
        var bytes = Array(text.utf8)
        let place = Int.random(in: 0..<bytes.count, using: &random)
        bytes[place] = UInt8.random(in: 32...126, using: &random)
        text = String(decoding: bytes, as: UTF8.self)
      }
      guard
        var changed = try? TourVisit.resumed(json: Array(text.utf8), path: "", of: tour).visit
      else { continue }
      read += 1
      var walker = (east: 0.0, north: 0.0, time: 2000.0)
      var over: Set<String> = []
      for _ in 0..<10 {
        let event = TestTour.anyEvent(of: tour, &walker, using: &random)
        if event == .restart { continue }
        for case .done(let stop) in changed.handle(event) {
          #expect(over.insert(stop).inserted)
        }
      }
      #expect((0...changed.mostScore).contains(changed.score))
    }
    #expect(read > rounds / 30)
  }

  @Test("A visit continues after any change of the tour")
  func anyChange() throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<Verification.count(30, of: 100) {
      let tour = TestTour.any(using: &random)
      var visit = TourVisit(of: tour)
      var walker = (east: 0.0, north: 0.0, time: 1000.0)
      for _ in 0..<100 { _ = visit.handle(TestTour.anyEvent(of: tour, &walker, using: &random)) }
      let other = TestTour.any(using: &random)
      let (read, changes) = try TourVisit.resumed(json: visit.json, path: "", of: other)
      #expect(changes != nil || other == tour)
      for stop in other.stops where tour.stop(stop.id) != nil {
        let (was, now) = (visit.state(of: stop.id), read.state(of: stop.id))
        if was == .done || was == .skipped { #expect(now == was) }
      }
      let (again, none) = try TourVisit.resumed(json: read.json, path: "", of: other)
      #expect(again == read && none == nil)
      var later = read
      for _ in 0..<50 { _ = later.handle(TestTour.anyEvent(of: other, &walker, using: &random)) }
    }
  }
}

/// A slow reference implementation of visits by position, which evaluates the whole history at each event.
private struct ReferenceVisit {
  let stops: [(id: String, east: Double, north: Double, radius: Double)]
  let isFixed: Bool
  var history: [(time: Double, east: Double, north: Double, error: Double)] = []
  var done: [String] = []
  var current: String?
  /// For each stop, the number of the event since which the stop can start.
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

  /// Returns how long a condition has held without interruption, or `nil` if it does not hold now.
  func seconds(from first: Int, _ holds: (Int) -> Bool) -> Double? {
    var start: Int?
    for event in history.indices.reversed() where event >= first {
      guard holds(event) else { break }
      start = event
      if event > 0, history[event].time - history[event - 1].time > 60 { break }
    }
    return start.map { history[history.count - 1].time - history[$0].time }
  }

  /// Returns the arrivals and departures; the stops have no questions.
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
      // If the order is fixed, the stay at the next stop is counted from the following event.
      for stop in stops where isFixed { freeSince[stop.id] = history.count }
    }
    if done.count == stops.count, let last = current {
      said.append("done \(last)")
      current = nil
    }
    return said
  }
}

@Suite("Visits compared with a reference implementation")
struct TourReferenceTests {
  @Test("Random walks give the same signals")
  func matchesReference() {
    var random = SplitMix64(seed: 7)
    var count = 0
    let rounds = Verification.count(40, of: 200)
    for round in 0..<rounds {
      let stops = (0..<Int.random(in: 1...6, using: &random)).map { number in
        (
          "s\(number)", Double(Int.random(in: -80...80, using: &random)),
          Double(Int.random(in: -80...80, using: &random)),
          Double(Int.random(in: 8...40, using: &random))
        )
      }
      let tour = TestTour.tour(
        stops.map { TestTour.stop($0.0, $0.1, $0.2, radius: $0.3) },
        order: round % 2 == 0 ? .fixed : .free)
      var visit = TourVisit(of: tour)
      var slow = ReferenceVisit(stops, isFixed: round % 2 == 0)
      var (time, east, north) = (0.0, 0.0, 0.0)
      for _ in 0..<250 {
        time += [1.0, 1.0, 1.0, 1.0, 2.0, 5.0, 61.0, -1.0].randomElement(using: &random) ?? 1.0
        // Use fractions of a meter, so that no distance is close to a threshold.
        east = max(-100, min(100, east + Double(Int.random(in: -8...8, using: &random))))
        north = max(-100, min(100, north + Double(Int.random(in: -8...8, using: &random))))
        if Int.random(in: 0..<20, using: &random) == 0,
          let stop = stops.randomElement(using: &random)
        {
          (east, north) = (stop.1, stop.2)
        }
        let error = [3.0, 8.0, 20.0, 50.0, 150.0].randomElement(using: &random) ?? 3.0
        let event = TestTour.position(east + 0.27, north + 0.41, at: time, accuracy: error)
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
    #expect(count > rounds)
  }
}

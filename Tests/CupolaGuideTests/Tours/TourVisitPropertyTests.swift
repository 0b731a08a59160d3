import Cupola
import Testing

@testable import CupolaGuide

@Suite("Visits of any tours")
struct TourVisitPropertyTests {
  @Test("never done twice, one stop at a time, in the fixed order, points no more than there are")
  func invariants() {
    var random = SplitMix64(seed: 3)
    var arrivals = 0
    for _ in 0..<150 {
      let tour = MadeTour.any(using: &random)
      var visit = TourVisit(of: tour)
      var walker = (east: 0.0, north: 0.0, time: 1000.0)
      var (over, arrived, finished): (Set<String>, [String], Int) = ([], [], 0)
      for _ in 0..<200 {
        let event = MadeTour.anyEvent(of: tour, &walker, using: &random)
        for signal in visit.handle(event) {
          switch signal {
          case .done(let stop), .skipped(let stop):
            #expect(over.insert(stop).inserted, "\(stop) is over twice")
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
    print("\(arrivals) arrivals in 30,000 events")
    #expect(arrivals > 300)
  }

  @Test("written down and read at any moment, a visit goes on as if nothing had happened")
  func resumed() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<60 {
      let tour = MadeTour.any(using: &random)
      var visit = TourVisit(of: tour)
      var copy = visit
      var walker = (east: 0.0, north: 0.0, time: 1000.0)
      for _ in 0..<100 {
        let json = copy.json
        let (read, changes) = try TourVisit.resumed(json: json, path: "", of: tour)
        #expect(changes == nil && read == visit && read.json == json)
        copy = read
        let event = MadeTour.anyEvent(of: tour, &walker, using: &random)
        #expect(visit.handle(event) == copy.handle(event))
      }
    }
  }

  @Test("a visit that was cut or damaged is refused or goes on without a fault")
  func damaged() throws {
    var random = SplitMix64(seed: 5)
    let tour = MadeTour.any(using: &random)
    var visit = TourVisit(of: tour)
    var walker = (east: 0.0, north: 0.0, time: 1000.0)
    for _ in 0..<60 { _ = visit.handle(MadeTour.anyEvent(of: tour, &walker, using: &random)) }
    let json = visit.json
    for count in 0..<(json.count - 1) {
      #expect(throws: GuideError.self) {
        try TourVisit.resumed(json: Array(json[..<count]), path: "", of: tour)
      }
    }
    let words = ["waiting", "reached", "answered", "done", "skipped", "open", "right", "wrong"]
    var read = 0
    for round in 0..<3000 {
      var text = String(decoding: json, as: UTF8.self)
      if round % 2 == 0 {
        // Another state, which fits with nothing.
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
        let event = MadeTour.anyEvent(of: tour, &walker, using: &random)
        if event == .restart { continue }
        for case .done(let stop) in changed.handle(event) {
          #expect(over.insert(stop).inserted)
        }
      }
      #expect((0...changed.mostScore).contains(changed.score))
    }
    #expect(read > 200)
  }

  @Test("the tour may change in any way: the visit goes on, and keeps its points")
  func anyChange() throws {
    var random = SplitMix64(seed: 6)
    for _ in 0..<100 {
      let tour = MadeTour.any(using: &random)
      var visit = TourVisit(of: tour)
      var walker = (east: 0.0, north: 0.0, time: 1000.0)
      for _ in 0..<100 { _ = visit.handle(MadeTour.anyEvent(of: tour, &walker, using: &random)) }
      let other = MadeTour.any(using: &random)
      let (read, changes) = try TourVisit.resumed(json: visit.json, path: "", of: other)
      #expect(changes != nil || other == tour)
      for stop in other.stops where tour.stop(stop.id) != nil {
        let (was, now) = (visit.state(of: stop.id), read.state(of: stop.id))
        if was == .done || was == .skipped { #expect(now == was) }
      }
      let (again, none) = try TourVisit.resumed(json: read.json, path: "", of: other)
      #expect(again == read && none == nil)
      var later = read
      for _ in 0..<50 { _ = later.handle(MadeTour.anyEvent(of: other, &walker, using: &random)) }
    }
  }
}

import CupolaTestSupport
import CupolaCampus
import CupolaSupport
import Cupola
import Testing
@testable import CupolaGuide
@testable import CupolaTours

@Suite("Tour visits")
struct TourVisitTests {
  private let two = TestTour.tour(
    [
      TestTour.stop("a", 0, 0, questions: [TestTour.year]),
      TestTour.stop("b", 300, 0),
    ], order: .fixed)

  private func stay(
    _ visit: inout TourVisit, _ east: Double, _ north: Double = 0, from time: Double,
    seconds: Int = 8, accuracy: Double = 5
  ) -> [TourSignal] {
    (0..<seconds).flatMap {
      visit.handle(TestTour.position(east, north, at: time + Double($0), accuracy: accuracy))
    }
  }

  @Test("Visits two stops in fixed order")
  func fixed() throws {
    var visit = TourVisit(of: two)
    #expect(visit.state(of: "a") == .open && visit.state(of: "b") == .locked)
    #expect(visit.next?.id == "a")
    #expect(stay(&visit, 300, from: 0) == [])
    let near = stay(&visit, 60, from: 100, seconds: 1)
    guard case .near("a", let meters?)? = near.first else { Issue.record("\(near)"); return }
    #expect(abs(meters - 60) < 0.5)
    #expect(visit.state(of: "a") == .near)
    #expect(stay(&visit, 3, from: 200) == [.arrived(stop: "a")])
    #expect(visit.state(of: "a") == .at && visit.currentStop?.id == "a")
    #expect(
      visit.handle(.answer(stop: "a", question: "year", .number(1900)))
        == [.wrong(stop: "a", question: "year", triesLeft: 1)])
    #expect(
      visit.handle(.answer(stop: "a", question: "year", .text("1932"))) == [.refused(.notAnAnswer)])
    #expect(
      visit.handle(.answer(stop: "a", question: "year", .number(1933)))
        == [
          .right(stop: "a", question: "year", points: 10), .answered(stop: "a"), .opened(stop: "b"),
        ])
    #expect(visit.state(of: "a") == .answered && visit.score == 10)
    #expect(
      visit.handle(.answer(stop: "a", question: "year", .number(1933))) == [.refused(.isOver)])
    #expect(stay(&visit, 100, from: 300) == [.done(stop: "a")])
    let last = stay(&visit, 300, from: 400)
    #expect(
      last.suffix(4) == [
        .arrived(stop: "b"), .answered(stop: "b"), .done(stop: "b"), .finished(score: 10, of: 10),
      ])
    #expect(visit.isFinished && visit.next == nil)
    #expect(visit.handle(.restart) == [.restarted, .opened(stop: "a")])
    #expect(visit.score == 0 && !visit.isFinished)
  }

  @Test("Passing by or a large position error does not reach a stop")
  func passing() {
    var visit = TourVisit(of: two)
    // A car at 15 m/s is within the radius for 3 s.
    for second in 0..<20 {
      let signals = visit.handle(
        TestTour.position(Double(second) * 15 - 150, 0, at: Double(second)))
      #expect(!signals.contains(.arrived(stop: "a")))
    }
    #expect(!stay(&visit, 0, from: 100, accuracy: 200).contains(.arrived(stop: "a")))
    #expect(visit.handle(TestTour.position(0, 0, at: 300)) == [])
    for second in 1..<30 { #expect(visit.handle(.tick(time: 300 + Double(second))) == []) }
    #expect(stay(&visit, 0, from: 400) == [.arrived(stop: "a")])
  }

  @Test("A stop begins with an error of up to 30 m or twice the radius")
  func errors() {
    let cases: [(radius: Double, error: Double, begins: Bool)] = [
      (10, 30, true), (10, 31, false), (25, 50, true), (25, 51, false),
    ]
    for one in cases {
      var visit = TourVisit(of: TestTour.tour([TestTour.stop("a", 0, 0, radius: one.radius)]))
      let signals = stay(&visit, 0, from: 0, accuracy: one.error)
      #expect(signals.contains(.arrived(stop: "a")) == one.begins, "\(one)")
    }
  }

  @Test("Short jumps and jumps within the error do not end a stop")
  func hysteresis() {
    var visit = TourVisit(of: two)
    _ = stay(&visit, 0, from: 0)
    #expect(visit.handle(TestTour.position(200, 0, at: 10)) == [])
    #expect(stay(&visit, 33, from: 11, seconds: 20) == [])
    #expect(stay(&visit, 60, from: 40, seconds: 20, accuracy: 50) == [])
    #expect(stay(&visit, 60, from: 70) == [.left(stop: "a", unanswered: 1)])
    #expect(visit.state(of: "a") == .near)
    #expect(
      visit.handle(.answer(stop: "a", question: "year", .number(1932))).contains(.done(stop: "a")))
  }

  @Test("Two stops at one place begin one after the other")
  func overlap() {
    let tour = TestTour.tour([
      TestTour.stop("a", 0, 0, questions: [TestTour.year]), TestTour.stop("b", 10, 0),
    ])
    var visit = TourVisit(of: tour)
    #expect(stay(&visit, 9, from: 0, seconds: 30).filter { $0 == .arrived(stop: "b") }.count == 1)
    #expect(visit.state(of: "b") == .done && visit.state(of: "a") == .at)
  }

  @Test("A beacon begins and ends a stop")
  func beacons() {
    let stop = TourStop(
      id: "hall", title: LocalizedText(["en": "Hall"]), beacon: .init(zone: "h", level: .near))
    let other = TestTour.stop("yard", 500, 0)
    var visit = TourVisit(of: TestTour.tour([stop, other]))
    #expect(visit.handle(.zone("h", level: .far, time: 0)) == [.near(stop: "hall", meters: nil)])
    #expect((1..<20).flatMap { visit.handle(.tick(time: Double($0))) } == [])
    #expect(visit.handle(.zone("h", level: .immediate, time: 20)) == [])
    #expect(
      (21..<30).flatMap { visit.handle(.tick(time: Double($0))) }
        == [.arrived(stop: "hall"), .answered(stop: "hall")])
    #expect(visit.handle(.zone("h", level: nil, time: 30)) == [])
    #expect((31..<40).flatMap { visit.handle(.tick(time: Double($0))) } == [.done(stop: "hall")])
    #expect(visit.handle(.zone("other", level: .near, time: 40)) == [])
  }

  @Test("Finished and skipped stops open others; invalid events are refused")
  func conditions() {
    let tour = TestTour.tour([
      TestTour.stop("a", 0, 0), TestTour.stop("b", 300, 0, after: ["a"]),
      TestTour.stop("c", 600, 0, after: ["a", "b"]),
    ])
    var visit = TourVisit(of: tour)
    #expect(visit.handle(.skip(stop: "b")) == [.refused(.notOpen)])
    #expect(visit.handle(.skip(stop: "x")) == [.refused(.unknownStop)])
    #expect(visit.handle(.answer(stop: "x", question: "1", .number(1))) == [.refused(.unknownStop)])
    #expect(
      visit.handle(.answer(stop: "a", question: "1", .number(1))) == [.refused(.unknownQuestion)])
    #expect(visit.handle(.skip(stop: "a")) == [.skipped(stop: "a"), .opened(stop: "b")])
    #expect(visit.handle(.skip(stop: "a")) == [.refused(.isOver)])
    #expect(visit.handle(.skip(stop: "b")) == [.skipped(stop: "b"), .opened(stop: "c")])
    #expect(visit.handle(.skip(stop: "c")) == [.skipped(stop: "c"), .finished(score: 0, of: 0)])
  }

  @Test("Ignores invalid positions and times")
  func invalidInput() {
    var visit = TourVisit(of: two)
    let before = visit
    for event: TourEvent in [
      .position(latitude: .nan, longitude: 0, accuracy: 5, time: 0),
      .position(latitude: 95, longitude: 0, accuracy: 5, time: 0),
      .position(latitude: 0, longitude: 0, accuracy: 5, time: .nan),
      .tick(time: .infinity), .tick(time: 1e300), .zone("h", level: .near, time: 1),
    ] { #expect(visit.handle(event) == []) }
    #expect(visit == before)
    _ = visit.handle(.tick(time: 1e9))
    #expect(stay(&visit, 0, from: 1000).last == .arrived(stop: "a"))
  }

  @Test("A visit of a changed tour keeps existing stops and reports changes")
  func changed() throws {
    var visit = TourVisit(of: two)
    _ = stay(&visit, 0, from: 0)
    _ = visit.handle(.answer(stop: "a", question: "year", .number(1932)))
    let same = try TourVisit.resumed(json: visit.json, path: "v.json", of: two)
    #expect(same.visit == visit && same.changes == nil)
    let newer = TestTour.tour(
      [
        TestTour.stop("new", -300, 0), TestTour.stop("a", 0, 0, questions: [TestTour.year]),
        TestTour.stop("c", 300, 0),
      ], order: .fixed)
    let (kept, changes) = try TourVisit.resumed(json: visit.json, path: "v.json", of: newer)
    #expect(changes == TourChanges(added: ["new", "c"], removed: ["b"], removedQuestions: []))
    #expect(kept.score == 10 && kept.state(of: "a") == .answered)
    #expect(kept.state(of: "new") == .locked)
    var later = kept
    #expect(later.handle(.tick(time: 30)).contains(.opened(stop: "new")))
    #expect(try #require(changes).message.contains("new: new, c; removed: b"))
    #expect(
      throws: GuideError.badFile(path: "v.json", problem: "tour: the visit is for another tour")
    ) {
      let other = Tour(id: "x", title: two.title, languages: ["en"], stops: two.stops)
      _ = try TourVisit.resumed(json: visit.json, path: "v.json", of: other)
    }
  }

  @Test("A tour with 1,000 stops handles a position quickly")
  func speed() {
    let tour = TestTour.tour((0..<1000).map { TestTour.stop("s\($0)", Double($0) * 40, 0) })
    var visit = TourVisit(of: tour)
    let time = processorTime {
      for second in 0..<100 {
        _ = visit.handle(TestTour.position(Double(second) * 40, 0, at: Double(second)))
      }
    }
    print("100 positions of a visit of 1,000 stops: \(time); written \(visit.json.count) bytes")
    #expect(time < .seconds(2))
  }
}

@Suite("Simulated visits")
struct TourSimulationTests {
  private let tour = TestTour.tour(
    [
      TestTour.stop("gate", 0, 0), TestTour.stop("library", 150, 0, questions: [TestTour.year]),
      TestTour.stop("yard", 150, 150),
    ], order: .fixed)

  private func walk(_ points: [(Double, Double)], noise: Double = 4) -> TourSimulation.Walk {
    let points = points.map { TestTour.point($0.0, $0.1) }
    var walk = TourSimulation.Walk(
      points: points.compactMap { MapPoint(latitude: $0.latitude, longitude: $0.longitude) })
    walk.noise = noise
    return walk
  }

  private func simulated(_ walk: TourSimulation.Walk, seed: UInt64) -> TourSimulation {
    var random = SplitMix64(seed: seed)
    return TourSimulation(of: TourVisit(of: tour), walk, using: &random)
  }

  @Test("Walking the tour finishes it despite position noise")
  func finished() {
    for seed in 0..<Verification.count(4, of: 20) {
      for noise in [0.0, 3, 6] {
        let walk = walk([(0, 0), (150, 0), (150, 150)], noise: noise)
        let simulation = simulated(walk, seed: UInt64(seed))
        #expect(simulation.visit.isFinished, "seed \(seed), noise \(noise)")
        #expect(simulation.visit.score == 10)
      }
    }
  }

  @Test("Equal seeds give equal lines, other seeds others")
  func deterministic() {
    let walk = walk([(0, 0), (150, 0), (150, 150)])
    let lines = simulated(walk, seed: 1).lines()
    #expect(lines == simulated(walk, seed: 1).lines())
    #expect(simulated(walk, seed: 1).lines(all: true) != simulated(walk, seed: 2).lines(all: true))
    #expect(lines.last == "3 of 3 stops passed, 10 of 10 points")
    #expect(lines.contains("          > You are at Stop library. About library."))
    #expect(lines.allSatisfy { WrappedText.width($0) <= 80 })
  }

  @Test("Walking in reverse order reaches only the next stop")
  func wrongWay() {
    let simulation = simulated(walk([(150, 150), (150, 0), (0, 0)]), seed: 1)
    let arrived = simulation.steps.flatMap(\.signals).compactMap { signal -> String? in
      if case .arrived(let stop) = signal { stop } else { nil }
    }
    #expect(arrived == ["gate"])
  }

  @Test("Simulates beacons and ends a walk around the Earth")
  func beaconsAndBounds() {
    let hall = TourStop(
      id: "hall", title: LocalizedText(["en": "Hall"]), beacon: .init(zone: "h", level: .near))
    var random = SplitMix64(seed: 1)
    let point = TestTour.point(50, 0)
    let simulation = TourSimulation(
      of: TourVisit(of: TestTour.tour([hall])), walk([(0, 0), (50, 0), (100, 0)]), using: &random
    ) { _ in MapPoint(latitude: point.latitude, longitude: point.longitude) }
    #expect(simulation.visit.isFinished)
    var far = walk([(0, 0)])
    far.points += [MapPoint(latitude: -37, longitude: -156)].compactMap { $0 }
    #expect(simulated(far, seed: 1).steps.count <= TourSimulation.mostSeconds + 10)
  }
}

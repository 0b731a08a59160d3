import Cupola
import Testing

@testable import CupolaGuide

@Suite("Tours as files")
struct TourTests {
  @Test("the example of the documentation is read")
  func example() throws {
    let tour = try Tour(json: Array(MadeTour.example.utf8), path: "tour.json")
    #expect(tour.id == "old-campus" && tour.order == .fixed && tour.needsPasskey)
    #expect(tour.text(tour.title, in: "el") == "Η παλιά")
    #expect(tour.text(tour.title, in: "el-CY") == "Η παλιά")
    #expect(tour.text(tour.title, in: "fr") == "The old campus")
    #expect(tour.stops.map(\.id) == ["gate", "library"])
    #expect(tour.stops[0].place == .point(latitude: 37.9681, longitude: 23.7787))
    let library = tour.stops[1]
    #expect(library.place == .named("way/4711") && library.radius == 30)
    #expect(library.beacon == .init(zone: "library hall", level: .near))
    #expect(library.questions.map(\.id) == ["year", "2", "3"])
    #expect(library.questions[0].points == 10 && library.questions[1].points == 1)
    let days = [(2, 28), (3, 1), (10, 31), (11, 1)].compactMap {
      LocalDate(year: 2026, month: $0.0, day: $0.1)
    }
    #expect(days.map(tour.isOpen) == [false, true, true, false])
  }

  @Test("a beacon that says no level is meant from near")
  func beacons() throws {
    let text = MadeTour.example.replacing(", \"level\": \"near\"", with: "")
    let tour = try Tour(json: Array(text.utf8), path: "tour.json")
    #expect(tour.stops[1].beacon == .init(zone: "library hall", level: .near))
  }

  @Test("what is written is read as the same, and written with the same bytes")
  func roundTrip() throws {
    let example = try Tour(json: Array(MadeTour.example.utf8), path: "tour.json")
    #expect(try Tour(json: example.json, path: "") == example)
    var random = SplitMix64(seed: 1)
    for _ in 0..<300 {
      let tour = MadeTour.any(using: &random)
      let read = try Tour(json: tour.json, path: "")
      #expect(read == tour)
      #expect(read.json == tour.json)
      #expect(read.digest == tour.digest)
    }
  }

  @Test("answers are compared without case, accents and punctuation; numbers within the tolerance")
  func answers() {
    let text = TourQuestion(
      id: "1", text: LocalizedText(["en": "Who?"]), form: .text(["Auguste Rodin", "Ρήγας"]))
    #expect(text.isRight(.text("  auguste   RODIN! ")) == true)
    #expect(text.isRight(.text("ρηγας")) == true)
    #expect(text.isRight(.text("Rodin")) == false)
    #expect(text.isRight(.text(" - ")) == nil)
    #expect(text.isRight(.number(1)) == nil)
    let number = MadeTour.year
    #expect(number.isRight(.number(1931)) == true && number.isRight(.number(1930.9)) == false)
    #expect(number.isRight(.number(.nan)) == nil && number.isRight(.number(.infinity)) == nil)
    for tenths in 1...300 {
      let meters = TourQuestion(
        id: "1", text: LocalizedText(["en": "How high?"]),
        form: .number(Double(tenths) / 10, tolerance: 0.1))
      for (away, isRight) in [(-2, false), (-1, true), (1, true), (2, false)] {
        #expect(meters.isRight(.number(Double(tenths + away) / 10)) == isRight)
      }
    }
    let choices = TourQuestion(
      id: "1", text: LocalizedText(["en": "?"]),
      form: .choices([true, false, true].map { .init(LocalizedText(["en": "c"]), isRight: $0) }))
    #expect(choices.isRight(.choices([2, 0])) == true && choices.isRight(.choices([0])) == false)
    #expect(choices.isRight(.choices([0, 1, 2])) == false)
    #expect(choices.isRight(.choices([])) == nil && choices.isRight(.choices([3])) == nil)
    #expect(choices.isRight(.choices([-1])) == nil)
  }

  @Test("1,000 stops are read and written in little time")
  func large() throws {
    let tour = MadeTour.tour((0..<1000).map { MadeTour.stop("s\($0)", Double($0), 0) })
    let json = tour.json
    let clock = ContinuousClock()
    var read: Tour?
    let time = try clock.measure { read = try Tour(json: json, path: "") }
    #expect(read == tour)
    print("tour of 1,000 stops, \(json.count) bytes: read in \(time)")
  }
}

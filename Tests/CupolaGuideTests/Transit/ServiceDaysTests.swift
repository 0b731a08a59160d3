import Cupola
import Testing

@testable import CupolaGuide

@Suite("Dates of services")
struct ServiceDaysTests {
  private static func days(
    _ weekdays: String, _ from: Int, _ to: Int, added: [Int] = [], removed: [Int] = []
  ) throws -> ServiceDays {
    var maker = TimetableMaker()
    try maker.service(
      "s", weekdays: weekdays, from: from, to: to, added: added, removed: removed)
    return ServiceDays(maker.feed.services[0])
  }

  @Test("A holiday replaces a weekday's service by a Sunday's")
  func holiday() throws {
    // Thanksgiving 2026 is Thursday, 26 November.
    let weekday = try Self.days("1111100", 20_261_101, 20_261_231, removed: [20_261_126])
    let sunday = try Self.days("0000001", 20_261_101, 20_261_231, added: [20_261_126])
    let thursday = try TimetableMaker.date(20_261_126)
    #expect(!weekday.runs(on: thursday) && sunday.runs(on: thursday))
    let friday = try TimetableMaker.date(20_261_127)
    #expect(weekday.runs(on: friday) && !sunday.runs(on: friday))
    #expect(!weekday.runs(on: try TimetableMaker.date(20_261_128)))
    #expect(sunday.runs(on: try TimetableMaker.date(20_261_129)))
  }

  @Test("The first and last date are dates of the service, the days around are not")
  func ends() throws {
    let days = try Self.days("1111111", 20_261_101, 20_261_130, added: [20_261_225])
    #expect(days.runs(on: try TimetableMaker.date(20_261_101)))
    #expect(days.runs(on: try TimetableMaker.date(20_261_130)))
    #expect(!days.runs(on: try TimetableMaker.date(20_261_031)))
    #expect(!days.runs(on: try TimetableMaker.date(20_261_201)))
    #expect(days.runs(on: try TimetableMaker.date(20_261_225)))
    #expect(days.dates?.lowerBound.description == "2026-11-01")
    #expect(days.dates?.upperBound.description == "2026-12-25")
  }

  @Test("A service of exceptions alone, one that ends before it starts, one without days")
  func odd() throws {
    var only = TransitFeed.Service(id: "x")
    only.added = [try TimetableMaker.date(20_261_126)]
    #expect(ServiceDays(only).runs(on: try TimetableMaker.date(20_261_126)))
    #expect(!ServiceDays(only).runs(on: try TimetableMaker.date(20_261_127)))
    let turned = try Self.days("1111111", 20_261_130, 20_261_101)
    #expect(turned.dates == nil)
    #expect(!turned.runs(on: try TimetableMaker.date(20_261_115)))
    #expect(try Self.days("0000000", 20_261_101, 20_261_130).dates == nil)
  }

  @Test("The table of all services says what each one says")
  func table() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<30 {
      let (feed, first) = try RandomFeed.make(&random)
      let services = feed.services.map { ServiceDays($0) }
      let table = ServiceTable(services)
      for day in first.dayNumber - 3...first.dayNumber + 20 {
        for (number, service) in services.enumerated() {
          #expect(table.runs(number, onDay: day) == service.runs(onDay: day))
        }
      }
    }
    // Too many days for a table.
    let long = try Self.days("1000000", 10_101, 99_991_231)
    let table = ServiceTable([long, long, long])
    #expect(table.runs(1, onDay: try TimetableMaker.date(20_261_123).dayNumber))
    #expect(!table.runs(1, onDay: try TimetableMaker.date(20_261_124).dayNumber))
  }
}

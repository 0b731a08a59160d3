import CupolaTestSupport
import Testing

@testable import CupolaGuide

@Suite("The guide of the sample campus") struct SampleGuideTests {
  private static let maps = [Repository.sampleMap, Repository.sampleCampus + "/paths.geojson"]

  private func builder() throws -> GuideBuilder { GuideBuilder(try GuideMap(reading: Self.maps)) }

  private func sentences(
    _ guide: Guide, from start: String, to goal: String, _ mode: TravelMode = .walk
  ) throws -> [String] {
    let start = try #require(guide.places(meantBy: start).first)
    let goals = guide.places(meantBy: goal).map { RouteEnd.place($0) }
    return try guide.directions(mode).nearest(of: goals, from: .place(start)).route.maneuvers
      .map(\.text)
  }

  @Test("Nothing is wrong with its map, and every place is reached")
  func sound() throws {
    let builder = try builder()
    #expect(GuideCheck(builder).findings == [] && builder.guide.name == "Cupola Sample Campus")
    let directions = builder.guide.directions(.walk)
    let start = RouteEnd.place(try #require(builder.guide.places.first))
    for place in builder.guide.places.dropFirst() {
      #expect(throws: Never.self) { _ = try directions.route(from: start, to: .place(place)) }
    }
  }

  @Test("To a room upstairs by the stairs, and step-free by the elevator")
  func upstairs() throws {
    let guide = try builder().guide
    let walk = try sentences(guide, from: "Café Cupola", to: "room 1.4")
    #expect(
      walk == [
        "From Café Cupola, go south", "Take Library Steps down (8 steps)",
        "Turn left onto Library Walk", "Turn left onto Founders Walk", "Enter Founders Hall",
        "Take Grand Stair up to floor 1 (28 steps)", "Turn left", "Turn right into Computer Room",
        "Arrive at Computer Room",
      ])
    let wheels = try sentences(guide, from: "Café Cupola", to: "room 1.4", .stepFree)
    #expect(wheels.contains("Take the elevator up to floor 1"))
    #expect(!wheels.contains { $0.contains("teps") || $0.contains("Stair") })
  }

  @Test("What is read from a bundle leads the same ways, and is the same bytes twice")
  func bundle() throws {
    let folder = try TemporaryFolder()
    let guide = try builder().guide
    _ = try guide.write(to: folder.path("campus.guide"))
    let read = try Guide(contentsOf: folder.path("campus.guide"))
    #expect(read.places == guide.places && read.parts == guide.parts && read.name == guide.name)
    #expect(try builder().guide.parts == guide.parts)
    let route = try sentences(read, from: "North Hall", to: "toilets")
    #expect(try route == sentences(guide, from: "North Hall", to: "toilets"))
  }

  @Test("The recognizer's label leads to the building")
  func label() throws {
    let guide = try builder().guide
    #expect(guide.building(labeled: "old_library")?.name == "Old Library")
    #expect(guide.building(labeled: "none") == nil)
  }

  @Test("A way is drawn, floor by floor where it has floors")
  func drawing() throws {
    let guide = try builder().guide
    let room = try #require(guide.places(meantBy: "room 1.4").first)
    let chapel = try #require(guide.places(meantBy: "Saint Afra Chapel").first)
    let route = try guide.directions().route(from: .place(chapel), to: .place(room))
    let svg = String(decoding: guide.drawing(of: route), as: UTF8.self)
    #expect(svg.contains("Floor 0") && svg.contains("Floor 1") && svg.contains("Computer Room"))
    #expect(String(decoding: guide.drawing(), as: UTF8.self).contains("Founders Hall"))
  }
}

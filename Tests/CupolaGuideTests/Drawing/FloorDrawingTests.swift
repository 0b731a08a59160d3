import Testing

@testable import CupolaGuide

@Suite("The picture of floors with a route")
struct FloorDrawingTests {
  private let drawing = FloorDrawing(
    DrawingSamples.ground, route: DrawingSamples.route, names: [0: "Ground floor"])

  @Test("the floors of a route look as they did, and the same every time")
  func snapshot() throws {
    let svg = drawing.svg()
    try expectDrawing(svg, "floors")
    #expect(svg == drawing.svg())
    expectSound(svg)
  }

  @Test("floors stand in the order of the way, each with what is to be done there")
  func order() throws {
    let svg = drawing.svg()
    let places = [
      "Outdoors<", "Cross College", ">Ground floor<", "Take the stairs", ">Floor 1<", "Turn right",
    ]
    .map { svg.firstRange(of: $0)?.lowerBound }
    #expect(!places.contains(nil))
    #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(svg.contains(">to floor 1<"))
    #expect(svg.contains(">from Ground floor<"))
  }

  @Test("a floor shows its rooms and not those of others")
  func oneFloor() {
    let first = drawing.svg(level: 1)
    expectSound(first)
    #expect(first.contains("<title>Collection of Minerals</title>"))
    #expect(!first.contains("Lecture Hall"))
    #expect(!first.contains("Cross College"))
    let unknown = FloorDrawing(DrawingSamples.ground).svg(level: 17)
    expectSound(unknown)
    #expect(unknown.contains("nothing to draw"))
    expectSound(drawing.svg(level: .nan))
  }

  @Test("without a route all floors, the highest first")
  func allFloors() throws {
    let svg = FloorDrawing(DrawingSamples.ground).svg()
    expectSound(svg)
    let (high, low) = (svg.firstRange(of: ">Floor 1<"), svg.firstRange(of: ">Floor 0<"))
    #expect(try #require(high).lowerBound < #require(low).lowerBound)
    #expect(svg.contains(">elevator<") && svg.contains(">stairs<") && svg.contains(">toilets<"))
  }

  @Test("landings and floors that an elevator passes are no floors of the route")
  func stays() {
    let floors = RouteFloors(DrawingSamples.route)
    #expect(floors.levels == [nil, 0, 1])
    #expect(floors.changes(on: 0) == [.init(point: 9, other: 1, isDeparture: true)])
    #expect(floors.changes(on: 1) == [.init(point: 11, other: 0, isDeparture: false)])
    #expect(floors.changes(on: nil).isEmpty)
    #expect(floors.pointsInView(on: 0) == Array(7...11))
    // From outdoors to the stairs, and the stairs.
    #expect(floors.segments(on: 0) == Array(0...10))
    #expect(floors.segments(on: 1) == Array(9...13))
    #expect(floors.segments(on: nil) == Array(0...6))
    #expect(floors.maneuvers(on: 0) == [3])
    #expect(floors.maneuvers(on: 1) == [4, 5])
  }

  @Test("many floors are a picture of limited size")
  func manyFloors() {
    let count = 400
    let route = Route(
      mode: .walk,
      points: (0..<count).map { DrawingSamples.place(Double($0 % 2) * 9, 0, Double($0 / 2)) },
      segments: (1..<count).map { number in
        .init(kind: number % 2 == 1 ? .corridor : .elevator, meters: 9, seconds: 9, isIndoor: true)
      }, maneuvers: [])
    let svg = FloorDrawing(DrawingSamples.ground, route: route).svg()
    expectSound(svg)
    #expect(svg.contains("and 184 more floors"))
    #expect(svg.utf8.count < 200_000)
  }
}

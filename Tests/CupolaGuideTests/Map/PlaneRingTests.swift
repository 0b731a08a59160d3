import Testing

@testable import CupolaGuide

@Suite("Plane rings") struct PlaneRingTests {
  private static func square(_ west: Double, _ east: Double, _ north: Double) -> PlaneRing {
    let places = MapPointDateLineTests.points([
      (west, -north), (east, -north), (east, north), (west, north),
    ])
    return PlaneRing(Array(places.indices), of: places)
  }

  @Test(
    "Rings lie in larger ones, over the date line as elsewhere",
    arguments: [
      (10, 14, 11, 12, true), (10, 14, 11, 15, false), (10, 14, 15, 16, false),
      (178, -178, 178.5, 179, true), (178, -178, -179, -178.5, true),
      (178, -178, 179, -179, true), (178, -178, 177, 177.5, false), (178, -178, 0, 1, false),
      (178, -178, 179, -177, false),
    ] as [(Double, Double, Double, Double, Bool)])
  func contains(
    west: Double, east: Double, innerWest: Double, innerEast: Double, isInside: Bool
  ) {
    let (outer, inner) = (Self.square(west, east, 2), Self.square(innerWest, innerEast, 1))
    #expect(outer.contains(inner) == isInside && !inner.contains(outer))
    if isInside { #expect(outer.size > inner.size) }
  }

  @Test("Over the date line a ring is as large as elsewhere")
  func size() {
    #expect(Self.square(178, -178, 2).size == Self.square(10, 14, 2).size)
  }
}

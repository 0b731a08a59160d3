import CupolaCampus
import Testing

@testable import CupolaGuide
@testable import CupolaGuideBuilder

@Suite("Points across the date line") struct MapPointDateLineTests {
  static func points(_ places: [(Double, Double)]) -> [MapPoint] {
    places.compactMap { MapPoint(latitude: $0.1, longitude: $0.0) }
  }

  static let across = points([(179, 0), (-179, 0), (-179, 2), (179, 2)])
  static let here = points([(10, 0), (12, 0), (12, 2), (10, 2)])

  @Test("Longitudes continue across the date line")
  func longitudes() {
    let degree = 10_000_000
    #expect(MapPoint.longitudes(along: Self.across) == [179, 181, 181, 179].map { $0 * degree })
    #expect(MapPoint.longitudes(along: Self.here) == [10, 12, 12, 10].map { $0 * degree })
    #expect(MapPoint.longitudes(along: []) == [])
    let world = Self.points([(-180, -90), (180, -90), (180, 90), (-180, 90)])
    #expect(MapPoint.longitudes(along: world) == [-180, 180, 180, -180].map { $0 * degree })
    #expect(MapPoint.isAcrossDateLine(Self.across) && !MapPoint.isAcrossDateLine(Self.here))
    #expect(!MapPoint.isAcrossDateLine(world) && !MapPoint.isAcrossDateLine([]))
  }

  @Test("Tests points against a ring across the date line")
  func inside() {
    let (within, beside) = (
      Self.points([(179.5, 1), (-179.5, 1), (180, 1), (-180, 1)]),
      Self.points([(178.5, 1), (-178.5, 1), (0, 1), (179.5, 3), (-179.5, -1)])
    )
    let later = Array(Self.across.suffix(2) + Self.across.prefix(2))
    for ring in [Self.across, Self.across.reversed(), later] {
      for point in within { #expect(BuildingLocator.isInside(point, ring), "\(point)") }
      for point in beside { #expect(!BuildingLocator.isInside(point, ring), "\(point)") }
    }
    let slanted = Self.points([(179, 0), (-179, 1), (179, 2)])
    #expect(BuildingLocator.isInside(Self.points([(-179.5, 1)])[0], slanted))
    #expect(!BuildingLocator.isInside(Self.points([(-179.5, 1.5)])[0], slanted))
  }

  @Test("Handles a ring that winds around the Earth many times")
  func spiral() {
    let ring = (0..<10_000).flatMap { turn in
      Self.points([(0, turn % 2 == 0 ? 90 : -90), (120, 0), (-120, 1)])
    }
    for point in Self.points([(179.5, 1), (-180, 0), (60, 89)]) {
      _ = BuildingLocator.isInside(point, ring)
    }
    #expect(MapPoint.longitudes(along: ring).last == 9_999 * 3_600_000_000 + 2_400_000_000)
  }

  @Test("The midpoint of points on both sides is between them")
  func middle() {
    #expect(MapPoint.middle(of: Self.across) == Self.points([(180, 1)])[0])
    let east = MapPoint.middle(of: Self.points([(179.5, 1), (-178.5, 3)]))
    #expect(east == Self.points([(-179.5, 2)])[0])
    #expect(MapPoint.middle(of: Self.here) == Self.points([(11, 1)])[0])
    #expect(MapPoint.middle(of: []) == nil)
  }

  @Test("The bounding box of a shape across the date line has both sides")
  func box() {
    let box = MapPoint.box(around: [Self.across])
    #expect(box == BoxTree.Box([-1_800_000_000, 0], [1_800_000_000, 20_000_000]))
    let other = MapPoint.box(around: [Self.here])
    #expect(other == BoxTree.Box([100_000_000, 0], [120_000_000, 20_000_000]))
  }

  @Test("The date line has one longitude in maps")
  func line() {
    let both = Self.points([(-180, 5), (180, 5), (-179.9999999, 5)])
    #expect(both.map(\.onDateLine.longitudeE7) == [1_800_000_000, 1_800_000_000, -1_799_999_999])
  }
}

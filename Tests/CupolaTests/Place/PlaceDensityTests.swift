import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("PlaceDensity") struct PlaceDensityTests {
  static let origin = Position(latitude: 41.7, longitude: -86.24)

  /// A place so many meters from the origin.
  static func place(_ azimuth: Double, _ meters: Double, error: Double? = nil) throws -> Position {
    let place = try #require(origin).destination(azimuth: azimuth, distance: meters)
    return try #require(place.with(horizontalError: error))
  }

  /// A building at the origin: a point, or a square of some meters.
  static func building(side: Double? = nil) throws -> Building {
    let origin = try #require(origin)
    let geometry =
      side.map { side in
        let corners = [(-45.0), 45, 135, -135, -45].map {
          origin.destination(azimuth: $0, distance: side / 2 * 2.0.squareRoot())
        }
        let ring = corners.map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
        return GeoJSONText.polygon("[[\(ring)]]")
      } ?? GeoJSONText.point("[\(origin.longitude),\(origin.latitude)]")
    let campus = try Campus(
      geoJSON: GeoJSONText.collection([
        GeoJSONText.boundary("[\(GeoJSONText.square(-86.24, 41.7, halfSide: 0.1))]"),
        GeoJSONText.feature(#"{"role":"building","id":"hall"}"#, geometry),
      ]))
    return try #require(campus.building(labeled: "hall"))
  }

  @Test("The density is that of the definition")
  func naive() throws {
    var generator = SplitMix64(seed: 7)
    func draw(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    for _ in 0..<200 {
      let known = try (0..<Int.random(in: 0...9, using: &generator)).map { _ in
        try Self.place(draw(0...360), draw(0...200), error: draw(0...60).rounded())
      }
      let building = try Bool.random(using: &generator) || known.isEmpty ? Self.building() : nil
      let here = try Self.place(draw(0...360), draw(0...300), error: draw(0...80))
      let density = PlaceDensity(viewpoints: known.map { Viewpoint($0) }, building: building)
      let expected = NaivePlaceDensity.logRatio(
        at: here, error: here.horizontalError ?? 0,
        viewpoints: known.map { ($0, $0.horizontalError ?? 0) },
        building: try building.map { _ in
          Geodesic(from: here, to: try #require(Self.origin)).distance
        })
      // A plane for the Earth, and places to a tenth of a meter.
      #expect((density.logRatio(at: here) - expected).magnitude < 0.05)
    }
  }

  @Test("The further from the building, the less likely", arguments: [nil, 80] as [Double?])
  func monotone(side: Double?) throws {
    let density = PlaceDensity(viewpoints: [], building: try Self.building(side: side))
    let terms = try stride(from: 0.0, through: 1000, by: 10).map {
      density.logRatio(at: try Self.place(70, $0))
    }
    #expect(zip(terms, terms.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(terms[0] > 1 && terms[30] < 0)
    // No veto, however far.
    #expect(terms.allSatisfy { $0 >= log(PlaceDensity.broadShare) })
  }

  @Test("A place where photos were taken is likelier than one where none was")
  func photographed() throws {
    let viewpoints = try (0..<10).map { Viewpoint(try Self.place(Double($0), 60, error: 5)) }
    let density = PlaceDensity(viewpoints: viewpoints, building: try Self.building())
    #expect(
      density.logRatio(at: try Self.place(5, 60)) > density.logRatio(at: try Self.place(185, 60)))
    // The catalog keeps the other side from being ruled out.
    #expect(density.logRatio(at: try Self.place(185, 60)) > -1)
    #expect(density.logRatio(at: try Self.place(5, 60, error: 5)) < 3.6)
  }

  @Test("A far too large error says nothing, and neither does an unknown building")
  func nothing() throws {
    let viewpoints = [Viewpoint(try Self.place(0, 50, error: 5))]
    for error in [1e5, 1e300] {
      let density = PlaceDensity(viewpoints: viewpoints, building: try Self.building())
      let term = density.logRatio(at: try Self.place(0, 500, error: error))
      #expect(term.magnitude < 1e-4)
    }
    let unknown = PlaceDensity(viewpoints: [], building: nil)
    #expect(unknown.logRatio(at: try Self.place(0, 10)) == 0)
  }

  @Test("A position without an error is taken to be right within 15 m")
  func usualError() throws {
    let density = PlaceDensity(viewpoints: [], building: try Self.building())
    #expect(
      density.logRatio(at: try Self.place(0, 100))
        == density.logRatio(at: try Self.place(0, 100, error: 15)))
  }
}

extension PlaceDensity {
  /// The same with the distance that ``PlaceEvidence`` has from the building's view.
  fileprivate func logRatio(at position: Position) -> Double {
    logRatio(at: position, distance: BuildingView(of: building, from: position)?.distance)
  }
}

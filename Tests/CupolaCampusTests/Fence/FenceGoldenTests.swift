import CupolaTestSupport
import Testing

@testable import CupolaCampus

/// Places that GEOS and GeographicLib have judged, by `Scripts/goldens/geofence.py`.
@Suite("Geofence against GEOS and GeographicLib") struct FenceGoldenTests {
  struct Golden: Decodable, Sendable, CustomStringConvertible {
    let name: String
    let geometry: JSONValue
    let places: [Place]
    var description: String { name }

    func fence() throws -> Geofence {
      let geometry = String(decoding: JSONWriter.bytes(of: geometry), as: UTF8.self)
      let boundary = GeoJSONText.feature(#"{"role":"boundary"}"#, geometry)
      return try Campus(geoJSON: GeoJSONText.collection([boundary])).geofence
    }
  }

  struct Place: Decodable, Sendable {
    let position: Position
    let location: String
    let meters: Double

    init(from decoder: any Decoder) throws {
      var values = try decoder.unkeyedContainer()
      let longitude = try values.decode(Double.self)
      let latitude = try values.decode(Double.self)
      position = try #require(Position(latitude: latitude, longitude: longitude))
      location = try values.decode(String.self)
      meters = try values.decode(Double.self)
    }
  }

  static let fences: [Golden] = (try? Fixtures.json("geofence.json")) ?? []

  @Test("The fixture is there")
  func found() {
    #expect(Self.fences.count >= 13)
    let places = Self.fences.flatMap(\.places)
    #expect(places.count { $0.location == "boundary" } > 30)
    #expect(places.count { $0.location == "inside" } > 80)
  }

  @Test("Inside and on the boundary is inside, outside is outside", arguments: fences)
  func contains(golden: Golden) throws {
    let fence = try golden.fence()
    for place in golden.places {
      // The boundary is 0.1 mm wide.
      if place.location == "outside", place.meters < 1e-4 { continue }
      #expect(fence.contains(place.position) == (place.location != "outside"), "\(place)")
      let inPolygons = fence.polygons.contains { $0.contains(place.position) }
      #expect(inPolygons == (place.location != "outside"), "\(place)")
    }
  }

  @Test("Meters to the fence are right to 0.1 mm, and far away as geodesics are", arguments: fences)
  func distances(golden: Golden) throws {
    let fence = try golden.fence()
    for place in golden.places {
      let meters = fence.signedDistance(to: place.position)
      let allowed = 1e-4 + GeodesicTests.allowedError(place.meters.magnitude)
      #expect((meters - place.meters).magnitude < allowed, "\(place) \(meters)")
    }
  }
}

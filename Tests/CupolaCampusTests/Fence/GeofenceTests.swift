import CupolaTestSupport
import Testing
@testable import CupolaCampus
@testable import CupolaSupport

@Suite("Geofence") struct GeofenceTests {
  static func campus(_ geometry: String) throws -> Campus {
    let boundary = GeoJSONText.feature(#"{"role":"boundary"}"#, geometry)
    return try Campus(geoJSON: GeoJSONText.collection([boundary]))
  }

  static func contains(_ campus: Campus, _ longitude: Double, _ latitude: Double) throws -> Bool {
    campus.geofence.contains(
      try #require(Position(latitude: latitude, longitude: longitude)))
  }

  @Test("Contains positions in any polygon, but not in holes")
  func multiPolygon() throws {
    let rings = [
      "[\(GeoJSONText.square(10, 50, halfSide: 2)),\(GeoJSONText.square(10, 50, halfSide: 1))]",
      "[\(GeoJSONText.square(20, 50, halfSide: 2))]",
      // An island in the hole of the first polygon.
      "[\(GeoJSONText.square(10, 50, halfSide: 0.5))]",
    ]
    let geometry = #"{"type":"MultiPolygon","coordinates":[\#(rings.joined(separator: ","))]}"#
    let campus = try Self.campus(geometry)
    #expect(campus.geofence.polygons.count == 3)
    #expect(try Self.contains(campus, 11.5, 50) && Self.contains(campus, 20, 51))
    #expect(try Self.contains(campus, 10.25, 50))
    #expect(try !Self.contains(campus, 10.75, 50) && !Self.contains(campus, 15, 50))
  }

  @Test("Combines several boundary features")
  func severalFeatures() throws {
    let campus = try Campus(
      geoJSON: GeoJSONText.collection([
        GeoJSONText.boundary("[\(GeoJSONText.square(1, 1, halfSide: 1))]"),
        GeoJSONText.boundary("[\(GeoJSONText.square(5, 5, halfSide: 1))]"),
      ]))
    #expect(try Self.contains(campus, 1, 1) && Self.contains(campus, 5.5, 5.5))
    #expect(try !Self.contains(campus, 3, 3))
  }

  @Test("Supports polygons cut at the antimeridian")
  func antimeridian() throws {
    let west = "[[[179,-1],[180,-1],[180,1],[179,1],[179,-1]]]"
    let east = "[[[-180,-1],[-179,-1],[-179,1],[-180,1],[-180,-1]]]"
    let campus = try Self.campus(#"{"type":"MultiPolygon","coordinates":[\#(west),\#(east)]}"#)
    #expect(try Self.contains(campus, 179.5, 0) && Self.contains(campus, -179.5, 0))
    #expect(try Self.contains(campus, 180, 0) && Self.contains(campus, -180, 0))
    #expect(try !Self.contains(campus, 178, 0) && !Self.contains(campus, 0, 0))
  }

  @Test("Ignores heights")
  func heights() throws {
    let ring = "[[[0,0,9],[2,0,9],[2,2,9],[0,2,9],[0,0,9]]]"
    #expect(try Self.contains(Self.campus(GeoJSONText.polygon(ring)), 1, 1))
  }

  // MARK: - The antimeridian and the poles

  /// A campus across the antimeridian, in all common notations.
  static let dateLine = [
    "beyond 180": "[[[179,-1],[181,-1],[181,1],[179,1],[179,-1]]]",
    "beyond -180": "[[[-179,1],[-179,-1],[-181,-1],[-181,1],[-179,1]]]",
    "jumping": "[[[179,-1],[-179,-1],[-179,1],[179,1],[179,-1]]]",
    "jumping west": "[[[-179,1],[179,1],[179,-1],[-179,-1],[-179,1]]]",
  ]

  @Test("Supports four ways to cross the antimeridian", arguments: dateLine.keys)
  func acrossTheDateLine(way: String) throws {
    let campus = try Self.campus(GeoJSONText.polygon(try #require(Self.dateLine[way])))
    for (longitude, inside) in [
      (179.5, true), (-179.5, true), (180, true), (-180, true), (179, true), (-179, true),
      (178.9, false), (-178.9, false), (0, false),
    ] {
      #expect(try Self.contains(campus, longitude, 0) == inside, "\(longitude)")
    }
    #expect(try Self.contains(campus, 180, 1) && !Self.contains(campus, 180, 1.1))
    // The line through the middle is not a boundary.
    let middle = try #require(Position(latitude: 0, longitude: 180))
    #expect(campus.geofence.signedDistance(to: middle) < -100_000)
  }

  @Test("A pole inside the campus is inside for every longitude", arguments: [-1.0, 1])
  func pole(side: Double) throws {
    let low = 70 * side
    let ways = [
      "[[[-180,\(low)],[0,\(low)],[180,\(low)],[180,\(90 * side)],[-180,\(90 * side)],[-180,\(low)]]]",
      "[[[0,\(low)],[90,\(low)],[180,\(low)],[-90,\(low)],[0,\(low)]]]",
      "[[[0,\(low)],[-90,\(low)],[180,\(low)],[90,\(low)],[0,\(low)]]]",
    ]
    for way in ways {
      let campus = try Self.campus(GeoJSONText.polygon(way))
      for longitude in [-180.0, -179.9, -90, 0, 33, 180] {
        #expect(try Self.contains(campus, longitude, 90 * side))
        #expect(try Self.contains(campus, longitude, 75 * side))
        #expect(try !Self.contains(campus, longitude, 69 * side))
        #expect(try !Self.contains(campus, longitude, -90 * side))
      }
      let pole = try #require(Position(latitude: 90 * side, longitude: 12))
      #expect((campus.geofence.signedDistance(to: pole) + 2_233_000).magnitude < 2000)
    }
  }

  @Test("Long edges follow the map, not the chord")
  func longEdge() throws {
    // Halfway along one degree of the 60th parallel, the chord is 105 m to the north and 60 m
    // below.
    let north = try #require(Position(latitude: 60, longitude: 0.5))
    let south = north.destination(azimuth: 180, distance: 250).latitude
    let low = (0...200).map { PolygonTests.Place(x: Double($0) / 200, y: south) }
    let strip = Geofence(polygons: [PolygonTests.polygon([low + [(1, 60), (0, 60)]])])
    let place = north.destination(azimuth: 180, distance: 100)
    #expect((strip.signedDistance(to: place) + 100).magnitude < 1e-3)
  }

  @Test("The distance is infinite without a boundary")
  func extremes() throws {
    let earth = try Self.campus(
      GeoJSONText.polygon("[[[-180,-90],[180,-90],[180,90],[-180,90],[-180,-90]]]"))
    let here = try #require(Position(latitude: 48, longitude: 180, horizontalError: 20))
    #expect(earth.geofence.signedDistance(to: here) == -.infinity)
    #expect(earth.geofence.side(of: here) == .inside)
    let empty = Geofence(polygons: [])
    #expect(empty.signedDistance(to: here) == .infinity && !empty.contains(here))
    #expect(empty.side(of: here) == .outside)
  }

  @Test("A band around the Earth has no boundary where it meets itself")
  func band() throws {
    let band = try Self.campus(
      GeoJSONText.polygon("[[[-180,-10],[180,-10],[180,10],[-180,10],[-180,-10]]]"))
    for longitude in [-180.0, 0, 12, 180] {
      let place = try #require(Position(latitude: 0, longitude: longitude))
      #expect(band.geofence.contains(place))
      #expect((band.geofence.signedDistance(to: place) + 1_105_855).magnitude < 1)
      #expect(try !Self.contains(band, longitude, 10.1))
    }
  }

  // MARK: - The position's error

  @Test("The side is certain if the whole error circle is on it")
  func sides() throws {
    let fence = try Self.campus(
      GeoJSONText.polygon("[\(GeoJSONText.square(10, 48, halfSide: 0.01))]")
    ).geofence
    let edge = try #require(Position(latitude: 48.01, longitude: 10))
    for (meters, error, side) in [
      (100, 99.9, FenceSide.outside), (100, 100.1, .tooClose), (-100, 99.9, .inside),
      (-100, 100.1, .tooClose), (0.5, 0.4, .outside), (0.5, 1, .tooClose), (5000, 4999, .outside),
    ] {
      let azimuth: Double = meters > 0 ? 0 : 180
      let place = try #require(
        edge.destination(azimuth: azimuth, distance: meters.magnitude).with(horizontalError: error))
      #expect((fence.signedDistance(to: place) - meters).magnitude < 1e-4)
      #expect(fence.side(of: place) == side, "\(meters) m with \(error) m")
    }
  }

  @Test("Assumes an error of 15 m if it is unknown")
  func unknownError() throws {
    let fence = try Self.campus(
      GeoJSONText.polygon("[\(GeoJSONText.square(10, 48, halfSide: 0.01))]")
    ).geofence
    let edge = try #require(Position(latitude: 48.01, longitude: 10))
    for (meters, side) in [
      (14.9, FenceSide.tooClose), (15.1, .outside), (-14.9, .tooClose), (-15.1, .inside),
    ] {
      let place = edge.destination(azimuth: 0, distance: meters)
      #expect(place.horizontalError == nil && fence.side(of: place) == side)
      #expect(fence.contains(place) == (meters < 0))
    }
  }

  @Test("With an error of 0, the boundary decides")
  func withoutError() throws {
    let fence = try Self.campus(
      GeoJSONText.polygon("[\(GeoJSONText.square(10, 48, halfSide: 0.5))]")
    ).geofence
    for (latitude, side) in [
      (48.5, FenceSide.inside), (48.5.nextUp, .outside), (48.5.nextDown, .inside),
    ] {
      let place = try #require(Position(latitude: latitude, longitude: 10, horizontalError: 0))
      #expect(fence.side(of: place) == side)
    }
    let boundary = try #require(Position(latitude: 48.5, longitude: 10, horizontalError: 1))
    #expect(fence.signedDistance(to: boundary) == 0 && fence.side(of: boundary) == .tooClose)
    let anywhere = try #require(
      Position(latitude: 48, longitude: 10, horizontalError: 1e300))
    #expect(fence.side(of: anywhere) == .tooClose)
  }

  @Test("Encodes sides as words")
  func sideNames() throws {
    #expect(try jsonText(FenceSide.allCases) == #"["inside","outside","too_close_to_tell"]"#)
  }
}

/// Results of GEOS and GeographicLib from `Scripts/goldens/geofence.py`.
@Suite("Geofence compared with GEOS and GeographicLib") struct FenceGoldenTests {
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

  @Test("The fixture exists")
  func found() {
    #expect(Self.fences.count >= 13)
    let places = Self.fences.flatMap(\.places)
    #expect(places.count { $0.location == "boundary" } > 30)
    #expect(places.count { $0.location == "inside" } > 80)
  }

  @Test("Agrees with GEOS", arguments: fences)
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

  @Test("Distances agree with GeographicLib", arguments: fences)
  func distances(golden: Golden) throws {
    let fence = try golden.fence()
    for place in golden.places {
      let meters = fence.signedDistance(to: place.position)
      let allowed = 1e-4 + GeodesicTests.allowedError(place.meters.magnitude)
      #expect((meters - place.meters).magnitude < allowed, "\(place) \(meters)")
    }
  }
}

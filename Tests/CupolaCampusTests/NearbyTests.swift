import CupolaTestSupport
import Testing
@testable import CupolaCampus

@Suite("NearbyBuilding") struct NearbyBuildingTests {
  /// A case from `Scripts/goldens/nearby.py`.
  struct Case: Decodable {
    let position: [Double]
    let rings: [[[Double]]]
    let inside: Bool
    let distance: Double
    let bearing: Double?
    let enu: [Double]
  }

  static func campus(_ geometries: [String]) throws -> Campus {
    let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(0, 0, halfSide: 1))]")
    let buildings = geometries.enumerated().map { index, geometry in
      GeoJSONText.feature(#"{"role":"building","id":"\#(index)"}"#, geometry)
    }
    return try Campus(geoJSON: GeoJSONText.collection([grounds] + buildings))
  }

  static func place(_ latitude: Double, _ longitude: Double) throws -> Position {
    try #require(Position(latitude: latitude, longitude: longitude))
  }

  @Test("Nearest point, distance and bearing agree with GeographicLib and PROJ")
  func golden() throws {
    let cases: [Case] = try Fixtures.json("nearby.json")
    #expect(cases.count == 168 && cases.count { $0.inside } > 5)
    for expected in cases {
      let campus = try Self.campus([GeoJSONText.polygon("\(expected.rings)")])
      let position = try Self.place(expected.position[0], expected.position[1])
      let near = try #require(campus.buildings(near: position, within: 1e6).first)
      #expect(near.isInside == expected.inside, "\(expected)")
      #expect((near.distance - expected.distance).magnitude <= 1e-6 * expected.distance)
      if let bearing = expected.bearing {
        let error = (try #require(near.bearing) - bearing).remainder(dividingBy: 360)
        #expect(error.magnitude <= 1e-3, "\(expected)")
      } else {
        #expect(near.bearing == nil && near.compassPoint == nil)
      }
      let placement = [near.placement.east, near.placement.north, near.placement.up]
      for (meters, expectedMeters) in zip(placement, expected.enu) {
        #expect((meters - expectedMeters).magnitude <= 2e-5 * expected.distance + 2e-9)
      }
      let back = Geodesic(from: position, to: near.nearestPoint)
      #expect(back.distance == near.distance)
    }
  }

  @Test("Returns buildings within the distance, nearest first")
  func within() throws {
    let campus = try Self.campus(
      [0.003, 0.0005, 0.001, 0.0005].map { GeoJSONText.point("[\($0),0]") })
    let origin = try Self.place(0, 0)
    func labels(_ meters: Double) -> [String] {
      campus.buildings(near: origin, within: meters).map(\.building.label)
    }
    #expect(labels(.infinity) == ["1", "3", "2", "0"])
    #expect(labels(100) == ["1", "3"] && labels(200) == ["1", "3", "2"])
    #expect(labels(0) == [])
    let distance = try #require(campus.buildings(near: origin).first).distance
    #expect(labels(distance) == ["1", "3"] && labels(distance.nextDown) == [])
    #expect((distance - 55.66).magnitude < 0.01)
  }

  @Test(
    "Finds a building across the antimeridian from both sides",
    arguments: [
      // Cut as in RFC 7946, with a jump, and with longitudes beyond 180 to the east or west.
      ("MultiPolygon", [[(179.9995, 180.0)], [(-180.0, -179.9995)]]),
      ("Polygon", [[(179.9995, -179.9995)]]), ("Polygon", [[(179.9995, 180.0005)]]),
      ("Polygon", [[(-180.0005, -179.9995)]]),
    ] as [(String, [[(Double, Double)]])])
  func dateLine(type: String, parts: [[(Double, Double)]]) throws {
    let rings = parts.map { part in
      part.map { "[[\($0),-17],[\($1),-17],[\($1),-16.9],[\($0),-16.9],[\($0),-17]]" }
    }
    let polygons = rings.map { "[\($0.joined(separator: ","))]" }.joined(separator: ",")
    let coordinates = type == "Polygon" ? polygons : "[\(polygons)]"
    let campus = try Self.campus([#"{"type":"\#(type)","coordinates":\#(coordinates)}"#])
    for longitude in [179.9998, -179.9998, 180, -180] {
      let near = campus.buildings(near: try Self.place(-16.95, longitude))
      #expect(near.map(\.isInside) == [true])
    }
    for (longitude, point) in [(179.999, CompassPoint.east), (-179.999, .west)] {
      let near = try #require(campus.buildings(near: try Self.place(-16.95, longitude)).first)
      #expect((near.distance - 53.25).magnitude < 0.1 && near.compassPoint == point)
    }
  }

  @Test("Turn and side are relative to the heading")
  func turns() throws {
    let campus = try Self.campus(
      ["[0,0.0005]", "[0.0005,0]", "[0,-0.0005]", "[-0.0005,0]"]
        .map(GeoJSONText.point))
    let near = campus.buildings(near: try Self.place(0, 0), heading: Heading(degrees: 80))
      .sorted { $0.building.label < $1.building.label }
    #expect(near.map { ($0.turn ?? 0).rounded() } == [-80, 10, 100, -170])
    #expect(near.map(\.side) == [.left, .ahead, .right, .behind])
    #expect(near.map(\.compassPoint) == [.north, .east, .south, .west])
    let plain = campus.buildings(near: try Self.place(0, 0))
    #expect(plain.allSatisfy { $0.turn == nil && $0.side == nil && $0.bearing != nil })
  }

  @Test("Converts magnetic headings to true north")
  func magnetic() throws {
    let campus = try Self.campus([GeoJSONText.point("[0.0005,0]")])
    let place = try Self.place(0, 0)
    let declination = MagneticField(at: place, year: 2026).declination
    let near = campus.buildings(
      near: place, heading: Heading(degrees: 90, reference: .magneticNorth), year: 2026)
    let turn = try #require(near.first?.turn)
    #expect((turn + declination).magnitude < 1e-9 && declination.magnitude > 1)
  }

  @Test("The bearing is nil at distance 0")
  func here() throws {
    let square = GeoJSONText.polygon("[\(GeoJSONText.square(0, 0, halfSide: 0.001))]")
    let campus = try Self.campus([GeoJSONText.point("[0,0]"), square])
    let near = campus.buildings(near: try Self.place(0, 0), heading: Heading(degrees: 1))
    #expect(near.map(\.isInside) == [false, true])
    for building in near {
      #expect(building.distance == 0 && building.bearing == nil && building.turn == nil)
      #expect(
        building.placement
          == LocalPlacement(of: try Self.place(0, 0), from: try Self.place(0, 0)))
      #expect(building.placement.eastNorthUp[3] == [0, 0, 0, 1])
    }
    // The edge is part of the building.
    let edge = campus.buildings(near: try Self.place(0, 0.001)).first { $0.building.label == "1" }
    #expect(edge?.isInside == true)
  }

  @Test("Handles buildings without a position or with degenerate outlines")
  func odd() throws {
    let line = #"{"type":"LineString","coordinates":[[0,0],[1,1]]}"#
    // A ring with one point, and a ring that goes back and forth.
    let point = GeoJSONText.polygon("[[[0,0.0001],[0,0.0001],[0,0.0001],[0,0.0001]]]")
    let spike = GeoJSONText.polygon("[[[0,0.0002],[0,0.0003],[0,0.0002],[0,0.0002]]]")
    let campus = try Self.campus([line, point, spike])
    let near = campus.buildings(near: try Self.place(0, 0))
    #expect(near.map(\.building.label) == ["1", "2"])
    #expect(near.map { ($0.distance * 10).rounded() } == [111, 221])
  }

  @Test("Placements use the axes of the frame and of ARKit")
  func placements() throws {
    let campus = try Self.campus([GeoJSONText.point("[0.0004,0.0003]")])
    let near = try #require(campus.buildings(near: try Self.place(0, 0)).first)
    let (enu, arkit) = (near.placement.eastNorthUp, near.placement.gravityAndHeading)
    #expect(enu[3].x > 44 && enu[3].y > 33 && enu[3].z < 0 && enu[3].w == 1)
    #expect(arkit[3] == [enu[3].x, enu[3].z, -enu[3].y, 1])
    for column in 0..<3 {
      var unit = SIMD4<Double>.zero
      unit[column] = 1
      #expect(enu[column] == unit && arkit[column] == unit)
    }
    let length = (enu[3].x * enu[3].x + enu[3].y * enu[3].y).squareRoot()
    #expect((length - near.distance).magnitude < 1e-6)
  }

  @Test("Encodes results without the footprint")
  func json() throws {
    let square = GeoJSONText.polygon("[\(GeoJSONText.square(0.001, 0, halfSide: 0.0005))]")
    let campus = try Self.campus([GeoJSONText.point("[0.0004,0.0003]"), square])
    let near = campus.buildings(near: try Self.place(0, 0), heading: Heading(degrees: 45))
    #expect(near.count == 2)
    for building in near {
      let again = try throughJSON(building)
      #expect(again.distance == building.distance && again.bearing == building.bearing)
      #expect(again.turn == building.turn && again.placement == building.placement)
      #expect(again.building.label == building.building.label)
      #expect(again.building.footprint.isEmpty)
      #expect(try !jsonText(building).contains("footprint"))
    }
    #expect(campus.buildings[1].footprint.count == 1)
  }
}

@Suite("CompassPoint and Side") struct CompassPointTests {
  @Test("Each compass point covers 22.5 degrees")
  func points() {
    for (index, point) in CompassPoint.allCases.enumerated() {
      let middle = Double(index) * 22.5
      for offset in [-11.25, -11, 0, 11, 11.249] {
        #expect(CompassPoint(bearing: middle + offset) == point)
        #expect(CompassPoint(bearing: middle + offset - 720) == point)
      }
    }
    let names = CompassPoint.allCases.map(\.rawValue).joined(separator: " ")
    #expect(names == "N NNE NE ENE E ESE SE SSE S SSW SW WSW W WNW NW NNW")
  }

  @Test(
    "Each side is a quarter; ahead and behind include the limits",
    arguments: [
      (0, .ahead), (45, .ahead), (-45, .ahead), (45.1, .right), (134.9, .right), (135, .behind),
      (180, .behind), (-180, .behind), (-135, .behind), (-134.9, .left), (-45.1, .left),
    ] as [(Double, Side)])
  func sides(turn: Double, side: Side) { #expect(Side(turn: turn) == side) }
}

@Suite("Panorama") struct PanoramaTests {
  private static let origin = Position(latitude: 41.7, longitude: -86.24)

  /// Houses 40 m wide, placed in meters north and east of the origin.
  private static func outlines(_ houses: [(east: Double, north: Double)]) throws
    -> [BuildingOutline?]
  {
    let origin = try #require(origin)
    let features = houses.enumerated().map { number, house in
      let corners = [(-20.0, -20.0), (20, -20), (20, 20), (-20, 20), (-20, -20)].map {
        east, north in
        let width = LocalPlane.metersPerDegree * Degrees.sinCos(origin.latitude).cos
        return "[\(origin.longitude + (house.east + east) / width),"
          + "\(origin.latitude + (house.north + north) / LocalPlane.metersPerDegree)]"
      }
      return GeoJSONText.feature(
        #"{"role":"building","id":"house\#(number)"}"#,
        GeoJSONText.polygon("[[\(corners.joined(separator: ","))]]"))
    }
    let grounds = GeoJSONText.boundary("[\(GeoJSONText.square(-86.24, 41.7, halfSide: 0.1))]")
    let campus = try Campus(geoJSON: GeoJSONText.collection([grounds] + features))
    return campus.buildings.map(BuildingOutline.init)
  }

  private static func shares(
    _ houses: [(east: Double, north: Double)], toward heading: Double?, error: Double = 5,
    deviation: Double = 20
  ) throws -> [Double] {
    Panorama(of: try outlines(houses), from: try #require(origin), error: error)
      .shares(toward: heading, deviation: deviation, uniformShare: 0.2)
  }

  @Test("A nearer building hides the one behind it")
  func occlusion() throws {
    let shares = try Self.shares([(0, 60), (0, 200)], toward: 0)
    #expect(shares[0] > 0.4 && shares[1] < 0.01)
    let beside = try Self.shares([(200, 60), (0, 200)], toward: 0)
    #expect(beside[1] > 0.1)
  }

  @Test("A building behind the camera has a small share")
  func behind() throws {
    let shares = try Self.shares([(0, 60), (0, -60)], toward: 0)
    #expect(shares[0] > 10 * shares[1] && shares[1] > 0)
    let turned = try Self.shares([(0, 60), (0, -60)], toward: 180)
    #expect((turned[1] - shares[0]).magnitude < 0.05)
  }

  @Test("A building is behind the camera only if all of it is, for all positions within the error")
  func isBehind() throws {
    let south = try #require(try Self.outlines([(0, -60)])[0])
    func isBehind(_ heading: Double, error: Double = 5) throws -> Bool {
      south.isBehind(try #require(Self.origin), error: error, toward: heading)
    }
    #expect(try isBehind(0) && isBehind(45) && isBehind(315))
    // The nearest corner is 40 m south; a heading of 70 degrees includes the eastern end.
    #expect(try !isBehind(70) && !isBehind(180) && !isBehind(90))
    #expect(try isBehind(0, error: 39) && !isBehind(0, error: 41))
  }

  @Test("A building is outside an angle if all of it is, for all positions within the error")
  func isOutside() throws {
    let south = try #require(try Self.outlines([(0, -60)])[0])
    func isOutside(_ angle: Double, _ heading: Double, error: Double = 5) throws -> Bool {
      south.isOutside(angle, try #require(Self.origin), error: error, toward: heading)
    }
    // The building covers the headings from 153 to 207 degrees; the error adds 6 degrees on each side.
    #expect(try isOutside(60, 80) && isOutside(60, 280) && isOutside(60, 0))
    #expect(try !isOutside(60, 95) && !isOutside(60, 265) && !isOutside(60, 180))
    #expect(try isOutside(60, 85) && !isOutside(60, 85, error: 20))
    for heading in [0.0, 45, 62, 70, 90] {
      let isBehind = south.isBehind(try #require(Self.origin), error: 5, toward: heading)
      #expect(try isOutside(90, heading) == isBehind && isOutside(120, heading) == isBehind)
    }
  }

  @Test("An error of 40 degrees and 50 m excludes no building")
  func errors() throws {
    let turned = try Self.shares([(0, 60), (0, -60)], toward: 40)
    #expect(turned[0] > 0.1 && turned[0] > 3 * turned[1])
    let moved = try Self.shares([(50, 60), (0, -300)], toward: 0, error: 50)
    #expect(moved[0] > 0.1 && moved[0] > 5 * moved[1])
  }

  @Test("Without a heading, directions are equal and shares sum to at most 1")
  func everywhere() throws {
    let shares = try Self.shares([(0, 60), (0, -60), (100, 0)], toward: nil)
    #expect((shares[0] - shares[1]).magnitude < 0.03 && shares[0] > shares[2])
    #expect(shares.reduce(0, +) <= 1 + 1e-12)
    // 40 m wide and 40 m away: 53 of 360 degrees.
    #expect((shares[0] - 53.0 / 360).magnitude < 0.04)
  }

  @Test("A narrow view reduces shares at the sides")
  func deviation() throws {
    let houses = [(0.0, 80.0), (80.0, 0.0)]
    let narrow = try Self.shares(houses, toward: 0, deviation: 21)
    let wide = try Self.shares(houses, toward: 0, deviation: 40)
    #expect(narrow[0] > wide[0] && narrow[1] < wide[1])
  }

  @Test("At a wall, the view is the one from outside")
  func wall() throws {
    let shares = try Self.shares([(0, 15), (0, -60)], toward: 180)
    #expect(shares[1] > shares[0])
    let deep = try Self.shares([(0, 0)], toward: 90, error: 0)
    #expect(deep[0] > 0)
  }

  @Test("Distant buildings and buildings without a position are not visible")
  func far() throws {
    var outlines = try Self.outlines([(0, 1200), (0, 60)])
    outlines.append(nil)
    let panorama = Panorama(of: outlines, from: try #require(Self.origin), error: 5)
    let shares = panorama.shares(toward: 0, deviation: 20, uniformShare: 0.2)
    #expect(shares[0] == 0 && shares[1] > 0.3 && shares[2] == 0)
  }
}

import Foundation
import Testing

@testable import Cupola
@testable import CupolaExport

/// Tests resizing and the fence.
@Suite("C export: pictures and positions", .enabled(if: CProgram.isPossible, CProgram.missing))
struct CSourceGeometryTests {
  @Test(
    "The square equals the recognizer's, byte by byte",
    arguments: [
      Geometry.squash, .centerCrop,
      .window(Geometry.Crop(left: 7, top: 3, width: 81, height: 97)),
    ])
  func resizing(geometry: Geometry) throws {
    var model = SampleModels.hog()
    model.recipe.geometry = geometry
    let source = try CSource(model: model, weights: .int8)
    let program = try CProgram(source, flags: CProgram.sanitized)
    let sizes = [
      (64, 64), (640, 480), (65, 63), (63, 65), (1, 1), (2, 300), (300, 2), (31, 128), (128, 64),
      (1000, 7), (64, 65_500), (97, 89),
    ]
    var generator = SplitMix64(seed: 5)
    for (width, height) in sizes {
      let pixels = (0..<3 * width * height).map { _ in UInt8.random(in: 0...255, using: &generator)
      }
      let image = RGBImage(width: width, height: height, pixels: pixels)
      let expected = model.recipe.prepare(image, geometry: geometry).pixels
      #expect(try program.square(of: image) == expected, "\(width) x \(height)")
    }
  }

  @Test("Rejects invalid sizes; without a map, every position is on campus")
  func limits() throws {
    let program = try CProgram(try CSource(model: SampleModels.hog(), weights: .int8))
    for (width, height) in [(0, 5), (65_501, 1), (1, 65_501)] {
      #expect(try program.refuses(width: width, height: height))
    }
    #expect(try program.contains([(1, 2), (-90, 180), (91, 0)]) == [true, true, false])
  }

  /// Rings of longitude and latitude as JSON.
  static let fences = [
    // With a hole.
    "[[[0,0],[4,0],[4,4],[0,4],[0,0]],[[1,1],[3,1],[2,3],[1,1]]]",
    // Across the antimeridian, with a jump and beyond 180 degrees.
    "[[[179,-1],[-179,-1],[-179,1],[179,1],[179,-1]]]",
    "[[[179,50],[182.5,51],[181,53],[179,50]]]",
    // Around a pole.
    "[[[0,80],[90,82],[180,80],[-90,81],[0,80]]]",
  ]

  private static func campus(_ rings: String) throws -> Campus {
    let map = """
      {"type":"Feature","properties":{"role":"boundary"},
       "geometry":{"type":"Polygon","coordinates":\(rings)}}
      """
    return try Campus(geoJSON: Array(map.utf8))
  }

  @Test("The fence agrees with the library's", arguments: fences)
  func fence(rings: String) throws {
    var model = SampleModels.hog()
    let campus = try Self.campus(rings)
    model.campus = campus
    let source = try CSource(model: model, weights: .int8)
    let program = try CProgram(source, flags: CProgram.sanitized)
    var generator = SplitMix64(seed: 6)
    let corners = campus.geofence.polygons.flatMap(\.rings).flatMap { $0 }
    var places = corners.filter { $0.longitude.magnitude <= 180 }.map {
      ($0.latitude, $0.longitude)
    }
    for _ in 0..<400 {
      let corner = corners[Int.random(in: 0..<corners.count, using: &generator)]
      // Many have the latitude or longitude of a vertex.
      let north = Double(Int.random(in: -8...8, using: &generator)) / 2
      let east = Double(Int.random(in: -8...8, using: &generator)) / 2
      let longitude = corner.longitude + east
      places.append((corner.latitude + north, longitude > 180 ? longitude - 360 : longitude))
    }
    places += [(90, 0), (-90, 10), (0, 180), (0, -180)]
    places = places.filter { abs($0.0) <= 90 && abs($0.1) <= 180 }
    let expected = try places.map {
      campus.geofence.contains(try #require(Position(latitude: $0.0, longitude: $0.1)))
    }
    #expect(expected.contains(true) && expected.contains(false))
    #expect(try program.contains(places.map { (latitude: $0.0, longitude: $0.1) }) == expected)
    #expect(try program.contains([(91, 0), (0, 181), (.nan, 0)]) == [false, false, false])
  }

  @Test("A position is off campus if the fence is farther than its error")
  func distance() throws {
    var model = SampleModels.hog()
    // In the far north, with edges of 25 km.
    let campus = try Self.campus("[[[10,60],[10.4,60.06],[10.36,60.2],[9.98,60.16],[10,60]]]")
    model.campus = campus
    let program = try CProgram(try CSource(model: model, weights: .int8))
    var generator = SplitMix64(seed: 7)
    var places: [Position] = []
    while places.count < 400 {
      let latitude = Double.random(in: 59.96...60.24, using: &generator)
      let longitude = Double.random(in: 9.9...10.5, using: &generator)
      let position = try #require(Position(latitude: latitude, longitude: longitude))
      let meters = campus.geofence.signedDistance(to: position)
      guard (1...5000).contains(meters) else { continue }
      for error in [meters - 0.005, meters + 0.005] {
        places.append(
          try #require(
            Position(latitude: latitude, longitude: longitude, horizontalError: error)))
      }
    }
    #expect(try program.isOff(places) == places.indices.map { $0 % 2 == 0 })
  }
}

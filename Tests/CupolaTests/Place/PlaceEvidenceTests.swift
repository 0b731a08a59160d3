import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("PlaceEvidence") struct PlaceEvidenceTests {
  static let labels = Labels(["_street", "hall", "other"])

  /// The hall is at the origin; the other building is 400 m east according to its photos.
  static func evidence(_ position: Position, heading: Double? = nil) throws -> PlaceEvidence {
    let other = try (0..<9).map { Viewpoint(try PlaceDensityTests.place(90, 390 + Double($0))) }
    let map = try Campus(
      geoJSON: GeoJSONText.collection([
        GeoJSONText.boundary("[\(GeoJSONText.square(-86.24, 41.7, halfSide: 0.1))]"),
        GeoJSONText.feature(
          #"{"role":"building","id":"hall"}"#, GeoJSONText.point("[-86.24,41.7]")),
      ]))
    let scene = PlaceScene(labels, campus: map, viewpoints: ["other": other])
    return PlaceEvidence(
      at: position, heading: heading.flatMap { Heading(degrees: $0) }, scene: scene)
  }

  @Test("A position never favors a building over the backgrounds")
  func backgrounds() throws {
    for meters in stride(from: 0.0, through: 3000, by: 50) {
      for heading in [nil, 0, 90, 270] as [Double?] {
        let evidence = try Self.evidence(PlaceDensityTests.place(90, meters), heading: heading)
        let shifts = evidence.shifts(
          PlaceModel(positionWeight: 1, headingWeight: 1))
        #expect(shifts.allSatisfy { $0 <= 0 } && shifts[0] == 0)
        #expect(evidence.positions[0] == 0 && evidence.headings[0] == 0)
        // Without a footprint there is no direction.
        #expect(evidence.headings[2] == 0)
      }
    }
  }

  @Test("A position favors the nearby building, or no building")
  func shifts() throws {
    let model = PlaceModel(positionWeight: 1, headingWeight: 1)
    let hall = try Self.evidence(PlaceDensityTests.place(90, 40)).shifts(model)
    #expect(hall[1] == 0 && hall[2] < -3)
    let other = try Self.evidence(PlaceDensityTests.place(90, 395)).shifts(model)
    #expect(other[2] == 0 && other[1] < -3)
    let far = try Self.evidence(PlaceDensityTests.place(0, 3000)).shifts(model)
    #expect(far[1] < -2.9 && far[2] < -2.9)
  }

  @Test("Weights of 0 change no bit of the probabilities")
  func nothing() throws {
    let evidence = try Self.evidence(PlaceDensityTests.place(90, 200), heading: 10)
    let none = evidence.shifts(PlaceModel(positionWeight: 0, headingWeight: 0))
    let image = [0.1, 0.2, 0.7000000001]
    #expect(PlaceEvidence.fused(image, none) == image)
  }

  @Test("Fused probabilities sum to 1 and match the formula")
  func fused() {
    let fused = PlaceEvidence.fused([0.2, 0.3, 0.5], [0, -1, -3])
    let weights = [0.2, 0.3 * exp(-1), 0.5 * exp(-3)]
    #expect((fused.reduce(0, +) - 1).magnitude < 1e-12)
    for (probability, weight) in zip(fused, weights) {
      #expect((probability - weight / weights.reduce(0, +)).magnitude < 1e-12)
    }
  }
}

@Suite("PlaceDensity") struct PlaceDensityTests {
  static let origin = Position(latitude: 41.7, longitude: -86.24)

  static func place(_ azimuth: Double, _ meters: Double, error: Double? = nil) throws -> Position {
    let place = try #require(origin).destination(azimuth: azimuth, distance: meters)
    return try #require(place.with(horizontalError: error))
  }

  /// A building at the origin: a point, or a square with the given side in meters.
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

  @Test("The density matches the definition")
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
      // The tolerance covers a planar Earth and positions rounded to 0.1 m.
      #expect((density.logRatio(at: here) - expected).magnitude < 0.05)
    }
  }

  @Test("The density falls with the distance from the building", arguments: [nil, 80] as [Double?])
  func monotone(side: Double?) throws {
    let density = PlaceDensity(viewpoints: [], building: try Self.building(side: side))
    let terms = try stride(from: 0.0, through: 1000, by: 10).map {
      density.logRatio(at: try Self.place(70, $0))
    }
    #expect(zip(terms, terms.dropFirst()).allSatisfy { $0 >= $1 })
    #expect(terms[0] > 1 && terms[30] < 0)
    // The broad component keeps every distance possible.
    #expect(terms.allSatisfy { $0 >= log(PlaceDensity.broadShare) })
  }

  @Test("A position near training photos is more likely")
  func photographed() throws {
    let viewpoints = try (0..<10).map { Viewpoint(try Self.place(Double($0), 60, error: 5)) }
    let density = PlaceDensity(viewpoints: viewpoints, building: try Self.building())
    #expect(
      density.logRatio(at: try Self.place(5, 60)) > density.logRatio(at: try Self.place(185, 60)))
    // The building's own component keeps the other side possible.
    #expect(density.logRatio(at: try Self.place(185, 60)) > -1)
    #expect(density.logRatio(at: try Self.place(5, 60, error: 5)) < 3.6)
  }

  @Test("A very large error or an unknown building yields no evidence")
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
  func defaultError() throws {
    let density = PlaceDensity(viewpoints: [], building: try Self.building())
    #expect(
      density.logRatio(at: try Self.place(0, 100))
        == density.logRatio(at: try Self.place(0, 100, error: 15)))
  }
}

extension PlaceDensity {
  /// The log ratio with the distance to the building's footprint, as ``PlaceEvidence`` computes it.
  fileprivate func logRatio(at position: Position) -> Double {
    logRatio(at: position, distance: BuildingView(of: building, from: position)?.distance)
  }
}

@Suite("ViewShare") struct ViewShareTests {
  @Test("A larger share of the view is stronger evidence")
  func order() {
    let shares = [0, 0.02, 0.1, 0.5, 1].map {
      ViewShare.logRatio($0, positionError: 10, hasHeading: true)
    }
    #expect(zip(shares, shares.dropFirst()).allSatisfy { $0 < $1 })
    #expect(shares[0] > -1.8 && shares[2].magnitude < 1e-9 && shares[4] < 2.2)
  }

  @Test("Without a heading or with a large error evidence is weaker")
  func doubt() {
    let known = ViewShare.logRatio(0.6, positionError: 10, hasHeading: true)
    #expect(ViewShare.logRatio(0.6, positionError: 10, hasHeading: false) < known / 3)
    #expect(ViewShare.logRatio(0.6, positionError: 1e6, hasHeading: true) < 1e-9)
  }
}

@Suite("FieldOfView") struct FieldOfViewTests {
  @Test("The field of view is 65 degrees, or less upright or zoomed")
  func phones() {
    #expect((FieldOfView.usual.degrees - 65.3).magnitude < 0.1)
    let upright = FieldOfView(focalLength: 26, width: 3, height: 4)
    let level = FieldOfView(focalLength: 26, width: 4, height: 3)
    let zoomed = FieldOfView(focalLength: 68, width: 3, height: 4)
    #expect((upright.degrees - 53.1).magnitude < 0.1 && level.degrees > upright.degrees)
    #expect(zoomed.degrees < 25)
  }

  @Test(
    "An invalid focal length yields the usual field of view",
    arguments: [-1, 0, 5, 1e6, .infinity, .nan])
  func nonsense(length: Double) {
    #expect(FieldOfView(focalLength: length, width: 4, height: 3) == .usual)
  }
}

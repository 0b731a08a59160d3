import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("PlaceEvidence") struct PlaceEvidenceTests {
  static let labels = Labels(["_street", "hall", "other"])

  /// The hall is at the origin, the other building 400 m east of it by the photos of it.
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

  @Test("A place never speaks for a building against the backgrounds")
  func backgrounds() throws {
    for meters in stride(from: 0.0, through: 3000, by: 50) {
      for heading in [nil, 0, 90, 270] as [Double?] {
        let evidence = try Self.evidence(PlaceDensityTests.place(90, meters), heading: heading)
        let shifts = evidence.shifts(
          PlaceModel(positionWeight: 1, headingWeight: 1))
        #expect(shifts.allSatisfy { $0 <= 0 } && shifts[0] == 0)
        #expect(evidence.positions[0] == 0 && evidence.headings[0] == 0)
        // What the map does not know has no direction.
        #expect(evidence.headings[2] == 0)
      }
    }
  }

  @Test("It speaks for the building nearby, and against all where there is none")
  func shifts() throws {
    let model = PlaceModel(positionWeight: 1, headingWeight: 1)
    let hall = try Self.evidence(PlaceDensityTests.place(90, 40)).shifts(model)
    #expect(hall[1] == 0 && hall[2] < -3)
    let other = try Self.evidence(PlaceDensityTests.place(90, 395)).shifts(model)
    #expect(other[2] == 0 && other[1] < -3)
    let far = try Self.evidence(PlaceDensityTests.place(0, 3000)).shifts(model)
    #expect(far[1] < -2.9 && far[2] < -2.9)
  }

  @Test("Weights of 0, and no shifts, change no bit")
  func nothing() throws {
    let evidence = try Self.evidence(PlaceDensityTests.place(90, 200), heading: 10)
    let none = evidence.shifts(PlaceModel(positionWeight: 0, headingWeight: 0))
    let image = [0.1, 0.2, 0.7000000001]
    #expect(PlaceEvidence.fused(image, none) == image)
  }

  @Test("Fused probabilities sum to 1 and are those of the formula")
  func fused() {
    let fused = PlaceEvidence.fused([0.2, 0.3, 0.5], [0, -1, -3])
    let weights = [0.2, 0.3 * exp(-1), 0.5 * exp(-3)]
    #expect((fused.reduce(0, +) - 1).magnitude < 1e-12)
    for (probability, weight) in zip(fused, weights) {
      #expect((probability - weight / weights.reduce(0, +)).magnitude < 1e-12)
    }
  }
}

import Foundation
import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Place fit")
struct PlaceFitTests {
  private static let labels = Labels(["_street", "chapel", "tower"])
  private static let origin = Position(latitude: 48, longitude: 10)

  private static func campus() throws -> Campus {
    let features = [("chapel", 10.0), ("tower", 10.002)].map { label, longitude in
      """
      {"type":"Feature","properties":{"role":"building","id":"\(label)"},
       "geometry":{"type":"Point","coordinates":[\(longitude),48]}}
      """
    }
    return try Campus(
      geoJSON: Array(
        """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","properties":{"role":"boundary"},"geometry":{"type":"Polygon",
         "coordinates":[[[9,47],[11,47],[11,49],[9,49],[9,47]]]}},
        \(features.joined(separator: ","))]}
        """.utf8))
  }

  /// Photos in ten groups, at the positions and headings that `standing` returns.
  private static func photos(
    _ standing: (_ label: Int, inout SplitMix64) -> (east: Double, toward: Double?)?
  ) throws -> [PlaceFit.Photo] {
    var generator = SplitMix64(seed: 5)
    let origin = try #require(origin)
    return (0..<80).map { index in
      let label = index % 3
      var metadata = PhotoMetadata()
      if let place = standing(label, &generator) {
        let azimuth = Double.random(in: 0..<360, using: &generator)
        let middle = origin.destination(azimuth: 90, distance: place.east)
        let meters = Double.random(in: 20...60, using: &generator)
        metadata.position = middle.destination(azimuth: azimuth, distance: meters)
        metadata.heading = place.toward.flatMap { Heading(degrees: azimuth + $0) }
      }
      return PlaceFit.Photo(metadata: metadata, label: label, group: index / 8)
    }
  }

  /// Image probabilities with odds of 3 to 2 for the right building.
  private static func heldOut(_ photos: [PlaceFit.Photo]) -> [PlaceFit.HeldOut] {
    photos.enumerated().filter { $1.label != 0 }.map { index, photo in
      let right = index % 5 < 3 ? photo.label : 3 - photo.label
      return PlaceFit.HeldOut(
        photo: index, probabilities: [0.1, right == 1 ? 0.54 : 0.36, right == 2 ? 0.54 : 0.36])
    }
  }

  private static func fit(
    _ photos: [PlaceFit.Photo], campus: Campus?, heldOut: [PlaceFit.HeldOut]? = nil
  ) -> PlaceModel? {
    PlaceFit(photos: photos, labels: labels, campus: campus)
      .model(heldOut: heldOut ?? Self.heldOut(photos))
  }

  @Test("Positions that separate buildings count with or without a map")
  func separatingPositions() throws {
    let photos = try Self.photos { label, _ in (label == 2 ? 150 : 0, 180) }
    for campus in [try Self.campus(), nil] {
      let model = try #require(Self.fit(photos, campus: campus))
      #expect(model.positionWeight >= 0.5)
      #expect(Set(model.viewpoints.keys) == ["chapel", "tower"])
      #expect(model.viewpoints["chapel"]?.count == 27)
      #expect(Self.fit(photos, campus: campus) == model)
    }
  }

  @Test("Only headings toward the buildings count")
  func headings() throws {
    let useful = try Self.photos { label, _ in (label == 2 ? 150 : 0, 180) }
    #expect(try #require(Self.fit(useful, campus: try Self.campus())).headingWeight > 0.3)
    let useless = try Self.photos { label, generator in
      (label == 2 ? 150 : 0, .random(in: 0..<360, using: &generator))
    }
    #expect(try #require(Self.fit(useless, campus: try Self.campus())).headingWeight < 0.3)
  }

  @Test("Random positions do not count")
  func randomPositions() throws {
    let photos = try Self.photos { _, generator in
      (.random(in: -200...400, using: &generator), nil)
    }
    let model = try #require(Self.fit(photos, campus: try Self.campus()))
    #expect(model.positionWeight <= 0.15)
  }

  @Test("The weight keeps names right for photos displaced by 50 m")
  func displaced() throws {
    let origin = try #require(Self.origin)
    // Classification by image is always right; the tower's photos were taken a few meters east of the chapel's.
    func weight(_ apart: Double) throws -> Double {
      let photos = (0..<80).map { index in
        var metadata = PhotoMetadata()
        let place = origin.destination(azimuth: 90, distance: index % 3 == 2 ? apart : 0)
        metadata.position = place.with(horizontalError: 5)
        return PlaceFit.Photo(metadata: metadata, label: index % 3, group: index / 8)
      }
      let heldOut = photos.indices.filter { photos[$0].label != 0 }.map { index in
        let isChapel = photos[index].label == 1
        return PlaceFit.HeldOut(
          photo: index, probabilities: [0.1, isChapel ? 0.5 : 0.4, isChapel ? 0.4 : 0.5])
      }
      return try #require(Self.fit(photos, campus: nil, heldOut: heldOut)).positionWeight
    }
    // In a calculation on a plane, the weight 1 is best for both, and with 0.15, all names are right at 75 m.
    #expect(try weight(75) < 0.3 && weight(120) > 0.9)
  }

  @Test("A photo is not scored with positions of its own session")
  func ownSession() throws {
    // The sessions are 5 km apart, and the tower's photos are 150 m away from the others.
    func photos(inSessionsOf size: Int) throws -> [PlaceFit.Photo] {
      let origin = try #require(Self.origin)
      return (0..<80).map { index in
        var metadata = PhotoMetadata()
        metadata.position = origin.destination(azimuth: 0, distance: 5000 * Double(index / 8))
          .destination(azimuth: 90, distance: index % 3 == 2 ? 150 : 0)
        return PlaceFit.Photo(metadata: metadata, label: index % 3, group: index / size)
      }
    }
    let honest = try #require(Self.fit(try photos(inSessionsOf: 8), campus: nil))
    let ungrouped = try #require(Self.fit(try photos(inSessionsOf: 1), campus: nil))
    #expect(honest.positionWeight < 0.3 && ungrouped.positionWeight > 0.7)
  }

  @Test("The field of view depends on the photo's own shape")
  func fieldOfView() {
    var metadata = PhotoMetadata()
    metadata.focalLength = 26
    let (level, upright) = (
      FieldOfView(focalLength: 26, width: 4, height: 3),
      FieldOfView(focalLength: 26, width: 3, height: 4)
    )
    for (size, view) in [((4000, 3000), level), ((3000, 4000), upright), (nil, upright)]
      as [((Int, Int)?, FieldOfView)]
    {
      let photo = PlaceFit.Photo(
        metadata: metadata, label: 1, group: 0, size: size.map { (width: $0.0, height: $0.1) })
      #expect(photo.view == view)
    }
    #expect(level.degrees > upright.degrees)
  }

  @Test("Without positions in photos or map nothing is learned")
  func nothing() throws {
    let photos = try Self.photos { _, _ in nil }
    #expect(Self.fit(photos, campus: nil) == nil)
    let mapped = try #require(Self.fit(photos, campus: try Self.campus()))
    #expect(mapped == PlaceModel())
    let elsewhere = PlaceFit(photos: photos, labels: Labels(["barn"]), campus: try Self.campus())
    #expect(elsewhere.model(heldOut: []) == nil)
  }

  @Test("Without held-out photos the weights have their defaults")
  func noHeldOut() throws {
    let photos = try Self.photos { label, _ in (label == 2 ? 150 : 0, nil) }
    let model = try #require(Self.fit(photos, campus: nil, heldOut: []))
    #expect(model.positionWeight == PlaceModel.usualWeight)
    #expect(model.headingWeight == PlaceModel.usualWeight)
    #expect(model.viewpoints["tower"]?.count == 26)
  }

  @Test("A large number of positions is thinned")
  func thinned() throws {
    let origin = try #require(Self.origin)
    let photos = (0..<1000).map { index in
      var metadata = PhotoMetadata()
      metadata.position = origin.destination(azimuth: 90, distance: Double(index))
      return PlaceFit.Photo(metadata: metadata, label: 1, group: index)
    }
    let kept = try #require(Self.fit(photos, campus: nil, heldOut: [])?.viewpoints["chapel"])
    #expect(kept.count == PlaceModel.mostViewpoints)
    #expect(kept.first == Viewpoint(try #require(photos[0].metadata.position)))
    #expect(kept.last == Viewpoint(try #require(photos[995].metadata.position)))
  }
}

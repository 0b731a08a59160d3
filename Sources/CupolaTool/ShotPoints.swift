import Cupola
import CupolaTraining

/// Places to take photos from, as GeoJSON.
struct ShotPoints: Encodable {
  struct Feature: Encodable {
    struct Geometry: Encodable {
      let type = "Point"
      let coordinates: [Double]
    }

    struct Properties: Encodable {
      let name: String
      let label: String
      let side: String
      let headingDegrees: Double

      private enum CodingKeys: String, CodingKey {
        case name, label, side
        case headingDegrees = "heading_deg"
      }
    }

    let type = "Feature"
    let geometry: Geometry
    let properties: Properties
  }

  let type = "FeatureCollection"
  let features: [Feature]

  init(_ coverage: [BuildingCoverage]) {
    features = coverage.flatMap { building in
      building.shots.map { shot in
        Feature(
          geometry: Feature.Geometry(
            coordinates: [shot.position.longitude, shot.position.latitude]),
          properties: Feature.Properties(
            name: "\(building.label) from \(shot.side)", label: building.label, side: shot.side,
            headingDegrees: shot.heading))
      }
    }
  }
}

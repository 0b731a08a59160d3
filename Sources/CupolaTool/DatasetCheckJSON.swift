import Cupola
import CupolaTraining

/// What a check found: schema `cupola.check/1`.
struct DatasetCheckJSON: Encodable {
  struct Finding: Encodable {
    struct Item: Encodable {
      let name: String
      let note: String?
    }

    let kind: String
    let severity: String
    let message: String
    let advice: String
    let items: [Item]
  }

  struct Coverage: Encodable {
    let label: String
    let sides: [String: Int]
    let distances: [String: Int]
    let times: [String: Int]
    let shots: [Shot]
  }

  struct Shot: Encodable {
    let side: String
    let position: Position
    let headingDegrees: Double

    private enum CodingKeys: String, CodingKey {
      case side, position
      case headingDegrees = "heading_deg"
    }
  }

  struct Validation: Encodable {
    let photos: Int
    let grouped: Double
    let random: Double
  }

  let schema = "cupola.check/1"
  let folder: String
  let photos: Int
  let usable: Int
  let labels: [String: Int]
  let findings: [Finding]
  let coverage: [Coverage]
  let quickCrossValidation: Validation?

  private enum CodingKeys: String, CodingKey {
    case schema, folder, photos, usable, labels, findings, coverage
    case quickCrossValidation = "quick_cross_validation"
  }

  init(_ check: DatasetCheck, _ path: String) {
    folder = path
    photos = check.photos
    usable = check.usable
    labels = check.labels
    findings = check.findings.map { finding in
      Finding(
        kind: finding.kind.rawValue, severity: finding.severity.rawValue,
        message: finding.message, advice: finding.advice,
        items: finding.items.map { Finding.Item(name: $0.name, note: $0.note) })
    }
    coverage = check.coverage.map { building in
      func named(_ counts: [Int], _ names: [String]) -> [String: Int] {
        Dictionary(uniqueKeysWithValues: zip(names, counts))
      }
      return Coverage(
        label: building.label, sides: named(building.sides, BuildingCoverage.sideNames),
        distances: named(building.distances, ["below_20_m", "20_to_60_m", "beyond_60_m"]),
        times: named(building.times, BuildingCoverage.timeNames),
        shots: building.shots.map {
          Shot(side: $0.side, position: $0.position, headingDegrees: $0.heading)
        })
    }
    quickCrossValidation = check.validation.map {
      Validation(photos: $0.photos, grouped: $0.grouped, random: $0.random)
    }
  }
}

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

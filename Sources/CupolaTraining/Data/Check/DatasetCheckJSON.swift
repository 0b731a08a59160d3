internal import Cupola

/// What a check found, as `cupola check --json` prints it and reports hold it: schema `cupola.check/1`.
public struct DatasetCheckJSON: Encodable, Sendable {
  /// Something that was found, see ``CheckFinding``.
  public struct Finding: Encodable, Sendable {
    struct Item: Encodable, Sendable {
      let name: String
      let note: String?
    }

    let kind: String
    /// `error`, `warning` or `advice`.
    public let severity: String
    /// What was found, with its number, in one line.
    public let message: String
    let advice: String
    let items: [Item]
  }

  struct Coverage: Encodable, Sendable {
    let label: String
    let sides: [String: Int]
    let distances: [String: Int]
    let times: [String: Int]
    let shots: [Shot]
  }

  struct Shot: Encodable, Sendable {
    let side: String
    let position: Position
    let headingDegrees: Double

    private enum CodingKeys: String, CodingKey {
      case side, position
      case headingDegrees = "heading_deg"
    }
  }

  struct Validation: Encodable, Sendable {
    let photos: Int
    let grouped: Double
    let random: Double
  }

  let schema = "cupola.check/1"
  let folder: String
  /// Photos found.
  public let photos: Int
  /// Photos that can be used.
  public let usable: Int
  let labels: [String: Int]
  /// The worst first.
  public let findings: [Finding]
  let coverage: [Coverage]
  let quickCrossValidation: Validation?

  private enum CodingKeys: String, CodingKey {
    case schema, folder, photos, usable, labels, findings, coverage
    case quickCrossValidation = "quick_cross_validation"
  }

  /// The names of distances, from near to far.
  static let distanceNames = ["below_20_m", "20_to_60_m", "beyond_60_m"]

  /// A check as JSON.
  ///
  /// - Parameters:
  ///   - folder: how the folder of photos is named.
  ///   - leftOut: kinds of findings that are no news to the reader.
  public init(
    _ check: DatasetCheck, folder: String, leavingOut leftOut: Set<CheckFinding.Kind> = []
  ) {
    self.folder = folder
    photos = check.photos
    usable = check.usable
    labels = check.labels
    findings = check.findings.filter { !leftOut.contains($0.kind) }.map { finding in
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
        distances: named(building.distances, Self.distanceNames),
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

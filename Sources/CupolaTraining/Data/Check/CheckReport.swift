/// What a check found, as `cupola check --json` prints it and reports hold it: schema `cupola.check/1`.
public struct CheckReport: Encodable, Sendable {
  /// What was found.
  package let check: DatasetCheck
  /// How the folder of photos is named.
  let folder: String
  /// The worst first.
  public let findings: [CheckFinding]

  /// A check to be shown.
  ///
  /// - Parameters:
  ///   - check: what was found.
  ///   - folder: how the folder of photos is named.
  ///   - leftOut: kinds of findings that are no news to the reader.
  public init(
    _ check: DatasetCheck, folder: String, leavingOut leftOut: Set<CheckFinding.Kind> = []
  ) {
    (self.check, self.folder) = (check, folder)
    findings = check.findings.filter { !leftOut.contains($0.kind) }
  }

  var json: JSONObject {
    [
      "schema": "cupola.check/1", "folder": folder, "photos": check.photos, "usable": check.usable,
      "labels": check.labels, "ignored": check.ignored.json,
      "findings": findings.map(Self.json),
      "coverage": check.coverage.map(Self.json),
      "quick_cross_validation": check.validation.map {
        ["photos": $0.photos, "grouped": $0.grouped, "random": $0.random] as JSONObject
      },
    ]
  }

  /// Writes all of it.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  private static func json(_ finding: CheckFinding) -> JSONObject {
    Table([finding], CheckFinding.columns).json[0].adding([
      "items": Table(finding.items, CheckFinding.Item.columns).json
    ])
  }

  private static func json(_ building: BuildingCoverage) -> JSONObject {
    let counts = BuildingCoverage.groups.map { group in
      (group.key, Table([building], group.columns).json[0])
    }
    let shots = building.shots.map { shot -> JSONObject in
      ["side": shot.side, "heading_deg": shot.heading, "position": shot.position]
    }
    return JSONObject(counts).adding(["label": building.label, "shots": shots])
  }

  // MARK: - Tables

  /// A row for each photo, label or folder that a finding is about.
  static func findings(_ report: CheckReport?) -> Table {
    typealias Row = (finding: CheckFinding, item: CheckFinding.Item?)
    let rows = (report?.findings ?? []).flatMap { finding -> [Row] in
      finding.items.isEmpty ? [(finding, nil)] : finding.items.map { (finding, $0) }
    }
    let ofFindings: [Column<Row>] = CheckFinding.columns.map { $0.of { $0.finding } }
    let ofItems: [Column<Row>] = CheckFinding.Item.columns.map { $0.of { $0.item } }
    return Table(rows, Array(ofFindings.dropLast()) + ofItems + Array(ofFindings.suffix(1)))
  }

  /// Photos of each building by all that is counted of them.
  static func coverage(
    _ report: CheckReport?, _ groups: [BuildingCoverage.Group] = BuildingCoverage.groups
  ) -> Table {
    Table(report?.check.coverage ?? [], [BuildingCoverage.label] + groups.flatMap(\.columns))
  }

  /// What the photos tell of their places and times.
  var groups: [BuildingCoverage.Group] {
    BuildingCoverage.groups.filter { known($0) > 0 }
  }

  /// How many photos are counted by a group.
  func known(_ group: BuildingCoverage.Group) -> Int {
    check.coverage.reduce(0) { sum, building in
      group.columns.reduce(sum) { $0 + Int($1.value(building).number ?? 0) }
    }
  }

  /// Where to take photos next.
  static func shots(_ report: CheckReport?) -> Table {
    typealias Row = (label: String, shot: BuildingCoverage.Shot)
    let rows = (report?.check.coverage ?? []).flatMap { building in
      building.shots.map { shot -> Row in (building.label, shot) }
    }
    return Table(
      rows,
      [.text("label", "building", csv: "building") { $0.label }]
        + BuildingCoverage.Shot.columns.map { $0.of { $0.shot } })
  }
}

extension CheckFinding.Severity {
  /// What findings of this kind do, for people.
  var title: String {
    switch self {
    case .error: "training would fail, or figures be wrong"
    case .warning: "photos that are left out or do harm"
    case .advice: "what would make a better model"
    }
  }

  /// "errors", "warnings", "advice".
  var plural: String { self == .advice ? rawValue : rawValue + "s" }
}

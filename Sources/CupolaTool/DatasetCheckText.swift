import Cupola
import CupolaTraining

/// What a check found, as people read it in a terminal: the worst first.
struct DatasetCheckText {
  private let check: DatasetCheck
  private let path: String

  private static let shownItems = 3
  private static let shownShots = 5

  init(_ check: DatasetCheck, _ path: String) {
    self.check = check
    self.path = path
  }

  var text: String {
    ([headline] + CheckFinding.Severity.allCases.compactMap(findings)
      + [coverage, shots, validation].compactMap(\.self)).joined(separator: "\n\n")
  }

  private var headline: String {
    let counts = check.labels.values.sorted()
    let range =
      counts.first == counts.last
      ? "\(counts.first ?? 0)"
      : "\(counts.first ?? 0) to \(counts.last ?? 0)"
    let unusable = check.photos - check.usable
    var line = "\(VisibleText.line(path)): \(FigureText.count(check.photos, "photo"))"
    if unusable > 0 { line += ", \(unusable) of them not usable" }
    line += "; \(FigureText.count(check.labels.count, "label")) with \(range) each"
    return check.findings.isEmpty ? line + "; nothing found" : line
  }

  private func findings(_ severity: CheckFinding.Severity) -> String? {
    let findings = check.findings.filter { $0.severity == severity }
    guard !findings.isEmpty else { return nil }
    let title =
      switch severity {
      case .error: "ERRORS: training would fail, or figures be wrong"
      case .warning: "WARNINGS: photos that are left out or do harm"
      case .advice: "ADVICE"
      }
    return ([title] + findings.map(Self.text)).joined(separator: "\n")
  }

  private static func text(_ finding: CheckFinding) -> String {
    var lines = ["  \(VisibleText.line(finding.message))"]
    lines += finding.items.prefix(shownItems).map { item in
      "      " + VisibleText.line(item.name) + (item.note.map { ": " + VisibleText.line($0) } ?? "")
    }
    if finding.items.count > shownItems {
      lines.append("      and \(finding.items.count - shownItems) more (--json)")
    }
    return (lines + ["    -> \(finding.advice)"]).joined(separator: "\n")
  }

  private var coverage: String? {
    let columns = Self.columns.filter { column in
      check.coverage.contains { column.counts($0).contains { $0 > 0 } }
    }
    guard !columns.isEmpty else { return nil }
    let header = ["building"] + columns.flatMap(\.names)
    let rows = check.coverage.prefix(Self.shownRows).map { building in
      [VisibleText.line(building.label)]
        + columns.flatMap { $0.counts(building) }.map { $0 == 0 ? "." : "\($0)" }
    }
    let rest = check.coverage.count - rows.count
    return Self.title(of: columns, check) + "\n" + Format.table([header] + rows, indent: 0)
      + (rest > 0 ? "\nand \(rest) more buildings (--json)" : "")
  }

  /// What the table counts, and of how few photos that is known.
  private static func title(of columns: [Columns], _ check: DatasetCheck) -> String {
    let photos = check.labels.filter { !Labels.isBackground($0.key) }.values.reduce(0, +)
    let titles = columns.map { column in
      let known = check.coverage.flatMap(column.counts).reduce(0, +)
      return column.title + (known < photos ? " (known of \(known))" : "")
    }
    return "coverage: \(FigureText.count(photos, "photo")) of buildings by "
      + titles.joined(separator: ", ")
  }

  /// Columns that belong together: shown when anything is known of them.
  private struct Columns: Sendable {
    let title: String
    let names: [String]
    let counts: @Sendable (BuildingCoverage) -> [Int]
  }

  private static let shownRows = 20
  private static let columns = [
    Columns(title: "side of the building", names: BuildingCoverage.sideNames) { $0.sides },
    Columns(title: "distance", names: ["<20m", "20-60m", ">60m"]) { $0.distances },
    Columns(title: "time of day", names: ["6-11h", "11-15h", "15-19h", "night"]) { $0.times },
  ]

  /// Of the buildings with the fewest sides first.
  private var shots: String? {
    let wanting = check.coverage.filter { !$0.shots.isEmpty }.sorted {
      ($1.shots.count, $0.label) < ($0.shots.count, $1.label)
    }
    guard !wanting.isEmpty else { return nil }
    var lines = ["take next (--shots FILE.geojson for a map app)"]
    lines += wanting.prefix(Self.shownShots).map { building in
      "  \(VisibleText.line(building.label)): from "
        + building.shots.map(\.side).joined(separator: ", ")
    }
    if wanting.count > Self.shownShots {
      lines.append("  and \(wanting.count - Self.shownShots) more buildings")
    }
    return lines.joined(separator: "\n")
  }

  private var validation: String? {
    guard let validation = check.validation else { return nil }
    let difference = 100 * (validation.random - validation.grouped)
    let flattery =
      difference > 0
      ? "; dealt at random it would seem \(FigureText.percent(validation.random)), "
        + "\(Format.decimal(difference, digits: 1)) points too much" : ""
    return "quick cross-validation: \(FigureText.percent(validation.grouped)) of "
      + "\(FigureText.count(validation.photos, "photo")) named right by fits that had not seen their "
      + "session, viewpoint or copies" + flattery
  }
}

internal import Cupola

// 1. Encode the report as JSON (`json`).
// 2. Build the tables for reports and the terminal.
// 3. Format the report as text (`text`).

/// The findings of a check; the JSON schema of `cupola check --json` and reports is `cupola.check/1`.
public struct CheckReport: Encodable, Sendable {
  package let check: DatasetCheck
  let folder: String
  package let findings: [CheckFinding]
  /// Whether non-building photos are in another folder, which was not checked.
  let leavesOutNegatives: Bool

  package init(
    _ check: DatasetCheck, folder: String, leavingOut excluded: Set<CheckFinding.Kind> = []
  ) {
    (self.check, self.folder) = (check, folder)
    leavesOutNegatives = excluded.contains(.noBackground)
    findings = check.findings.filter { !excluded.contains($0.kind) }
  }

  var json: JSONObject {
    [
      "schema": "cupola.check/1", "folder": folder, "photos": check.photos, "usable": check.usable,
      "labels": check.labels, "ignored": check.ignored.json,
      "findings": findings.map(Self.json),
      "coverage": check.coverage.map(Self.json),
      "quick_cross_validation": check.validation.flatMap { validation in
        validation.accuracy.map {
          [
            "photos": $0.grouped.photos, "grouped": $0.grouped.accuracy,
            "random": $0.random.accuracy, "not_held_out": validation.notHeldOut,
          ] as JSONObject
        }
      },
    ]
  }

  /// Encodes the whole report.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  private static func json(_ finding: CheckFinding) -> JSONObject {
    let items = zip(Table(finding.items, CheckFinding.Item.columns).json, finding.items)
    return Table([finding], CheckFinding.columns).json[0].adding([
      "items": items.map { json, item in item.other.map { json.adding(["other": $0]) } ?? json }
    ])
  }

  private static func json(_ building: BuildingCoverage) -> JSONObject {
    let counts = BuildingCoverage.groups.map { group in
      (group.key, Table([building], group.columns).json[0])
    }
    let shots = building.shots.map { shot -> JSONObject in
      ["side": shot.side, "heading_deg": shot.heading, "position": shot.position]
    }
    let part: JSONObject = building.part.map { ["part": $0.rawValue] } ?? [:]
    return JSONObject(counts).adding(["label": building.label, "shots": shots]).adding(part)
  }

  static func findings(_ report: CheckReport?) -> Table {
    typealias Row = (finding: CheckFinding, item: CheckFinding.Item?)
    let rows = (report?.findings ?? []).flatMap { finding -> [Row] in
      finding.items.isEmpty ? [(finding, nil)] : finding.items.map { (finding, $0) }
    }
    let ofFindings: [Column<Row>] = CheckFinding.columns.map { $0.of { $0.finding } }
    let ofItems: [Column<Row>] = CheckFinding.Item.columns.map { $0.of { $0.item } }
    return Table(rows, Array(ofFindings.dropLast()) + ofItems + Array(ofFindings.suffix(1)))
  }

  static func coverage(
    _ report: CheckReport?, _ groups: [BuildingCoverage.Group] = BuildingCoverage.groups
  ) -> Table {
    let rows = report?.check.coverage ?? []
    let parts = rows.contains { $0.part != nil } ? [BuildingCoverage.part] : []
    return Table(rows, [BuildingCoverage.label] + parts + groups.flatMap(\.columns))
  }

  var groups: [BuildingCoverage.Group] {
    BuildingCoverage.groups.filter { known($0) > 0 }
  }

  func known(_ group: BuildingCoverage.Group) -> Int {
    check.coverage.reduce(0) { sum, building in
      group.columns.reduce(sum) { $0 + Int($1.value(building).number ?? 0) }
    }
  }

  static func shots(_ report: CheckReport?) -> Table {
    typealias Row = (label: String, shot: BuildingCoverage.SuggestedPhoto)
    let rows = (report?.check.coverage ?? []).flatMap { building in
      building.shots.map { shot -> Row in (building.label, shot) }
    }
    return Table(
      rows,
      [.text("label", "building", csv: "building") { $0.label }]
        + BuildingCoverage.SuggestedPhoto.columns.map { $0.of { $0.shot } })
  }
}

extension CheckFinding.Severity {
  var title: String {
    switch self {
    case .error: "training would fail, or its accuracy figures would be wrong"
    case .warning: "problems that lower the accuracy"
    case .advice: "possible improvements"
    }
  }

  var plural: String { self == .advice ? rawValue : rawValue + "s" }
}

extension CheckReport {
  private static let shownItems = 3
  private static let shownShots = 5
  private static let shownBuildings = 20

  package var text: String { text(width: .max) }

  /// The text, with tables wrapped into blocks of at most `width` columns.
  ///
  /// - Parameters:
  ///   - width: The width of the terminal in columns.
  ///   - file: The file with the suggested photos; `nil` if it was not requested.
  package func text(width: Int, shotsIn file: String? = nil) -> String {
    let groups = CheckFinding.Severity.allCases.compactMap(findings)
    // Training uses only a part of divided photos, so its figures would differ.
    let estimate = check.set.areBuildingsDivided ? nil : check.validation?.text
    let rest = [coverage(width: width), shots(in: file), estimate]
    return ([headline] + groups + rest.compactMap(\.self)).joined(separator: "\n\n")
  }

  var summary: String {
    let end = findings.isEmpty ? "; no findings" : "; run cupola check for details"
    let lines = findings.map { finding in
      (finding.severity.rawValue, VisibleText.line(finding.message))
    }
    let first = "photos: \(check.usable) of \(check.photos) usable" + end
    return first + lines.map { "\n  " + TextColumns.facts([$0], width: 9) }.joined()
  }

  private var headline: String {
    let counts = check.buildings.values.sorted()
    let others = check.usable - check.ofUnknown - counts.reduce(0, +)
    let range =
      counts.first == counts.last
      ? "\(counts.first ?? 0)" : "\(counts.first ?? 0) to \(counts.last ?? 0)"
    let unusable = check.photos - check.usable
    var line =
      "\(VisibleText.line(folder)): \(FigureText.count(counts.reduce(0, +), "photo")) of "
      + FigureText.count(counts.count, "building")
    if counts.count > 1 { line += " (\(range) each)" }
    if check.ofUnknown > 0 {
      line += ", \(FigureText.count(check.ofUnknown, "photo")) of unknown buildings"
    }
    if others > 0 {
      let nearby = check.labels[Labels.otherBuildings] ?? 0
      line += ", " + Labels.backgroundText(others, nearby: nearby)
    }
    if unusable > 0 { line += "; \(FigureText.count(unusable, "unusable file"))" }
    if findings.isEmpty { line += "; no findings" }
    return check.ignored.text.isEmpty ? line : line + "\nignored: \(check.ignored.text)"
  }

  private func findings(_ severity: CheckFinding.Severity) -> String? {
    let findings = findings.filter { $0.severity == severity }
    guard !findings.isEmpty else { return nil }
    let title = "\(severity.plural.uppercased()): \(severity.title)"
    return ([title] + findings.map(Self.text)).joined(separator: "\n")
  }

  private static func text(_ finding: CheckFinding) -> String {
    var lines = ["  \(VisibleText.line(finding.message))"]
    // Instead of a line that says how many more there are, show up to two more items.
    let shown = finding.items.count > shownItems + 2 ? shownItems : finding.items.count
    lines += finding.items.prefix(shown).map { item in
      "      " + VisibleText.line(item.name) + (item.note.map { ": " + VisibleText.line($0) } ?? "")
    }
    if finding.items.count > shown {
      lines.append("      and \(finding.items.count - shown) more (--json)")
    }
    return (lines + ["    -> \(finding.advice)"]).joined(separator: "\n")
  }

  private func coverage(width: Int) -> String? {
    guard !groups.isEmpty else { return nil }
    let photos = check.ofBuildings
    let titles = groups.map { group in
      let notes = [
        source(of: group), known(group) < photos ? "known for \(known(group))" : nil,
      ].compactMap(\.self)
      return group.title + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }
    let labels = Set(check.coverage.map(\.label)).sorted()
    let rest = labels.count - Self.shownBuildings
    let rows = check.coverage.count { labels.prefix(Self.shownBuildings).contains($0.label) }
    return "coverage: \(FigureText.count(photos, "building photo")) by "
      + titles.joined(separator: ", ") + "\n"
      + Self.coverage(self, groups).prefix(rows).text(width: width, zero: ".")
      + (rest > 0 ? "\nand \(FigureText.count(rest, "more building")) (--json)" : "")
  }

  /// The property of the photos from which a group is computed; `nil` if its title says so.
  func source(of group: BuildingCoverage.Group) -> String? {
    guard group.isOfSides else { return nil }
    return check.campus == nil
      ? "from the photos' compass headings" : "from the photos' positions or compass headings"
  }

  private func shots(in file: String?) -> String? {
    let wanting = check.coverage.filter { !$0.shots.isEmpty }.sorted {
      ($1.shots.count, $0.label) < ($0.shots.count, $1.label)
    }
    guard !wanting.isEmpty else { return nil }
    var lines = [
      "suggested photos ("
        + (file.map { "also in \(VisibleText.line($0)), for a map app" }
          ?? "--shots FILE.geojson for a map app") + ")"
    ]
    lines += wanting.prefix(Self.shownShots).map { building in
      "  \(VisibleText.line(building.label)): from "
        + building.shots.map(\.side).joined(separator: ", ")
    }
    if wanting.count > Self.shownShots {
      lines.append("  and " + FigureText.count(wanting.count - Self.shownShots, "more building"))
    }
    return lines.joined(separator: "\n")
  }
}

extension QuickCrossValidation {
  /// Why photos are not tested; empty if only a sample was tested, or if all photos of untested buildings are listed.
  private func untested(_ accuracy: Accuracy) -> String {
    guard notHeldOut.isEmpty, TrainingScale(photos: photos) == .full,
      accuracy.grouped.photos < photos
    else { return "" }
    return " (without the session of the others, too few photos of their building would be left)"
  }

  /// Advice is shown if random accuracy exceeds grouped accuracy by more than this value.
  private static let notableBias = 0.2

  /// The rounded accuracy, or why it is unknown; the figures are in the JSON.
  var text: String {
    let labels = Set(linked.map(\.label))
    let scarce = notHeldOut.filter { !labels.contains($0) }
    let names = VisibleText.line(FigureText.list(scarce))
    let joined = VisibleText.line("\(linked.text); \(linked.advice)")
    guard let accuracy else {
      return
        "quick estimate: not possible, because \(PhotoAmount.fewHeldOut(of: buildings)) photos from two sessions"
        + (linked.isEmpty ? "" : "\n    -> \(joined)")
        + (scarce.isEmpty
          ? "" : "\n    -> take photos on another day, also from other positions: \(names)")
        + "; otherwise, training cannot calibrate probabilities"
    }
    let share = accuracy.grouped.accuracy ?? 0
    let percent = FigureText.decimal(100 * share, digits: 0)
    var lines = [
      "quick estimate: first guesses are right for about \(percent)% of "
        + "\(FigureText.count(accuracy.grouped.photos, "photo")), each tested by a small model that was trained without "
        + "its session\(untested(accuracy)); cupola evaluate measures which names visitors get"
    ]
    if (accuracy.random.accuracy ?? 0) - share > Self.notableBias {
      lines.append(
        "    -> take photos on more days, in different lighting and from different sides")
    }
    if !linked.isEmpty { lines.append("    -> not included: \(joined)") }
    if !scarce.isEmpty {
      lines.append(
        "    -> not included, because there are too few photos or sessions: \(names); take photos on another day, also "
          + "from other positions")
    }
    return lines.joined(separator: "\n")
  }
}

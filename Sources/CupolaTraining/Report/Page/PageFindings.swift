// The findings about the photos.
// 1. List the findings by severity, with small images of the photos concerned.
// 2. Count the photos by side, distance and time of day. 3. List positions from which to take photos.

struct PageFindings {
  private let report: EvaluationReport
  private let pictures: ReportPictures

  private static let mostPictures = 12
  private static let mostPicturesOfAll = 60
  /// The maximum number of items to list; `report.json` and `findings.csv` contain all.
  private static let mostItems = 50
  private static let mostShots = 200
  private static let mostOpenShots = 10

  init(_ report: EvaluationReport, _ pictures: ReportPictures) {
    (self.report, self.pictures) = (report, pictures)
  }

  var section: ReportPage.View? {
    get async {
      guard let check = report.check else { return nil }
      return section(of: check, await embedded(check))
    }
  }

  private func section(
    of report: CheckReport, _ embedded: [String: ReportPictures.Embedded]
  ) -> ReportPage.View {
    let names = self.report.names
    let groups = report.groups
    let starts = groups.flatMap { group in group.columns.indices.map { $0 == 0 } }
    let shots = CheckReport.shots(report)
    let more =
      shots.rows.count > Self.mostShots ? " (first \(Self.mostShots); shots.csv has all)" : ""
    let table = shots.prefix(Self.mostShots).view(
      "Places from which to photograph accessible sides that have no photos" + more, names: names)
    let count = shots.rows.count
    let summary = "\(FigureText.count(count, "place")) to take photos from"
    return ReportPage.section(
      "photos", name: "Photos", heading: "The photos", intro: Self.text(of: report),
      tables: (1...Self.mostOpenShots).contains(count) ? [table] : [],
      numbers: count > Self.mostOpenShots ? [ReportPage.closed(summary, table)] : [],
      [
        "hasPhotos": true, "hasShots": count > 0, "hasCoverage": !groups.isEmpty,
        "findingGroups": CheckFinding.Severity.allCases.compactMap {
          group($0, report, embedded)
        },
        "coverageGroups": groups.map { group in
          [
            "name": group.title + (report.source(of: group).map { " (\($0))" } ?? ""),
            "span": "\(group.columns.count)",
          ]
        },
        "coverageColumns": zip(groups.flatMap(\.columns), starts).map {
          ["name": $0.heading.title, "isFirst": $1] as ReportPage.View
        },
        "coverage": report.check.coverage.map { building in
          [
            "name": names[building.label] + (building.part.map { " (\($0.rawValue))" } ?? ""),
            "label": building.label,
            "cells": zip(groups.flatMap(\.columns), starts).map { column, isFirst in
              let count = column.value(building)
              return [
                "count": count.text, "isGap": count.number == 0 && building.part != .test,
                "isFirst": isFirst,
              ] as ReportPage.View
            },
          ] as ReportPage.View
        },
      ])
  }

  private static func text(of report: CheckReport) -> String {
    var text =
      "What cupola check finds in \(FigureText.count(report.check.photos, "photo")) for training and testing."
    if report.findings.isEmpty { text += " The check found no problems." }
    if report.leavesOutNegatives {
      text +=
        " The photos of --negatives are not among them; cupola check --negatives includes them."
    }
    return text
  }

  private func group(
    _ severity: CheckFinding.Severity, _ report: CheckReport,
    _ embedded: [String: ReportPictures.Embedded]
  ) -> ReportPage.View? {
    let findings = report.findings.filter { $0.severity == severity }
    guard !findings.isEmpty else { return nil }
    return [
      "severity": severity.rawValue, "severityName": severity.plural,
      "severityTitle": severity.title,
      "findings": findings.map { view(of: $0, embedded) },
    ]
  }

  private func view(
    of finding: CheckFinding, _ embedded: [String: ReportPictures.Embedded]
  ) -> ReportPage.View {
    let rest = finding.items.count - Self.mostItems
    let looked = Self.looked(at: finding)
    return [
      "message": finding.message, "advice": finding.advice, "hasItems": !finding.items.isEmpty,
      "hasPictures": !looked.isEmpty,
      "pictures": looked.map { name, note -> ReportPage.View in
        let view = embedded[name]?.view(alt: "Photo \(name)") ?? [:]
        return view.merging(["file": name, "said": note]) { $1 }
      },
      "items": finding.items.prefix(Self.mostItems).map { item in
        let label = report.names.label(besideNameOf: item.name).map { " (\($0))" } ?? ""
        return [
          "name": report.names[item.name],
          "itemNote": label + (item.note.map { ": " + $0 } ?? ""),
        ]
      },
      "itemsRest": rest > 0 ? "and \(rest) more, listed in findings.csv" : "",
    ]
  }

  // MARK: - Pictures

  private static func looked(at finding: CheckFinding) -> [(name: String, note: String)] {
    guard finding.kind.isForEyes else { return [] }
    let items = finding.items.prefix(
      finding.items.contains { $0.other != nil } ? mostPictures / 2 : mostPictures)
    return items.flatMap { item -> [(name: String, note: String)] in
      [(item.name, item.note ?? "")] + (item.other.map { [($0, "")] } ?? [])
    }
  }

  private func embedded(_ report: CheckReport) async -> [String: ReportPictures.Embedded] {
    var names: [String] = []
    for name in report.findings.flatMap({ Self.looked(at: $0).map(\.name) })
    where !names.contains(name) && names.count < Self.mostPicturesOfAll {
      names.append(name)
    }
    let wanted = Set(names)
    let photos = report.check.set.photos.filter { wanted.contains($0.name) }
    let embedded = await pictures.embedded(photos, size: .small)
    return Dictionary(
      zip(photos, embedded).compactMap { photo, picture in picture.map { (photo.name, $0) } }
    ) { first, _ in first }
  }
}

extension CheckFinding.Kind {
  fileprivate var isForEyes: Bool {
    switch self {
    case .acrossLabels, .acrossParts, .alikeAcrossParts, .suspectLabel, .equalPhotos, .copies,
      .blurred, .tooDark, .tooBright, .tooSmall, .offCampus, .farFromBuilding, .truncated, .damaged:
      true
    default: false
    }
  }
}

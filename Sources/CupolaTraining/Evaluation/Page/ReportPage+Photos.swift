internal import Cupola

extension ReportPage {
  /// Longer lists go on in `report.json` and `findings.csv`.
  private static var mostItems: Int { 50 }
  private static var mostShots: Int { 200 }
  /// Longer tables are closed at first.
  private static var mostOpenShots: Int { 10 }

  /// What a check found of the photos themselves.
  var photos: View? {
    guard let report = report.check else { return nil }
    let groups = report.groups
    let starts = groups.flatMap { group in group.columns.indices.map { $0 == 0 } }
    let shots = CheckReport.shots(report)
    let more =
      shots.rows.count > Self.mostShots ? ", the first \(Self.mostShots); all are in shots.csv" : ""
    let table = shots.prefix(Self.mostShots).view(
      "One place for each side that has no photos and can be reached" + more)
    let count = shots.rows.count
    let summary = "\(FigureText.count(count, "place")) to take photos from"
    return Self.section(
      "photos", name: "Photos", heading: "The photos", intro: Self.text(of: report),
      tables: (1...Self.mostOpenShots).contains(count) ? [table] : [],
      numbers: count > Self.mostOpenShots ? [Self.closed(summary, table)] : [],
      [
        "hasPhotos": true, "hasShots": count > 0, "hasCoverage": !groups.isEmpty,
        "findingGroups": CheckFinding.Severity.allCases.compactMap { Self.group($0, report) },
        "coverageGroups": groups.map { ["name": $0.title, "span": "\($0.columns.count)"] },
        "coverageColumns": zip(groups.flatMap(\.columns), starts).map {
          ["name": $0.title, "isFirst": $1] as View
        },
        "coverage": CheckReport.coverage(report, groups).rows.map { row in
          [
            "label": row[0].text,
            "cells": zip(row.dropFirst(), starts).map {
              ["count": $0.text, "isGap": $0.number == 0, "isFirst": $1] as View
            },
          ] as View
        },
      ])
  }

  private static func text(of report: CheckReport) -> String {
    let check = report.check
    var text =
      "All \(FigureText.count(check.photos, "photo")) of the folder, also those that train: "
      + "\(check.usable) can be used, of \(FigureText.count(check.labels.count, "label"))."
    if report.findings.isEmpty { text += " Nothing was found to be wrong with them." }
    guard let validation = check.validation else { return text }
    text +=
      " A quick classifier that learns from some of them and is asked about the others names "
      + "\(FigureText.percent(validation.grouped)) of \(validation.photos) right when sessions and "
      + "copies are kept together, and \(FigureText.percent(validation.random)) when photos are "
      + "dealt at random."
    if validation.random > validation.grouped {
      text += " So much would a random split flatter a model."
    }
    return text
  }

  private static func group(_ severity: CheckFinding.Severity, _ report: CheckReport) -> View? {
    let findings = report.findings.filter { $0.severity == severity }
    guard !findings.isEmpty else { return nil }
    return [
      "severity": severity.rawValue, "severityName": severity.plural,
      "severityTitle": severity.title,
      "findings": findings.map { finding in
        let rest = finding.items.count - mostItems
        return [
          "message": finding.message, "advice": finding.advice, "hasItems": !finding.items.isEmpty,
          "items": finding.items.prefix(mostItems).map { item in
            ["name": item.name, "itemNote": item.note.map { ": " + $0 } ?? ""]
          },
          "itemsRest": rest > 0 ? "and \(rest) more, in findings.csv" : "",
        ] as View
      },
    ]
  }
}

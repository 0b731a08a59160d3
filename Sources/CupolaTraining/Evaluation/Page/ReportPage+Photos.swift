internal import Cupola

extension ReportPage {
  /// Longer lists go on in `report.json` and `findings.csv`.
  private static var mostItems: Int { 50 }
  private static var mostShots: Int { 200 }
  /// Longer tables are closed at first.
  private static var mostOpenShots: Int { 10 }

  /// What a check found of the photos themselves.
  var photos: View {
    guard let check = report.check else { return [:] }
    let columns = Self.coverageColumns.filter { column in
      check.coverage.contains { column.counts($0).contains { $0 > 0 } }
    }
    var view: View = [
      "photosText": Self.text(of: check),
      "findingGroups": CheckFinding.Severity.allCases.compactMap { Self.group($0, check) },
      "hasCoverage": !columns.isEmpty,
      "coverageGroups": columns.map { ["name": $0.name, "span": "\($0.names.count)"] },
      "coverageColumns": columns.flatMap { column in
        column.names.enumerated().map { ["name": $1, "isFirst": $0 == 0] as View }
      },
      "coverage": check.coverage.map { building in
        [
          "label": building.label,
          "cells": columns.flatMap { column in
            column.counts(building).enumerated().map { index, count in
              ["count": "\(count)", "isGap": count == 0, "isFirst": index == 0] as View
            }
          },
        ] as View
      },
    ]
    view.merge(Self.shots(check)) { $1 }
    return view
  }

  private static func text(of check: DatasetCheckJSON) -> String {
    var text =
      "All \(FigureText.count(check.photos, "photo")) of the folder, also those that train: "
      + "\(check.usable) can be used, of \(FigureText.count(check.labels.count, "label"))."
    if check.findings.isEmpty { text += " Nothing was found to be wrong with them." }
    guard let validation = check.quickCrossValidation else { return text }
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

  private static func group(_ severity: CheckFinding.Severity, _ check: DatasetCheckJSON) -> View? {
    let findings = check.findings.filter { $0.severity == severity.rawValue }
    guard !findings.isEmpty else { return nil }
    let (name, title) =
      switch severity {
      case .error: ("errors", "Training fails, or figures are wrong")
      case .warning: ("warnings", "Photos that are left out or do harm")
      case .advice: ("advice", "What would make a better model")
      }
    return [
      "severity": severity.rawValue, "severityName": name, "severityTitle": title,
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

  private static func shots(_ check: DatasetCheckJSON) -> View {
    let shots = check.coverage.flatMap { building in building.shots.map { (building.label, $0) } }
    guard !shots.isEmpty else { return ["hasShots": false] }
    let more = shots.count > mostShots ? ", the first \(mostShots); all are in report.json" : ""
    return [
      "hasShots": true, "areManyShots": shots.count > mostOpenShots,
      "shotSummary": "\(FigureText.count(shots.count, "place")) to take photos from",
      "shotTable": table(
        "One place for each side that has no photos and can be reached" + more,
        ["building", "stand to its", "look towards", "latitude", "longitude"],
        shots.prefix(mostShots).map { label, shot in
          [
            label, shot.side, FigureText.decimal(shot.headingDegrees, digits: 0) + "°",
            FigureText.decimal(shot.position.latitude, digits: 5),
            FigureText.decimal(shot.position.longitude, digits: 5),
          ]
        }),
    ]
  }

  /// Columns that belong together: shown when anything is known of them.
  private struct CoverageColumns: Sendable {
    let name: String
    let names: [String]
    let counts: @Sendable (DatasetCheckJSON.Coverage) -> [Int]
  }

  private static var coverageColumns: [CoverageColumns] {
    [
      CoverageColumns(name: "from its", names: BuildingCoverage.sideNames) { building in
        BuildingCoverage.sideNames.map { building.sides[$0] ?? 0 }
      },
      CoverageColumns(name: "metres away", names: ["to 20", "to 60", "more"]) { building in
        DatasetCheckJSON.distanceNames.map { building.distances[$0] ?? 0 }
      },
      CoverageColumns(name: "o'clock", names: ["6 to 11", "to 15", "to 19", "night"]) { building in
        BuildingCoverage.timeNames.map { building.times[$0] ?? 0 }
      },
    ]
  }
}

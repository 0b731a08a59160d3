internal import Cupola

/// The tables of a report as comma-separated values (RFC 4180, UTF-8, with a header).
enum ReportTables {
  /// Each table by the name of its file.
  static func all(
    _ report: EvaluationReport, _ evaluation: Evaluation
  ) -> [(name: String, text: String)] {
    [
      ("confusion.csv", confusion(report)), ("per_label.csv", perLabel(report)),
      ("predictions.csv", predictions(report, evaluation)),
      ("reliability.csv", reliability(report)), ("risk_coverage.csv", riskCoverage(report)),
      ("roc.csv", roc(report)), ("slices.csv", slices(report)),
      ("learning_curve.csv", learningCurve(report)), ("findings.csv", findings(report)),
      ("coverage.csv", coverage(report)),
    ]
  }

  private static func confusion(_ report: EvaluationReport) -> String {
    text(
      ["label"] + report.labels,
      zip(report.labels, report.confusion).map { label, counts in
        [label] + counts.map { "\($0)" }
      })
  }

  private static func perLabel(_ report: EvaluationReport) -> String {
    text(
      ["label", "precision", "recall", "f1", "photos"],
      report.perLabel.map {
        [$0.label, number($0.precision), number($0.recall), number($0.f1), "\($0.support)"]
      })
  }

  private static func predictions(_ report: EvaluationReport, _ evaluation: Evaluation) -> String {
    let columns = Set(evaluation.all.flatMap { $0.photo.attributes.keys }).sorted()
    let header = [
      "photo", "digest", "label", "kind", "split", "session", "time", "width", "height",
      "distance_m", "verdict", "answer", "image_probability", "fused_answer", "fused_probability",
      "odds", "logit", "hog_answer",
    ]
    var rows: [[String]] = []
    Prediction.forEach(in: evaluation, baseline: report.baseline) { prediction in
      let fused = prediction.verdict == .notOnCampus ? nil : prediction.fused ?? prediction.image
      rows.append(
        [
          prediction.photo, prediction.digest, prediction.label, prediction.kind,
          prediction.split?.rawValue ?? "", prediction.session ?? "", prediction.time ?? "",
          "\(prediction.width)", "\(prediction.height)", number(prediction.distance),
          prediction.verdict.rawValue, prediction.answer ?? "", number(prediction.image.max()),
          prediction.fusedAnswer ?? "", number(fused?.max()), number(prediction.odds),
          number(prediction.logit), prediction.hogAnswer ?? "",
        ] + columns.map { prediction.attributes[$0] ?? "" })
    }
    // A column of the split that has the name of one above keeps its own, marked.
    return text(header + columns.map { header.contains($0) ? "split." + $0 : $0 }, rows)
  }

  private static func reliability(_ report: EvaluationReport) -> String {
    text(
      ["lower", "upper", "photos", "right", "mean_probability", "accuracy"],
      report.calibration.reliability.map {
        [
          number($0.lower), number($0.upper), "\($0.photos)", "\($0.right)",
          number($0.meanProbability), number($0.accuracy),
        ]
      })
  }

  private static func riskCoverage(_ report: EvaluationReport) -> String {
    text(
      ["threshold", "coverage", "risk"],
      report.riskCoverage.points.map {
        [number($0.threshold), number($0.coverage), number($0.risk)]
      })
  }

  private static func roc(_ report: EvaluationReport) -> String {
    func rows(_ against: String, _ points: [EvaluationReport.ROCPoint]) -> [[String]] {
      points.map { [against, number($0.threshold), number($0.tpr), number($0.fpr)] }
    }
    return text(
      ["against", "threshold", "tpr", "fpr"],
      rows("background", report.rejection.roc)
        + rows("unknown_building", report.rejection.unknownBuildingsROC))
  }

  private static func slices(_ report: EvaluationReport) -> String {
    text(
      ["by", "value", "photos", "right", "accuracy", "lower", "upper", "right_fused"],
      report.slices.map {
        [
          $0.by, $0.value, "\($0.photos)", "\($0.right)", number($0.accuracy),
          number($0.interval[0]), number($0.interval[1]), "\($0.rightFused)",
        ]
      })
  }

  private static func learningCurve(_ report: EvaluationReport) -> String {
    text(
      ["photos_per_building", "photos", "right", "accuracy", "lower", "upper"],
      (report.learningCurve ?? []).map {
        [
          "\($0.photosPerBuilding)", "\($0.photos)", "\($0.right)", number($0.accuracy),
          number($0.interval[0]), number($0.interval[1]),
        ]
      })
  }

  /// A line for each photo, label or folder that a finding is about.
  private static func findings(_ report: EvaluationReport) -> String {
    text(
      ["severity", "kind", "finding", "item", "note"],
      (report.check?.findings ?? []).flatMap { finding in
        let line = [finding.severity, finding.kind, finding.message]
        let items = finding.items.map { line + [$0.name, $0.note ?? ""] }
        return items.isEmpty ? [line + ["", ""]] : items
      })
  }

  private static func coverage(_ report: EvaluationReport) -> String {
    let (sides, distances) = (BuildingCoverage.sideNames, DatasetCheckJSON.distanceNames)
    let times = BuildingCoverage.timeNames
    return text(
      ["building"] + sides + distances + times,
      (report.check?.coverage ?? []).map { building in
        let counts =
          sides.map { building.sides[$0] } + distances.map { building.distances[$0] }
          + times.map { building.times[$0] }
        return [building.label] + counts.map { "\($0 ?? 0)" }
      })
  }

  private static func number(_ value: Double?) -> String { value.map { "\($0)" } ?? "" }

  static func text(_ header: [String], _ rows: [[String]]) -> String {
    ([header] + rows).map { row in row.map(quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  private static func quoted(_ field: String) -> String {
    let special = field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    guard special || field.first == " " || field.last == " " else { return field }
    var text = "\""
    for scalar in field.unicodeScalars {
      if scalar == "\"" { text.unicodeScalars.append("\"") }
      text.unicodeScalars.append(scalar)
    }
    return text + "\""
  }
}

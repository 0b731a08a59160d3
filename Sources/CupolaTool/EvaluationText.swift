import Cupola
import CupolaTraining

/// An evaluation as people read it in a terminal.
struct EvaluationText {
  private let evaluation: Evaluation
  private let report: EvaluationReport
  private let width: Int

  init(_ evaluation: Evaluation, _ report: EvaluationReport, width: Int) {
    self.evaluation = evaluation
    self.report = report
    self.width = width
  }

  var text: String {
    var sections = [headline]
    if let comparison = report.comparison { sections.append(Self.text(of: comparison)) }
    if !evaluation.known.isEmpty {
      sections.append(perLabel)
      if !evaluation.confusion.confusedPairs.isEmpty { sections.append(confusedPairs) }
      sections.append("confusion (rows: truth, columns: answer)\n" + confusion)
    }
    if let check = report.check { sections.append(Self.text(of: check)) }
    return sections.joined(separator: "\n\n")
  }

  private var headline: String {
    let interval = evaluation.top1Interval
    let background = evaluation.backgroundRejection
    let figures = evaluation.calibration
    func verdicts(_ answers: [Evaluation.Answer]) -> String {
      let counts = evaluation.verdicts(answers)
      return "\(counts.right) right, \(counts.wrong) wrong, \(counts.unsure) unsure, "
        + "\(counts.notACampusBuilding) "
        + "\"Not a Campus Building\", \(counts.notOnCampus) \"Not on Campus\""
    }
    var rows = [
      ["photos of known buildings", "\(evaluation.known.count)"],
      [
        "top-1",
        "\(Format.percent(evaluation.top1)) "
          + "(95 % interval \(Format.percent(interval.lower)) to \(Format.percent(interval.upper)))",
      ],
      ["top-3", Format.percent(evaluation.top3)],
      ["macro F1", Format.percent(evaluation.confusion.macroF1)],
      ["calibration error (ECE)", figures.ece.map { Format.decimal($0, digits: 3) } ?? "-"],
      ["answers", verdicts(evaluation.known)],
    ]
    if let baseline = report.baseline {
      rows.insert(["top-1 of hog features", Format.percent(baseline.top1)], at: 2)
    }
    if evaluation.top1WithPlace != evaluation.top1 {
      rows.insert(["top-1 with place", Format.percent(evaluation.top1WithPlace)], at: 2)
    }
    if !evaluation.background.isEmpty {
      rows.append(["photos of no buildings", "\(evaluation.background.count)"])
      rows.append(["answers", verdicts(evaluation.background)])
      rows.append(["AUROC", background.area.map { Format.decimal($0, digits: 3) } ?? "-"])
    }
    if !evaluation.unknown.isEmpty {
      rows.append(["photos of unknown buildings", "\(evaluation.unknown.count)"])
      rows.append(["answers", verdicts(evaluation.unknown)])
      let area = evaluation.unknownRejection.area
      rows.append(["AUROC", area.map { Format.decimal($0, digits: 3) } ?? "-"])
    }
    return rows.map { row in
      row[0] + String(repeating: " ", count: 28 - row[0].count) + row[1]
    }.joined(separator: "\n")
  }

  private static func text(of comparison: ModelComparison) -> String {
    let test = comparison.mcnemar
    let other = comparison.other ?? "the other"
    let value = test.pValue < 0.0001 ? "below 0.0001" : Format.decimal(test.pValue, digits: 4)
    return """
      compared on \(Format.count(comparison.photos, "photo"))
        this model names \(comparison.right) right, \(other) \(comparison.otherRight)
        only this model \(test.onlyFirst), only the other \(test.onlySecond)
        McNemar's test: p \(value)
      """
  }

  /// What is wrong with the photos, a line each.
  private static func text(of check: DatasetCheckJSON) -> String {
    let end = check.findings.isEmpty ? "; nothing found" : "; cupola check tells more"
    let findings = check.findings.map { finding in
      "  " + finding.severity + String(repeating: " ", count: 9 - finding.severity.count)
        + VisibleText.line(finding.message)
    }
    return (["photos: \(check.usable) of \(check.photos) can be used" + end] + findings)
      .joined(separator: "\n")
  }

  private var perLabel: String {
    let header = ["label", "precision", "recall", "F1", "photos"]
    let rows = evaluation.confusion.perLabel.map { figures in
      [
        figures.label, Format.percent(figures.precision), Format.percent(figures.recall),
        Format.percent(figures.f1), "\(figures.support)",
      ]
    }
    return Format.table([header] + rows, indent: 0)
  }

  private static let shownPairs = 10
  private static let shownPhotos = 3

  private var confusedPairs: String {
    let labels = evaluation.confusion.labels
    let pairs = evaluation.confusion.confusedPairs
    var lines = ["most confused"]
    for pair in pairs.prefix(Self.shownPairs) {
      let photos = evaluation.photos(of: labels[pair.truth], takenFor: labels[pair.answer])
      let names = photos.prefix(Self.shownPhotos).joined(separator: ", ")
      let more = photos.count > Self.shownPhotos ? ", ..." : ""
      lines.append(
        "  \(labels[pair.truth]) taken for \(labels[pair.answer]): \(pair.count) (\(names)\(more))")
    }
    if pairs.count > Self.shownPairs {
      lines.append("  and \(pairs.count - Self.shownPairs) more pairs")
    }
    return lines.joined(separator: "\n")
  }

  /// Labels by number; in blocks of columns when the terminal is too narrow for all.
  private var confusion: String {
    let matrix = evaluation.confusion
    let count = matrix.labels.count
    let names = matrix.labels.enumerated().map { "\($0 + 1) \($1)" }
    let nameWidth = min(names.map(\.count).max() ?? 0, width / 2)
    let largest = matrix.counts.flatMap { $0 }.max() ?? 0
    let cell = max("\(largest)".count, "\(count)".count) + 1
    let perBlock = max(1, (width - nameWidth) / cell)
    let blocks = stride(from: 0, to: count, by: perBlock).map { start in
      let columns = start..<min(start + perBlock, count)
      func line(_ name: String, _ cells: [String]) -> String {
        let shown = String(name.prefix(nameWidth))
        let padding = String(repeating: " ", count: nameWidth - shown.count)
        return shown + padding
          + cells.map { String(repeating: " ", count: cell - $0.count) + $0 }.joined()
      }
      let header = line("", columns.map { "\($0 + 1)" })
      let rows = names.indices.map { row in
        line(names[row], columns.map { matrix.counts[row][$0] }.map { $0 == 0 ? "." : "\($0)" })
      }
      return ([header] + rows).joined(separator: "\n")
    }
    return blocks.joined(separator: "\n\n")
  }
}

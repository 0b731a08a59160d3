internal import Cupola
internal import CupolaCampus

// 1. In brief: the verdict, the answers to each kind of photo, the weakest building and the next step.
// 2. In full: all metrics by kind of photo, the comparisons, the model parts, the buildings and the confusions.

/// An evaluation as text for a terminal.
public struct EvaluationText: Sendable {
  private let report: EvaluationReport
  private let width: Int
  package var showsMatrix = false
  package var showsPlots = false
  /// Whether a page with the photos is written as well.
  package var hasPage = false
  private static let shownPairs = 10
  private static let shownPhotos = 3

  /// Creates the text form of a report.
  ///
  /// - Parameters:
  ///   - report: The report to print.
  ///   - width: The width of the terminal in columns.
  public init(_ report: EvaluationReport, width: Int) {
    self.report = report
    self.width = width
  }

  /// The text in about ten lines, and the sections that were requested: comparisons, leaks and the matrix.
  package var brief: String {
    var sections = [summary, TextColumns.facts(answers, width: 22)]
    sections += report.comparisons.map(Self.text)
    if showsMatrix, !report.evaluation.known.isEmpty { sections.append(matrix) }
    if let leaks = report.leaks {
      sections.append(leaks.text(asked: report.evaluation.photoCount))
    }
    return finished(sections)
  }

  /// The whole text.
  public var text: String {
    let evaluation = report.evaluation
    var sections = [summary, headline]
    sections += report.comparisons.map(Self.text)
    if !evaluation.known.isEmpty {
      if evaluation.parts.count > 1 {
        sections.append(
          "effect of each part of the model, with the AUROC of the answers\(report.partNote)\n"
            + report.partTable.filled.text(width: width))
      }
      if let visits = report.visits {
        sections.append(
          "estimate if some of the visitors' photos show unknown buildings\n  " + visits.sentence)
      }
      sections.append(buildings)
      if !evaluation.confusion.confusedPairs.isEmpty { sections.append(confusedPairs) }
      if showsMatrix { sections.append(matrix) }
    }
    if let splits = report.splits, !evaluation.known.areVisitsUnknown {
      sections.append("split by session compared with a random split\n  " + splits.sentence)
    }
    if let check = report.check { sections.append(check.summary) }
    if let leaks = report.leaks { sections.append(leaks.text(asked: evaluation.photoCount)) }
    return finished(sections)
  }

  private func finished(_ sections: [String]) -> String {
    let plots = showsPlots ? [TerminalPlots(report, width: width).text] : []
    return WrappedText.folded((sections + plots).joined(separator: "\n\n"), to: width)
  }

  private var summary: String {
    WrappedText.words(EvaluationSummary(report).sentence, to: width).joined(separator: "\n")
  }

  private static let unknownTest =
    "not tested; to test, add photos of a building that is not in the model as a folder, such as photos/chapel, run "
    + "cupola split with --unknown chapel, and cupola evaluate again (the model does not learn from them)"

  /// The answers that visitors get, by kind of photo.
  private var answers: [(String, String)] {
    let background = report.evaluation.background
    let step = report.card.flatMap { NextSteps(report, of: $0.recognizer.model).steps.first }
    let others = [
      ("unknown buildings", unknownBuildings),
      (
        "non-building photos",
        background.isEmpty
          ? "not tested; add a folder of them with --negatives"
          : text(of: .nonBuildings)
      ),
    ]
    let next = step.map { step in
      (
        "next step",
        step.text + (step.photos.isEmpty ? "" : " See \(FigureText.list(step.photos)).")
      )
    }
    return ofBuildings + others + [next].compactMap(\.self)
      + [
        (
          "more",
          "--verbose"
            + (hasPage ? " or --json" : ", --json, or --report FOLDER for a page with the photos")
        )
      ]
  }

  private var ofBuildings: [(String, String)] {
    let evaluation = report.evaluation
    var rows: [(String, String)] = []
    let buildings = evaluation.worstFirst
    if let weakest = buildings.first {
      let placed = evaluation.known.count(where: \.facts.isRejectedByPlace)
      let counts =
        evaluation.verdicts(evaluation.known).text
        + (placed > 0 ? " (\(placed) only because of the position)" : "")
      rows += [
        (
          "your buildings",
          FigureText.count(evaluation.known.count, "test photo") + " of "
            + "\(FigureText.count(buildings.count, "building")): \(counts)"
        )
      ]
      rows += positionLoss.map { [("position", $0)] } ?? []
      rows.append(
        (
          "weakest building",
          weakest.isPerfect
            ? "none; every test photo got the right name"
            : "\(report.names[weakest.label]): \(weakest.counts.text)" + withheld(weakest.label)
        ))
    }
    if !evaluation.untested.isEmpty {
      let names = evaluation.untested.prefix(Self.shownPhotos).map { report.names[$0] }
      let count = FigureText.count(evaluation.untested.count, "building")
      rows.append(
        (
          "not tested",
          "\(count) without test photos: " + names.joined(separator: ", ")
            + (evaluation.untested.count > names.count ? ", ..." : "")
        ))
    }
    return rows
  }

  /// The number of right names of a building that `--max-error` prevents, in brackets; empty if there are none.
  private func withheld(_ label: String) -> String {
    guard let model = report.card?.recognizer.model else { return "" }
    let point = report.evaluation.point
    let own = report.evaluation.known.filter { $0.photo.label == label }
    let count = NextSteps.lost(own, point, model).withheld
    return count == 0
      ? "" : " (without --max-error \(point.maximumError), \(count) more would be right)"
  }

  /// The right names that position and heading cost, and what to do; `nil` if the loss may be due to chance, or if
  /// they also prevent wrong names.
  private var positionLoss: String? {
    let parts = report.evaluation.parts
    let placed: Set<ModelPart> = [.place, .map]
    guard let pictured = parts.last(where: { !placed.contains($0.part) }),
      let both = parts.last(where: { placed.contains($0.part) }),
      both.known.namedRight < pictured.known.namedRight,
      both.wrongNames >= pictured.wrongNames,
      report.evaluation.changes(from: pictured.part, to: both.part).isClear
    else { return nil }
    let hasMap = report.card?.recognizer.model.campus != nil
    return "costs right names: \(both.known.namedRight) with \(report.evaluation.placeTitle), "
      + "\(pictured.known.namedRight) without; "
      + (hasMap ? "check map and positions with cupola check --campus" : "train with --campus")
  }

  private var unknownBuildings: String {
    let evaluation = report.evaluation
    guard evaluation.unknown.isEmpty else {
      return text(of: .unknownBuildings) + evaluation.unknownNote
    }
    return Self.unknownTest
  }

  private func text(of kind: KindAnswers.Kind) -> String {
    report.evaluation.byKind.first { $0.kind == kind }.map {
      let nearby = kind == .nonBuildings ? report.evaluation.ofOtherBuildings : ""
      return FigureText.count($0.counts.photos, "photo") + nearby + ": " + $0.text
    } ?? "not tested"
  }

  private var buildings: String {
    let tested = report.evaluation.confusion.perLabel.filter { $0.support > 0 }
    let table = Table(tested, ConfusionMatrix.LabelFigures.columns).filled
    let untested = report.evaluation.untested
    return table.naming(report.names).text(width: width)
      + (untested.isEmpty
        ? ""
        : "\nwithout test photos: "
          + untested.map { VisibleText.line(report.names[$0]) }.joined(separator: ", "))
  }

  private var matrix: String {
    "confusion (rows: truth, columns: first guess from the image alone)\n" + confusion
  }

  private var headline: String {
    let evaluation = report.evaluation
    var rows: [(String, String)] = []
    for (photos, kind) in [
      (Figure.Photos.known, KindAnswers.Kind.buildings), (.background, .nonBuildings),
      (.unknown, .unknownBuildings),
    ] {
      var figures = report.shown.filter {
        $0.photos == photos && report.figures[$0.name] != nil
      }.map(row)
      if figures.isEmpty { continue }
      if kind == .buildings, let baseline = report.baseline?.figures["top1"] {
        let place =
          2 + figures.count { ["sessions of these photos", "top-1 with position"].contains($0.0) }
        figures.insert(("top-1 of hog features", FigureText.percent(baseline)), at: place)
      }
      if let said = evaluation.byKind.first(where: { $0.kind == kind }) {
        let note = kind == .unknownBuildings ? evaluation.unknownNote : ""
        figures.insert(
          ("answers", said.text + note),
          at: kind == .buildings ? figures.count : 1)
      }
      rows += figures
    }
    return TextColumns.facts(rows, width: 28)
  }

  private func row(_ figure: Figure) -> (String, String) {
    let value = report.figures[figure].text
    guard let ends = report.figures.interval(figure.name) else { return (figure.shortTitle, value) }
    return (figure.shortTitle, value + FigureText.inBrackets(ends))
  }

  private static func text(of comparison: ModelComparison) -> String {
    let test = comparison.mcnemar
    return """
      compared on \(FigureText.count(comparison.photos, "photo"))
        this model named \(comparison.right) correctly, \(VisibleText.line(comparison.name)) \
      \(comparison.otherRight)
        right in only one of them: this model \(test.onlyFirst), the other \(test.onlySecond)
        permutation test by session: \(test.equation)
      """
  }

  private var confusedPairs: String {
    let labels = report.evaluation.confusion.labels
    let names = report.names
    let pairs = report.evaluation.confusion.confusedPairs
    var lines = [
      "most frequent confusions of first guesses from the image alone"
        + (showsMatrix ? "" : " (use --matrix for all)")
    ]
    for pair in pairs.prefix(Self.shownPairs) {
      let (truth, answer) = (labels[pair.truth], labels[pair.answer])
      let photos = report.evaluation.photos(of: truth, takenFor: answer)
      let shown = photos.prefix(Self.shownPhotos).joined(separator: ", ")
      let more = photos.count > Self.shownPhotos ? ", ..." : ""
      lines.append(
        VisibleText.line(
          "  \(names[truth]) mistaken for \(names[answer]): \(pair.count) (\(shown)\(more))"))
    }
    if pairs.count > Self.shownPairs {
      lines.append("  and " + FigureText.count(pairs.count - Self.shownPairs, "more pair"))
    }
    return lines.joined(separator: "\n")
  }

  /// The confusion matrix with numbered labels; if the terminal is narrow, it is divided into blocks of columns.
  private var confusion: String {
    let matrix = report.evaluation.confusion
    let count = matrix.labels.count
    let called = report.names
    let names = matrix.labels.enumerated().map { "\($0 + 1) \(VisibleText.line(called[$1]))" }
    let nameWidth = min(names.map { WrappedText.width($0) }.max() ?? 0, width / 2)
    let largest = matrix.pairs.map(\.count).max() ?? 0
    let cell = max("\(largest)".count, "\(count)".count) + 1
    let perBlock = max(1, (width - nameWidth) / cell)
    let blocks = stride(from: 0, to: count, by: perBlock).map { start in
      let columns = start..<min(start + perBlock, count)
      func line(_ name: String, _ cells: [String]) -> String {
        let shown = WrappedText.beginning(of: name, columns: nameWidth)
        let padding = String(repeating: " ", count: nameWidth - WrappedText.width(shown))
        return shown + padding
          + cells.map { String(repeating: " ", count: cell - $0.count) + $0 }.joined()
      }
      let header = line("", columns.map { "\($0 + 1)" })
      let rows = names.indices.map { row in
        line(names[row], columns.map { matrix[row, $0] }.map { $0 == 0 ? "." : "\($0)" })
      }
      return ([header] + rows).joined(separator: "\n")
    }
    return blocks.joined(separator: "\n\n")
  }
}

package enum TextColumns {
  /// Left-aligns the first column and right-aligns the others, without trailing spaces.
  ///
  /// - Parameter width: The width in columns; the remaining columns continue in blocks below, which repeat the first
  ///   column.
  package static func aligned(
    _ rows: [[String]], indent: Int = 2, width: Int = .max
  ) -> String {
    let rows = rows.map { $0.map(VisibleText.line) }
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? WrappedText.width($0[column]) : 0 }.max() ?? 0
    }
    return blocks(of: widths, indent: indent, width: width).map { block in
      rows.map { row in
        let cells = block.filter { $0 < row.count }.map { column in
          let missing = widths[column] - WrappedText.width(row[column])
          let blanks = String(repeating: " ", count: missing)
          return column == 0 ? row[column] + blanks : blanks + row[column]
        }
        let line = String(repeating: " ", count: indent) + cells.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
      }.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private static func blocks(of widths: [Int], indent: Int, width: Int) -> [[Int]] {
    guard let first = widths.first else { return [] }
    var blocks = [[0]]
    var used = indent + first
    for column in widths.indices.dropFirst() {
      let added = 2 + widths[column]
      if used > width - added, blocks[blocks.count - 1].count > 1 {
        blocks.append([0])
        used = indent + first
      }
      blocks[blocks.count - 1].append(column)
      used += added
    }
    return blocks
  }

  package static func facts(_ rows: [(String, String)], width: Int) -> String {
    rows.map { name, value in
      let name = VisibleText.line(name)
      let blanks = String(repeating: " ", count: max(1, width - WrappedText.width(name)))
      return name + blanks + VisibleText.line(value)
    }.joined(separator: "\n")
  }
}

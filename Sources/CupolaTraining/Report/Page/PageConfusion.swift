internal import Cupola

// 1. The labels to show are chosen: all, or those that were confused most.
// 2. Each row lists its counts with a color by their share.
// 3. The photos of each cell are sorted, the surest mistakes first.
// 4. Pictures are embedded until their budget is used; other photos are listed by name.

struct PageConfusion {
  private let evaluation: Evaluation
  private let names: BuildingNames
  private let pictures: ReportPictures

  /// A larger matrix shows only labels that were confused, at most so many.
  private static let mostLabels = 60
  /// Where none was, so many of it.
  private static let sampleLabels = 12
  /// A larger matrix has narrower cells, where there is a mouse to hit them with.
  private static let mostWideLabels = 28
  /// Pictures of all cells together: with the size of each, what keeps the page below 5 MB.
  private static let mostPictures = 360
  private static let mostPictureBytes = 3_400_000
  private static let mostNames = 40

  init(_ report: EvaluationReport, _ pictures: ReportPictures) {
    evaluation = report.evaluation
    names = report.names
    self.pictures = pictures
  }

  private struct Cell: Hashable {
    let truth: Int
    let answer: Int
    var name: String { "cell-\(truth + 1)-\(answer + 1)" }
  }

  var section: ReportPage.View? {
    get async {
      let matrix = evaluation.confusion
      guard matrix.total > 0 else { return nil }
      let shown = shownLabels
      let members = members
      let sources = await sources(members)
      let columns: [ReportPage.View] = shown.map {
        ["number": "\($0 + 1)", "name": names[matrix.labels[$0]]]
      }
      let cells = shown.flatMap { truth in shown.map { Cell(truth: truth, answer: $0) } }
      return ReportPage.section(
        "confusion", name: "Confusion", heading: "Confusion matrix",
        intro:
          "Rows are what photos show, columns what the picture alone was taken for. Open a cell "
          + "to see the photos behind it. " + note(shown: shown.count),
        [
          "hasConfusion": true, "columns": columns, "isDense": shown.count > Self.mostWideLabels,
          "rows": shown.map { row($0, shown) },
          "ramp": (0..<ColorRamp.steps).map { ["step": "\($0)"] },
          "panels": cells.compactMap { cell in members[cell].map { panel(cell, $0, sources) } },
        ])
    }
  }

  /// All labels in order, or of too many those that most confusions are about.
  private var shownLabels: [Int] {
    let matrix = evaluation.confusion
    guard matrix.labels.count > Self.mostLabels else { return Array(matrix.labels.indices) }
    var confusions = [Int](repeating: 0, count: matrix.labels.count)
    for pair in matrix.confusedPairs {
      confusions[pair.truth] += pair.count
      confusions[pair.answer] += pair.count
    }
    let ranked = matrix.labels.indices.sorted { (confusions[$1], $0) < (confusions[$0], $1) }
    let confused = ranked.prefix(Self.mostLabels).filter { confusions[$0] > 0 }
    return confused.isEmpty ? Array(ranked.prefix(Self.sampleLabels)) : confused.sorted()
  }

  private func note(shown: Int) -> String {
    let matrix = evaluation.confusion
    guard shown < matrix.labels.count else { return "" }
    let which =
      matrix.confusedPairs.isEmpty
      ? "None of \(matrix.labels.count) buildings was confused; \(shown) of them are shown"
      : "Of \(matrix.labels.count) buildings the \(shown) that were confused most are shown"
    return which + "; confusion.csv has all."
  }

  private func row(_ truth: Int, _ shown: [Int]) -> ReportPage.View {
    let matrix = evaluation.confusion
    let support = matrix.counts[truth].reduce(0, +)
    let cells: [ReportPage.View] = shown.map { answer in
      let count = matrix.counts[truth][answer]
      guard count > 0 else { return [:] }
      let cell = Cell(truth: truth, answer: answer)
      return [
        "count": "\(count)", "cell": cell.name, "spoken": spoken(cell, count),
        "isRight": truth == answer,
        "step": "\(ColorRamp.step(for: Double(count) / Double(support)))",
      ]
    }
    let label = matrix.labels[truth]
    return [
      "number": "\(truth + 1)", "name": names[label], "cells": cells, "label": label,
      "recall": support == 0
        ? "-" : FigureText.percent(Double(matrix.counts[truth][truth]) / Double(support)),
    ]
  }

  private func spoken(_ cell: Cell, _ count: Int) -> String {
    let labels = evaluation.confusion.labels
    let (truth, taken) = (names[labels[cell.truth]], names[labels[cell.answer]])
    let photos = FigureText.count(count, "photo")
    return cell.truth == cell.answer
      ? "\(truth), named right: \(photos)" : "\(truth) taken for \(taken): \(photos)"
  }

  // MARK: - Photos behind the cells

  /// Answers by cell: the surest mistakes and the least sure right answers first.
  private var members: [Cell: [Evaluation.Answer]] {
    let index = evaluation.confusion.labels.indexByElement
    var members: [Cell: [Evaluation.Answer]] = [:]
    for answer in evaluation.known {
      guard let truth = index[answer.photo.label],
        let label = answer.candidates.first.flatMap({ index[$0.label] })
      else { continue }
      members[Cell(truth: truth, answer: label), default: []].append(answer)
    }
    return members.mapValues { answers in
      answers.sorted { a, b in
        a.isRight ? a.probability < b.probability : a.probability > b.probability
      }
    }
  }

  /// The pictures that there is room for, by the photo's file: of mistakes first, then of right answers,
  /// one of each building after the other.
  private func sources(
    _ members: [Cell: [Evaluation.Answer]]
  ) async -> [[UInt8]: ReportPictures.Embedded] {
    let ranked = members.flatMap { cell, answers in
      answers.enumerated().map { rank, answer in
        (order: (cell.truth == cell.answer ? 1 : 0, rank, cell.truth, cell.answer), answer: answer)
      }
    }.sorted { $0.order < $1.order }.prefix(Self.mostPictures).map(\.answer)
    let embedded = await pictures.embedded(ranked.map(\.photo), size: .small)
    var sources: [[UInt8]: ReportPictures.Embedded] = [:]
    var room = Self.mostPictureBytes
    for (answer, picture) in zip(ranked, embedded) {
      guard let picture else { continue }
      room -= picture.source.utf8.count
      guard room >= 0 else { break }
      sources[answer.photo.file] = picture
    }
    return sources
  }

  private func panel(
    _ cell: Cell, _ answers: [Evaluation.Answer], _ sources: [[UInt8]: ReportPictures.Embedded]
  ) -> ReportPage.View {
    let withPictures = answers.filter { sources[$0.photo.file] != nil }
    let others = answers.filter { sources[$0.photo.file] == nil }
    let named = withPictures + others.prefix(Self.mostNames)
    let left = answers.count - named.count
    return [
      "cell": cell.name, "spoken": spoken(cell, answers.count),
      "photos": named.map { photo($0, sources[$0.photo.file]) },
      "rest": left == 0 ? nil : "and \(FigureText.count(left, "photo")) more in predictions.csv",
    ].compactMapValues { $0 }
  }

  private func photo(
    _ answer: Evaluation.Answer, _ picture: ReportPictures.Embedded?
  ) -> ReportPage.View {
    let said = answer.candidates.prefix(2).map {
      "\(names[$0.label]) \(FigureText.percent($0.imageProbability))"
    }.joined(separator: ", ")
    let view = picture?.view(alt: "Photo of \(names[answer.photo.label])") ?? [:]
    return view.merging(["file": answer.photo.name, "said": said]) { $1 }
  }
}

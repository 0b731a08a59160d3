internal import Cupola

// The confusion matrix and the photos in its cells.
// 1. Choose the labels to show: all labels, or those that are confused most often.
// 2. List the counts in each row, colored by their fraction of the row.
// 3. Sort the photos in each cell, with the most confident mistakes first.
// 4. Embed images up to a size limit, and list other photos by name.

struct PageConfusion {
  private let evaluation: Evaluation
  private let names: BuildingNames
  private let pictures: ReportPictures

  /// The maximum number of labels to show; larger matrices show only confused labels.
  private static let mostLabels = 60
  /// The number of labels shown if there are no confusions.
  private static let sampleLabels = 12
  /// With more labels, cells are narrower on devices with a mouse.
  private static let mostWideLabels = 28
  /// The maximum number of images in all cells together, which keeps the page below 5 MB.
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
        "confusion", name: "Mix-ups", heading: "Buildings mistaken for others",
        intro:
          "Each row shows the photos of one building, each column an answer from the image alone. Select a number "
          + "to see its photos. " + note(shown: shown.count),
        [
          "hasConfusion": true, "columns": columns, "isDense": shown.count > Self.mostWideLabels,
          "rows": shown.map { row($0, shown) },
          "ramp": (0..<ColorRamp.steps).map { ["step": "\($0)"] },
          "panels": cells.compactMap { cell in members[cell].map { panel(cell, $0, sources) } },
        ])
    }
  }

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
      ? "None of the \(matrix.labels.count) buildings was mistaken for another; \(shown) of them are shown"
      : "Shown are the \(shown) of \(matrix.labels.count) buildings with the most mistakes"
    return which + "; confusion.csv has the full matrix."
  }

  private func row(_ truth: Int, _ shown: [Int]) -> ReportPage.View {
    let matrix = evaluation.confusion
    let support = matrix.support(of: truth)
    let cells: [ReportPage.View] = shown.map { answer in
      let count = matrix[truth, answer]
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
        ? "-" : FigureText.percent(Double(matrix[truth, truth]) / Double(support)),
    ]
  }

  private func spoken(_ cell: Cell, _ count: Int) -> String {
    let labels = evaluation.confusion.labels
    let (truth, taken) = (names[labels[cell.truth]], names[labels[cell.answer]])
    let photos = FigureText.count(count, "photo")
    return cell.truth == cell.answer
      ? "\(truth), recognized: \(photos)" : "\(truth) mistaken for \(taken): \(photos)"
  }

  // MARK: - Photos behind the cells

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

  /// The images that fit into the page, by photo file: mistakes first, then right answers, alternating between
  /// buildings.
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
      "rest": left == 0
        ? nil : "and \(FigureText.count(left, "photo")) more, listed in predictions.csv",
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

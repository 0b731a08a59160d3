internal import Cupola

// The answers that visitors get, by true building, and the photos in each cell.
// 1. Sort the photos into cells: a row for each building, a column for each answer (`PageConfusion`).
// 2. Choose the buildings to show: all of them, or those that are confused most often.
// 3. Embed images up to a size limit, mistakes first, and list other photos by name.
// 4. Show the table, and a gallery of the photos that got no name.

struct PageConfusion {
  private let evaluation: Evaluation
  private let names: BuildingNames
  private let pictures: ReportPictures
  private let labels: [String]
  private let members: [Cell: [Evaluation.Answer]]

  /// The maximum number of labels to show; larger tables show only confused labels.
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
    labels = evaluation.confusion.labels
    members = Self.members(evaluation)
  }

  private struct Cell: Hashable {
    let truth: Truth
    let answer: Answer
    var name: String { "cell-\(truth.name)-\(answer.name)" }

    /// Whether visitors expect this answer.
    var isRight: Bool {
      switch (truth, answer) {
      case (.building(let own), .building(let given)): own == given
      case (.unknown, .rejected), (.notBuilding, .rejected): true
      default: false
      }
    }

    /// Whether the photos show a building of the model that got no name.
    var isUnnamed: Bool {
      guard case .building = truth else { return false }
      return [.unsure, .rejected].contains(answer)
    }

    /// The position in the page: table rows from top to bottom.
    var order: (Int, Int) { (truth.number, answer.number) }

    /// The priority of its images: wrong names, photos without a name, and right answers.
    var priority: Int { isRight ? 2 : isUnnamed ? 1 : 0 }
  }

  private enum Truth: Hashable {
    case building(Int)
    case unknown, notBuilding

    var name: String {
      switch self {
      case .building(let index): "\(index + 1)"
      case .unknown: "unknown"
      case .notBuilding: "other"
      }
    }

    var number: Int {
      switch self {
      case .building(let index): index
      case .unknown: .max - 1
      case .notBuilding: .max
      }
    }

    var kind: KindAnswers.Kind {
      switch self {
      case .building: .buildings
      case .unknown: .unknownBuildings
      case .notBuilding: .nonBuildings
      }
    }
  }

  private enum Answer: Hashable {
    case building(Int)
    case byPosition, unsure, rejected

    var name: String {
      switch self {
      case .building(let index): "\(index + 1)"
      case .byPosition: "position"
      case .unsure: "unsure"
      case .rejected: "rejected"
      }
    }

    var number: Int {
      switch self {
      case .building(let index): index
      case .byPosition: .max - 2
      case .unsure: .max - 1
      case .rejected: .max
      }
    }
  }

  // MARK: - Cells

  private static func members(_ evaluation: Evaluation) -> [Cell: [Evaluation.Answer]] {
    let index = evaluation.confusion.labels.indexByElement
    var members: [Cell: [Evaluation.Answer]] = [:]
    func add(_ answers: [Evaluation.Answer], _ truth: (Evaluation.Answer) -> Truth?) {
      for answer in answers {
        guard let row = truth(answer), let column = said(answer, index) else { continue }
        members[Cell(truth: row, answer: column), default: []].append(answer)
      }
    }
    add(evaluation.known) { index[$0.photo.label].map(Truth.building) }
    add(evaluation.unknown) { _ in .unknown }
    add(evaluation.background) { _ in .notBuilding }
    return members.mapValues { answers in
      answers.sorted { a, b in
        a.isRight ? a.probability < b.probability : a.probability > b.probability
      }
    }
  }

  private static func said(_ answer: Evaluation.Answer, _ index: [String: Int]) -> Answer? {
    switch answer.verdict {
    case .building: answer.answered.flatMap { index[$0] }.map(Answer.building)
    case .mappedBuilding: .byPosition
    case .unsure: .unsure
    case .notACampusBuilding, .notOnCampus: .rejected
    }
  }

  private func count(_ truth: Truth, _ answer: Answer) -> Int {
    members[Cell(truth: truth, answer: answer)]?.count ?? 0
  }

  private var sortedCells: [Cell] { members.keys.sorted { $0.order < $1.order } }

  // MARK: - Sections

  /// The table of answers, and the gallery of photos without a name.
  var sections: [ReportPage.View?] {
    get async {
      guard !evaluation.known.isEmpty else { return [] }
      let sources = await sources()
      return [table(sources), unnamed(sources)]
    }
  }

  private func table(_ sources: [[UInt8]: ReportPictures.Embedded]) -> ReportPage.View {
    let cells = shownCells
    var truths: [Truth] = []
    for cell in cells where truths.last != cell.truth { truths.append(cell.truth) }
    let columns = columns(cells)
    let headings: [ReportPage.View] = columns.map {
      ["number": title(of: $0), "name": name(of: $0)]
    }
    let panels: [ReportPage.View] = cells.filter { !$0.isUnnamed }.map { panel($0, sources) }
    let rows: [ReportPage.View] = truths.map { row($0, columns) }
    return ReportPage.section(
      "confusion", name: "Mix-ups", heading: "Answers by building",
      intro:
        "Each row shows the photos of one building, each column an answer, as visitors get it. Select a number to "
        + "see its photos. " + note(shown: shownLabels.count),
      [
        "hasConfusion": true, "isDense": shownLabels.count > Self.mostWideLabels,
        "columns": headings, "rows": rows,
        "ramp": (0..<ColorRamp.steps).map { ["step": "\($0)"] },
        "hasPanels": true, "panels": panels,
      ])
  }

  /// Photos of known buildings that were rejected or unsure, in the order of the table.
  private func unnamed(_ sources: [[UInt8]: ReportPictures.Embedded]) -> ReportPage.View? {
    let cells = sortedCells.filter(\.isUnnamed)
    guard !cells.isEmpty else { return nil }
    let counts = evaluation.verdicts(evaluation.known)
    return ReportPage.section(
      "unnamed", name: "Not named", heading: "Photos without a name",
      intro:
        "Of the \(FigureText.count(evaluation.known.count, "test photo")) of your buildings, \(counts.rejected) "
        + "\(counts.rejected == 1 ? "was" : "were") rejected, and \(counts.unsure) "
        + "\(counts.unsure == 1 ? "was" : "were") unsure.",
      [
        "hasPanels": true,
        "panels": cells.map { panel($0, sources).merging(["isOpen": true]) { $1 } },
      ])
  }

  /// The answers that any photo got, and those of the shown rows.
  private func columns(_ cells: [Cell]) -> [Answer] {
    let own = cells.compactMap { cell -> Answer? in
      guard case .building(let index) = cell.truth else { return nil }
      return .building(index)
    }
    let all = Set(cells.map(\.answer)).union(own).union([.unsure, .rejected])
    return all.sorted { $0.number < $1.number }
  }

  /// The cells of the table, row by row.
  private var shownCells: [Cell] {
    let shown = Set(shownLabels)
    return sortedCells.filter { cell in
      [cell.truth.number, cell.answer.number].allSatisfy {
        $0 >= labels.count || shown.contains($0)
      }
    }
  }

  private var shownLabels: [Int] {
    guard labels.count > Self.mostLabels else { return Array(labels.indices) }
    var confusions = [Int](repeating: 0, count: labels.count)
    for (cell, answers) in members {
      guard case .building(let truth) = cell.truth, case .building(let answer) = cell.answer,
        truth != answer
      else { continue }
      confusions[truth] += answers.count
      confusions[answer] += answers.count
    }
    let ranked = labels.indices.sorted { (confusions[$1], $0) < (confusions[$0], $1) }
    let confused = ranked.prefix(Self.mostLabels).filter { confusions[$0] > 0 }
    return confused.isEmpty ? Array(ranked.prefix(Self.sampleLabels)) : confused.sorted()
  }

  private func note(shown: Int) -> String {
    guard shown < labels.count else { return "" }
    return
      "Shown are \(shown) of \(labels.count) buildings, those with the most wrong names first; "
      + "predictions.csv has all answers."
  }

  private func title(of answer: Answer) -> String {
    switch answer {
    case .building(let index): "\(index + 1)"
    case .byPosition: "by position"
    case .unsure: "unsure"
    case .rejected: "rejected"
    }
  }

  private func name(of answer: Answer) -> String {
    switch answer {
    case .building(let index): names[labels[index]]
    case .byPosition: "named from the position only"
    case .unsure: "Unsure"
    case .rejected: "Not a Campus Building, or Not on Campus"
    }
  }

  private func shown(_ truth: Truth) -> String {
    switch truth {
    case .building(let index): names[labels[index]]
    case .unknown: "Unknown building"
    case .notBuilding: "Non-building photo"
    }
  }

  private func row(_ truth: Truth, _ columns: [Answer]) -> ReportPage.View {
    let own = members.filter { $0.key.truth == truth }.flatMap(\.value)
    let cells: [ReportPage.View] = columns.map { answer in
      let (count, cell) = (count(truth, answer), Cell(truth: truth, answer: answer))
      guard count > 0 else { return [:] }
      return [
        "count": "\(count)", "cell": cell.name, "spoken": spoken(cell), "isRight": cell.isRight,
        "step": "\(ColorRamp.step(for: Double(count) / Double(own.count)))",
      ]
    }
    let right = KindAnswers(kind: truth.kind, counts: evaluation.verdicts(own)).right
    var view: ReportPage.View = [
      "number": "", "name": shown(truth), "label": shown(truth), "cells": cells,
      "recall": "\(right) of \(own.count)",
    ]
    if case .building(let index) = truth {
      view["number"] = "\(index + 1)"
      view["label"] = labels[index]
    }
    return view
  }

  private func spoken(_ cell: Cell) -> String {
    let photos = FigureText.count(count(cell.truth, cell.answer), "photo")
    let truth = shown(cell.truth)
    return switch cell.answer {
    case .building(let index) where cell.truth == .building(index):
      "\(truth), recognized: \(photos)"
    case .building: "\(truth) mistaken for \(name(of: cell.answer)): \(photos)"
    case .byPosition, .unsure, .rejected: "\(truth), \(title(of: cell.answer)): \(photos)"
    }
  }

  // MARK: - Photos in the cells

  /// The images that fit into the page, by photo file; alternates between the cells of the same priority.
  private func sources() async -> [[UInt8]: ReportPictures.Embedded] {
    let ranked = members.flatMap { cell, answers in
      answers.enumerated().map { rank, answer in
        (order: (cell.priority, rank, cell.order.0, cell.order.1), answer: answer)
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
    _ cell: Cell, _ sources: [[UInt8]: ReportPictures.Embedded]
  ) -> ReportPage.View {
    let answers = members[cell] ?? []
    let withPictures = answers.filter { sources[$0.photo.file] != nil }
    let others = answers.filter { sources[$0.photo.file] == nil }
    let named = withPictures + others.prefix(Self.mostNames)
    let left = answers.count - named.count
    return [
      "cell": cell.name, "spoken": spoken(cell), "isOpen": false,
      "photos": named.map { photo($0, sources[$0.photo.file]) },
      "rest": left == 0
        ? nil : "and \(FigureText.count(left, "photo")) more, listed in predictions.csv",
    ].compactMapValues { $0 }
  }

  /// The panel of each photo in the page, by the photo's name.
  var panelOfPhoto: [String: String] {
    let shown = shownCells
    return members.filter { $0.key.isUnnamed || shown.contains($0.key) }
      .reduce(into: [:]) { panels, entry in
        for answer in entry.value { panels[answer.photo.name] = entry.key.name }
      }
  }

  private func photo(
    _ answer: Evaluation.Answer, _ picture: ReportPictures.Embedded?
  ) -> ReportPage.View {
    let label = answer.photo.label
    let alt = Labels.isBackground(label) ? "Non-building photo" : "Photo of \(names[label])"
    let view = picture?.view(alt: alt) ?? [:]
    return view.merging(["file": answer.photo.name, "said": answer.facts.answer]) { $1 }
  }
}

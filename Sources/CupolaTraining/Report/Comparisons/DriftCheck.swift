package import Cupola

// 1. Recognize new photos from their images, and set aside training photos and copies of them.
// 2. Compare the fractions of right first guesses and of rejected photos with those of held-out training photos.
// 3. Do the same for each building (`BuildingDrift`). The unit of uncertainty is the session.
// 4. Format the result as text and JSON (`cupola.drift/1`).

/// Compares new photos with the photos that a model was trained with.
///
/// A figure has clearly changed if it is at least 10 percentage points worse than for held-out training photos, and the
/// 95% interval of the difference excludes 0. If it is better by as much, the new photos probably resemble training
/// photos, for example because they are from the same day, and show little about other days.
package struct DriftCheck: Sendable {
  package enum Change: String, Sendable {
    case changed, unclear, similar, better
  }

  /// A fraction of new photos and the same fraction of held-out training photos, if the model records it.
  package struct Comparison: Sendable {
    package let new: Share
    package let heldOut: Share?
    package let change: Change

    /// Whether so few photos were held out in training that a similar fraction shows little.
    var hasFewHeldOut: Bool { heldOut.map { $0.photos < DriftCheck.leastHeldOut } ?? false }
  }

  /// The new photos of one building.
  package struct BuildingDrift: Sendable {
    package let label: String
    package let firstGuess: Comparison
    package let rejected: Int
  }

  package let change: Change
  /// Photos whose building ranks first; `nil` if no folder has the label of a building.
  package let firstGuess: Comparison?
  package let rejected: Comparison
  /// Sorted by label.
  package let buildings: [BuildingDrift]
  /// The labels of folders that the model does not have, with their numbers of photos.
  package let unknownLabels: [String: Int]
  package let skipped: [SkippedFile]
  private let answers: [(key: String, count: Int)]
  private let trained: Int
  private let areTimed: Bool
  /// Whether a table lists the session of every photo.
  private let areGrouped: Bool

  private static let notable = 0.1
  private static let leastPhotos = 5
  private static let leastHeldOut = 20

  /// Reads and recognizes the photos of a folder.
  ///
  /// - Throws: ``TrainingError/noUsablePhotos(path:failures:)``, or ``TrainingError/badEvaluation(_:)`` if all photos
  ///   trained the model.
  package init(
    of set: PhotoSet, model: Model, decoder: PhotoDecoder, threads: Int,
    progress: (@Sendable (Int) -> Void)? = nil
  ) async throws(TrainingError) {
    var evaluator = Evaluator(model)
    evaluator.threads = threads
    evaluator.recognizer.decoder = decoder
    let recognizer = evaluator.recognizer
    let new = try await NewPhotos(in: set, by: evaluator, progress: progress)
    (trained, skipped) = (new.trained, new.skipped)
    let known = Set(model.labels.buildings.map { model.labels.names[$0] })
    let isSorted = new.photos.contains { known.contains($0.photo.label) }
    let asked = isSorted ? new.photos.filter { known.contains($0.photo.label) } : new.photos
    let others = new.photos.map(\.photo.label).filter {
      isSorted && !known.contains($0) && !Labels.isBackground($0)
    }
    unknownLabels = Dictionary(grouping: others) { $0 }.mapValues(\.count)
    let sessions = await Grouping.groups(of: asked.map(\.traits), threads: threads)
    let found = asked.map { recognizer.recognize(logits: $0.logits, of: nil) }
    areTimed = asked.allSatisfy { $0.traits.metadata.capture != nil }
    areGrouped = asked.allSatisfy { $0.photo.group != nil }
    answers = Self.counts(found)
    let outcomes = zip(asked, zip(found, sessions)).map { photo, rest in
      Outcome(label: photo.photo.label, rest.0, session: rest.1)
    }
    rejected = Self.rejected(outcomes, model)
    firstGuess =
      isSorted
      ? Self.comparison(outcomes, \.isRight, model.heldOutShare, isLossOfNew: true) : nil
    buildings = isSorted ? Self.buildings(outcomes, model) : []
    let both = [firstGuess?.change, rejected.change].compactMap(\.self)
    let most = [.changed, .unclear, .better].first(where: both.contains) ?? .similar
    change = most == .similar && rejected.hasFewHeldOut ? .unclear : most
  }

  /// The photos of a folder that did not train the model.
  private struct NewPhotos {
    let photos: [ScoredPhoto]
    let trained: Int
    let skipped: [SkippedFile]

    init(
      in set: PhotoSet, by evaluator: Evaluator, progress: (@Sendable (Int) -> Void)?
    ) async throws(TrainingError) {
      let all = set.photos.filter { $0.split != .testUnknown }
      let seen = await evaluator.look(at: all, progress: progress)
      // Photos outside label folders are read if there are no label folders.
      let skipped = set.skipped.filter { $0.reason != .outsideLabelFolder } + seen.skipped
      guard !seen.photos.isEmpty else {
        throw .noUsablePhotos(path: set.root, failures: skipped.count)
      }
      let recognizer = evaluator.recognizer
      let overlap = await TrainingOverlap(
        of: seen, with: recognizer.model, decoder: recognizer.decoder, threads: evaluator.threads)
      photos = seen.photos.filter { overlap.found[$0.photo.file] == nil }
      guard !photos.isEmpty else {
        throw .badEvaluation(
          "\(set.root): all photos are training photos of the model, or copies of them; choose new photos"
        )
      }
      trained = seen.photos.count - photos.count
      self.skipped = skipped
    }
  }

  private struct Outcome {
    let label: String
    let isRight: Bool
    let isRejected: Bool
    let session: Int

    init(label: String, _ answer: Recognition, session: Int) {
      (self.label, self.session) = (label, session)
      isRight = answer.candidates.first?.label == label
      isRejected = answer.verdict == .notACampusBuilding
    }
  }

  // MARK: - Statistics

  private static func comparison(
    _ outcomes: [Outcome], _ value: (Outcome) -> Bool, _ heldOut: Share?, isLossOfNew: Bool
  ) -> Comparison {
    let new = Share(outcomes.map(value), sessions: outcomes.map(\.session))
    let loss = heldOut.flatMap { old in
      isLossOfNew ? NewcombeInterval(old, minus: new) : NewcombeInterval(new, minus: old)
    }
    return Comparison(new: new, heldOut: heldOut, change: change(loss, photos: new.photos))
  }

  private static func change(_ loss: NewcombeInterval?, photos: Int) -> Change {
    guard let loss else { return .unclear }
    if loss.difference >= notable { return loss.lower > 0 ? .changed : .unclear }
    if loss.difference <= -notable, loss.upper < 0 { return .better }
    return photos < leastPhotos ? .unclear : .similar
  }

  private static func rejected(_ outcomes: [Outcome], _ model: Model) -> Comparison {
    // The model stores this rate without the number of photos, which is that of the first guesses.
    let heldOut = model.calibration.falseRejectionRate.flatMap { rate in
      model.heldOutShare.map { all in
        Share(right: Int((rate * Double(all.photos)).rounded()), of: all.photos)
      }
    }
    return comparison(outcomes, \.isRejected, heldOut, isLossOfNew: false)
  }

  private static func buildings(_ outcomes: [Outcome], _ model: Model) -> [BuildingDrift] {
    Dictionary(grouping: outcomes, by: \.label).sorted { $0.key < $1.key }.map { label, own in
      let heldOut = model.provenance.recall[label].flatMap { recall in
        recall.asked > 0
          ? Share(right: min(recall.right, recall.asked), of: recall.asked) : nil
      }
      return BuildingDrift(
        label: label, firstGuess: comparison(own, \.isRight, heldOut, isLossOfNew: true),
        rejected: own.count(where: \.isRejected))
    }
  }

  private static func counts(_ answers: [Recognition]) -> [(key: String, count: Int)] {
    func count(_ isCounted: (Recognition) -> Bool) -> Int { answers.count(where: isCounted) }
    let rejected = count { $0.verdict == .notACampusBuilding }
    let unknown = count {
      if case .unknownBuilding = $0.reason { true } else { false }
    }
    return [
      ("named", count { $0.verdict == .building }), ("unsure", count { $0.verdict == .unsure }),
      ("rejected", rejected), ("rejected_as_unknown_building", unknown),
    ]
  }

  // MARK: - Results

  private func labels(_ change: Change, isNotable: Bool) -> [String] {
    buildings.filter { building in
      let loss = building.firstGuess.heldOut.flatMap {
        NewcombeInterval($0, minus: building.firstGuess.new)
      }
      return building.firstGuess.change == change
        && (loss.map { $0.difference >= Self.notable } ?? false) == isNotable
    }.map(\.label)
  }

  package var changed: [String] { labels(.changed, isNotable: true) }
  /// Buildings with a lower figure whose difference can be due to chance.
  package var perhapsChanged: [String] { labels(.unclear, isNotable: true) }
  /// Buildings with fewer than five new photos.
  private var scarce: [String] {
    labels(.unclear, isNotable: false).filter { !notHeldOut.contains($0) }
  }
  /// Buildings without held-out training photos.
  private var notHeldOut: [String] {
    buildings.filter { $0.firstGuess.heldOut == nil }.map(\.label)
  }
  package var photographAgain: [String] { changed + perhapsChanged }
}

// MARK: - Text

extension DriftCheck {
  package func text(folder: String) -> String {
    let new = rejected.new
    let subject =
      firstGuess == nil
      ? new.basis
      : new.basis + ", " + FigureText.count(buildings.count, "building")
    var lines = ["\(folder): \(subject); \(sentence)"]
    var facts: [(String, String)] = []
    if let firstGuess { facts.append(("first guess right", Self.fact(firstGuess))) }
    facts.append(("rejected", Self.fact(rejected)))
    facts.append(("answers", answersText))
    lines.append(
      TextColumns.facts(facts.map { ("  " + $0.0, $0.1) }, width: 21))
    lines += findings(folder)
    return lines.map(VisibleText.lines).joined(separator: "\n")
  }

  private var sentence: String {
    switch change {
    case .changed: "they differ clearly from the training photos"
    case .better: "they are recognized better than the held-out training photos"
    case .similar: "no clear difference from the training photos"
    case .unclear:
      rejected.heldOut == nil
        ? "the model has no held-out figures to compare with"
        : "too few \(rejected.hasFewHeldOut ? "held-out training photos" : "photos or sessions") to tell whether they "
          + "differ from the training photos"
    }
  }

  private static func fact(_ comparison: Comparison) -> String {
    func text(_ share: Share) -> String {
      "\(FigureText.percent(share.accuracy)) (\(share.right) of \(share.photos))"
    }
    return text(comparison.new)
      + (comparison.heldOut.map { "; held-out training photos: " + text($0) } ?? "")
  }

  private var answersText: String {
    let counts = Dictionary(answers.map { ($0.key, $0.count) }) { first, _ in first }
    return ["named", "unsure", "rejected"].map { "\(counts[$0] ?? 0) \($0)" }
      .joined(separator: ", ")
  }

  private func findings(_ folder: String) -> [String] {
    var lines = differences
    if change == .better {
      lines.append(
        "the new photos probably resemble training photos, for example because they are from the same day or places; "
          + "check photos from another day to see the accuracy then")
    }
    if !unknownLabels.isEmpty {
      lines.append("not in the model: \(FigureText.list(unknownLabels.keys.sorted()))")
    }
    if firstGuess == nil {
      lines.append(
        "no folder has the label of a building; to see which buildings changed, sort the photos into such folders: "
          + "run cupola classify MODEL \(ShellWord.quoted(folder)) --copy-into sorted, correct the folders, and check "
          + "them"
      )
    }
    if rejected.new.sessions == 1, change == .changed {
      lines.append("all photos are from one session, so light or weather can also be the cause")
    }
    if !areTimed {
      lines.append("some photos have no capture time, so the differences are less certain")
    }
    if trained > 0 {
      lines.append(
        "not counted: \(FigureText.count(trained, "training photo")), including copies")
    }
    return lines + steps(folder)
  }

  /// Lists the buildings that changed, and those that cannot be compared.
  private var differences: [String] {
    var lines: [String] = []
    if !changed.isEmpty {
      lines.append("changed, such as by scaffolding or renovation: \(details(changed))")
    }
    if !perhapsChanged.isEmpty {
      lines.append("possibly changed, or chance: \(details(perhapsChanged))")
    }
    guard firstGuess?.heldOut != nil else { return lines }
    if !scarce.isEmpty {
      lines.append("too few new photos to compare: \(FigureText.list(scarce))")
    }
    if !notHeldOut.isEmpty {
      lines.append(
        "not compared, because training could not hold out any of their photos: \(FigureText.list(notHeldOut)); take "
          + "training photos of them on another day")
    }
    return lines
  }

  private func steps(_ folder: String) -> [String] {
    var lines: [String] = []
    if rejected.heldOut == nil {
      let measure =
        firstGuess == nil
        ? ""
        : ", or measure the accuracy on these photos with cupola evaluate MODEL \(ShellWord.quoted(folder))"
          + unlistedSessions(folder)
      lines.append(
        "-> training could not hold out photos, usually because too few buildings have photos from two sessions; add "
          + "training photos from another day and train again" + measure)
    }
    if !photographAgain.isEmpty {
      lines.append(
        "-> photograph again: \(FigureText.list(photographAgain)); take at least 10 photos of each from several "
          + "sides in three sessions, add them to the training photos, and train again")
    }
    return lines
  }

  /// `cupola evaluate` reads sessions only from a table, so its intervals would be too narrow without one.
  private func unlistedSessions(_ folder: String) -> String {
    guard !areGrouped, rejected.new.sessions < rejected.new.photos else { return "" }
    let table = ShellWord.quoted(PhotoSet.withoutSlash(folder) + "/split.csv")
    return
      ", which counts photos without a table as independent; first list them in \(table) with the columns "
      + "path,label,split,group, the split test and one group per building and session"
  }

  private func details(_ labels: [String]) -> String {
    FigureText.list(
      buildings.filter { labels.contains($0.label) }.map { building in
        let (new, old) = (building.firstGuess.new, building.firstGuess.heldOut)
        let before = old.map { ", held out \($0.right) of \($0.photos)" } ?? ""
        return "\(building.label) (\(new.right) of \(new.photos) right\(before))"
      })
  }
}

// MARK: - JSON

extension DriftCheck {
  package func json(folder: String, model: String) -> JSONObject {
    [
      "schema": "cupola.drift/1", "folder": folder, "model": model,
      "photos": rejected.new.photos, "sessions": rejected.new.sessions,
      "training_photos": trained, "change": change.rawValue,
      "first_guess": firstGuess.map { Self.json($0) }, "rejected": Self.json(rejected),
      "answers": JSONObject(answers.map { ($0.key, $0.count as JSONObject.Member?) }),
      "buildings": buildings.map { building in
        Self.json(building.firstGuess).adding([
          "label": building.label, "rejected": building.rejected,
        ])
      },
      "labels_not_in_model": unknownLabels, "photograph_again": photographAgain,
      "errors": SkippedFile.table(of: skipped).json,
    ]
  }

  private static func json(_ comparison: Comparison) -> JSONObject {
    func share(_ share: Share) -> JSONObject {
      [
        "photos": share.photos, "count": share.right, "sessions": share.sessions,
        "share": share.accuracy, "interval": share.accuracy.map { _ in share.interval.ends },
      ]
    }
    return [
      "new": share(comparison.new), "held_out": comparison.heldOut.map(share),
      "change": comparison.change.rawValue,
    ]
  }
}

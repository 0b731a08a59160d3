import Cupola
import CupolaTraining

// 1. Format a training summary as JSON and as text.
// 2. Format the changes made by an update.

/// A training summary: schema `cupola.training/1`.
struct TrainingSummary {
  private let result: TrainingResult
  private let update: UpdateSummary?
  private let model: String
  private let bytes: Int
  private let sha256: String
  private let material: TrainingMaterial
  private let folder: String
  let skipped: [SkippedFile]
  let warnings: [String]

  init(
    _ result: TrainingResult, material: TrainingMaterial, from folder: String,
    update: UpdateSummary?, path: String, size: Int, digest: String
  ) {
    (self.result, self.update, model, bytes, sha256) = (result, update, path, size, digest)
    (self.material, self.folder) = (material, folder)
    skipped = material.skipped + result.skipped
    warnings = (update?.warnings ?? []) + TrainingWarnings(result, material).all
  }

  private var labels: [String: Int] { result.model.provenance.photos }
  private var photos: Int { labels.values.reduce(0, +) }
  private var leastShare: Double {
    max(0, Thresholds(result.model.calibration).leastShare)
  }

  private var isRetrieval: Bool { result.model.classifierKind == .retrieval }

  var json: JSONObject {
    let (provenance, calibration) = (result.model.provenance, result.model.calibration)
    return [
      "schema": "cupola.training/1", "model": model, "bytes": bytes, "sha256": sha256,
      "labels": labels, "photos": photos, "held_back": material.setAside.count,
      "skipped": SkippedFile.table(of: skipped).json, "ignored": material.ignored.json,
      "converged": result.converged,
      "classifier": result.model.classifierKind, "iterations": result.iterations,
      "regularisation": isRetrieval ? nil : provenance.regularization,
      "whitening": provenance.whitening, "temperature": calibration.temperature,
      "colour_weight": result.model.recipe.colorWeight, "least_share": leastShare,
      "false_rejection_rate": calibration.falseRejectionRate,
      "unknown_named_rate": Thresholds(calibration).unknownNamed,
      "held_out_accuracy": result.chosen?.accuracy, "held_out_loss": result.chosen?.loss,
      "held_out_answers": result.heldOut.map(Self.answers),
      "cross_validation": result.trials.map { trial -> JSONObject in
        [
          "whitening": trial.settings.whitening,
          "regularisation": trial.settings.classifier == .retrieval
            ? nil : trial.settings.regularization,
          "colour_weight": trial.settings.colorWeight, "accuracy": trial.accuracy,
          "loss": trial.loss,
        ]
      },
      "features_reused": result.reused, "features_computed": result.described,
      "weights": result.model.weightFormat,
      "answers_changed_by_weights": result.changedAnswers.map {
        ["changed": $0.changed, "asked": $0.asked]
      },
      "update": update?.json, "warnings": warnings,
    ]
  }

  /// The text in about ten lines; `verbose` adds all labels and how the settings were chosen.
  func text(verbose: Bool) -> String {
    var parts = ["trained on " + learned]
    if verbose { parts.append(labelTable) }
    if !material.ignored.text.isEmpty { parts.append("ignored: " + material.ignored.text) }
    if !skipped.isEmpty {
      parts.append("skipped " + FigureText.count(skipped.count, "photo") + ":")
      parts += skipped.map { VisibleText.line("  \($0.name): \($0.message)") }
    }
    if verbose { parts.append(classifierText) }
    if verbose, !result.trials.isEmpty { parts.append(crossValidationText) }
    if let update { parts.append(update.text) }
    if result.keepsCalibration {
      parts.append("calibration and thresholds: kept from the updated model")
    }
    if result.model.weightFormat != .float32, !isRetrieval { parts.append(weightsText) }
    if let heldOut = result.heldOut, result.chosen != nil {
      parts += [expected(heldOut.known), threshold(heldOut), weakSpots(heldOut)].compactMap(\.self)
    } else if !result.keepsCalibration {
      parts.append(
        "expected: unknown until cupola evaluate, because too few buildings have training photos from two sessions"
      )
    }
    parts.append(
      "model \(VisibleText.line(model)), \(bytes) bytes" + (verbose ? ", sha256 \(sha256)" : ""))
    parts.append("next: " + next)
    return parts.joined(separator: "\n")
  }

  private var buildings: [String: Int] { labels.filter { !Labels.isBackground($0.key) } }

  private var learned: String {
    let drawn = labels.reduce(0) { $0 + (Trainer.ownLabels.contains($1.key) ? $1.value : 0) }
    let ofBuildings = buildings.values.reduce(0, +)
    return FigureText.count(ofBuildings, "photo") + " of "
      + FigureText.count(buildings.count, "building") + ", "
      + Labels.backgroundText(
        photos - ofBuildings - drawn, nearby: labels[Labels.otherBuildings] ?? 0) + setAside
  }

  /// The number of test photos by kind, or nothing if there are none.
  private var setAside: String {
    let others = material.setAside.count { Labels.isBackground($0.label) }
    let unknown = material.setAside.count {
      !Labels.isBackground($0.label)
        && ($0.split == .testUnknown || !result.model.labels.names.contains($0.label))
    }
    let known = material.setAside.count - others - unknown
    let nearby = material.setAside.count { $0.label == Labels.otherBuildings }
    let parts =
      [
        (known, "\(FigureText.count(known, "photo")) of these buildings"),
        (unknown, "\(unknown) of unknown buildings"),
        (others, Labels.backgroundText(others, nearby: nearby)),
      ].filter { $0.0 > 0 }.map(\.1)
    return parts.isEmpty ? "" : "; set aside for testing: " + parts.joined(separator: ", ")
  }

  private var labelTable: String {
    TextColumns.aligned(
      labels.sorted { $0.key < $1.key }.map { label, count in
        [label, "\(count)"] + (Labels.isBackground(label) ? ["background"] : [])
      })
  }

  private static func answers(_ heldOut: HeldOutAnswers) -> JSONObject {
    let counts = heldOut.known
    return [
      "right": counts.namedRight, "wrong": counts.namedWrong, "unsure": counts.unsure,
      "rejected": counts.rejected,
    ]
  }

  /// The answers to held-out photos, worded as in `cupola evaluate` but not comparable with it, and the limits of this
  /// estimate.
  private func expected(_ counts: Evaluation.VerdictCounts) -> String {
    let model = result.model
    let asked = model.calibratedBuildings
    let (all, left) = (model.labels.buildings.count, buildings.values.reduce(0, +) - counts.photos)
    let some = asked < all ? " of \(asked) of \(FigureText.count(all, "building"))" : ""
    let unasked = model.labels.buildings.map { model.labels.names[$0] }.filter {
      model.provenance.recall[$0] == nil
    }
    let isOfThem = unasked.reduce(0) { $0 + (buildings[$1] ?? 0) } == left
    let reason =
      TrainingScale(photos: photos) == .full
      ? (isOfThem ? "of \(FigureText.list(unasked)) " : "")
        + "cannot be held out, because too few photos of their building would be left"
      : "not held out, because a sample is enough"
    let others = left > 0 ? " \(FigureText.count(left, "other photo")) \(reason)." : ""
    return
      "expected: \(counts.text) of \(FigureText.count(counts.photos, "training photo"))\(some). This is a rough estimate: "
      + "each answer is from the image alone, by a model trained with fewer photos, without the photo's session. cupola "
      + "evaluate measures the accuracy with other photos." + others + excess(counts)
      + (ErrorGuarantee(model).areDaysUnknown
        ? " Capture times are missing, so expect less on other days." : "")
  }

  /// Why more photos than the error rate allows got a wrong name. Large sessions can have more wrong names than small
  /// ones, and the threshold limits the average over sessions.
  private func excess(_ counts: Evaluation.VerdictCounts) -> String {
    let limit = Thresholds(result.model.calibration).maximumError
    let wrong = Double(counts.namedWrong) / Double(max(1, counts.photos))
    guard wrong > limit else { return "" }
    return " \(FigureText.percent(wrong)) of the photos get a wrong name, but at most "
      + "\(FigureText.percent(limit)) on average over sessions, in which large and small sessions count equally."
  }

  /// The fraction of held-out photos below the name threshold from which it is mentioned.
  private static let manyBelow = 0.1

  /// The photos that get no name because of the name threshold, and what lowers it; `nil` if there are few.
  private func threshold(_ heldOut: HeldOutAnswers) -> String? {
    let (below, known) = (heldOut.belowShare, heldOut.known)
    let point = Thresholds(result.model.calibration)
    if point.leastShare <= 0, point.isGuaranteed {
      return
        "name threshold: none, because no more than \(FigureText.percent(point.maximumError)) of held-out photos get a wrong "
        + "name without one; so photos with low percentages get a name, too, instead of \"Unsure\""
    }
    guard !point.namesNothing, Double(below.photos) > Self.manyBelow * Double(known.photos) else {
      return nil
    }
    let better = zip(HeldOutAnswers.strictRates, heldOut.strict).first { rate, answers in
      answers.namedRight > known.namedRight
    }
    let rate = better.map { rate, answers in
      ", and so does cupola classify --max-error \(rate) (\(answers.namedRight) right, \(answers.namedWrong) wrong)"
    }
    return
      "name threshold: a name requires \(point.nameThreshold) of the probability of all buildings together; \(below.photos) of "
      + "these photos have less, \(below.right) of them with the right first guess; photos from more sessions lower the "
      + "threshold" + (rate ?? "")
  }

  /// The fraction of right names below which a building is a weak spot.
  private static let weakShare = 0.9

  /// The weakest of the buildings whose answers ``expected(_:)`` adds up.
  private func weakSpots(_ heldOut: HeldOutAnswers) -> String? {
    let weak = heldOut.byBuilding.map { label, counts in
      (label: label, share: Share(right: counts.namedRight, of: counts.photos))
    }.filter { ($0.share.accuracy ?? 1) < Self.weakShare }
      .sorted { ($0.share.accuracy ?? 1, $0.label) < ($1.share.accuracy ?? 1, $1.label) }
    guard !weak.isEmpty else { return nil }
    let names = weak.map { "\($0.label) (\($0.share.right) of \($0.share.photos) right)" }
    return VisibleText.line(
      "weak spots (less than \(FigureText.percent(Self.weakShare)) right): "
        + FigureText.list(names))
  }

  private var next: String {
    let file = Self.word(model)
    guard let testOptions = material.testOptions else {
      let measure = "cupola evaluate \(file) FOLDER with photos from another day"
      guard material.canSplit else { return "cupola classify \(file) PHOTO, or \(measure)" }
      let table = Self.word(PhotoSet.withoutSlash(folder) + "/split.csv")
      return
        "cupola classify \(file) PHOTO; to measure the accuracy, run \(measure), or set photos aside with "
        + "cupola split \(Self.word(folder)) -o \(table) and train again"
    }
    let words = ([folder] + testOptions).map(Self.word).joined(separator: " ")
    return "cupola evaluate \(file) \(words) --report report"
  }

  private static func word(_ word: String) -> String { VisibleText.line(ShellWord.quoted(word)) }

  private var weightsText: String {
    let weights = "weights \(result.model.weightFormat.rawValue): "
    guard let answers = result.changedAnswers else {
      return weights + "effect on answers unknown, because no label has two sessions"
    }
    let photos = FigureText.count(answers.asked, "out-of-fold answer")
    return weights + "\(answers.changed) of \(photos) changed compared with float32"
  }

  private var classifierText: String {
    let kind = result.model.classifierKind
    guard Set(result.trials.map(\.settings.classifier)).count > 1 else {
      if kind == .retrieval { return "classifier: retrieval (requested)" }
      return result.model.labels.buildings.count <= ClassifierKind.mostInSoftmax
        ? "classifier: softmax (default for up to \(ClassifierKind.mostInSoftmax) buildings; rejects unknown ones better)"
        : "classifier: softmax (requested, or too few photos to try retrieval)"
    }
    return kind == .retrieval
      ? "classifier: retrieval (faster than softmax, and as accurate on held-out photos of some buildings)"
      : "classifier: softmax (more accurate than retrieval on held-out photos of some buildings)"
  }

  private var crossValidationText: String {
    let header = ["whitening", "regularization", "color weight", "accuracy", "loss"]
    let rows = result.trials.map { trial in
      let settings = trial.settings
      return [
        (settings.whitening.map { FigureText.decimal($0, digits: 2) } ?? "none")
          + (isChosen(settings) ? " (chosen)" : ""),
        settings.classifier == .retrieval
          ? "retrieval" : FigureText.decimal(settings.regularization, digits: 0),
        settings.colorWeight.map { FigureText.decimal(Double($0), digits: 2) } ?? "none",
        FigureText.percent(trial.accuracy), FigureText.decimal(trial.loss, digits: 4),
      ]
    }
    let figures = [
      "temperature \(FigureText.decimal(result.model.calibration.temperature, digits: 4))",
      "name threshold \(Thresholds(result.model.calibration).nameThreshold)",
      FigureText.count(result.iterations, "step"),
    ]
    let chosen = result.searchesSubset ? result.chosen : nil
    let ofAll = chosen.map { trial in
      "chosen settings on all held-out photos: accuracy \(FigureText.percent(trial.accuracy)), "
        + "loss \(FigureText.decimal(trial.loss, digits: 4))"
    }
    return [
      "cross-validation by session (chosen: the first setting whose accuracy is within one standard error of the best):",
      TextColumns.aligned([header] + rows),
      ofAll, figures.joined(separator: ", "),
    ].compactMap(\.self).joined(separator: "\n")
  }

  private func isChosen(_ settings: ClassifierSettings) -> Bool {
    settings.regularization == result.model.provenance.regularization
      && settings.whitening == result.model.provenance.whitening
      && settings.colorWeight == result.model.recipe.colorWeight
  }
}

struct UpdateSummary {
  private let model: String
  private let changes: TrainingChanges
  private let features: (reused: Int, described: Int)

  init(of base: Model, path: String, by result: TrainingResult) {
    model = path
    changes = TrainingChanges(from: base.provenance, to: result.model.provenance)
    features = (result.reused, result.described)
  }

  var json: JSONObject {
    [
      "model": model, "labels_added": changes.added, "labels_removed": changes.removed,
      "labels_renamed": changes.renamed.map { ["from": $0.from, "to": $0.to] },
      "photos_added": changes.photosAdded, "photos_removed": changes.photosRemoved,
      "photos_moved": changes.photosMoved,
      "recall_changed": changes.recall.map { change -> JSONObject in
        ["label": change.label, "before": change.before, "after": change.after]
      },
    ]
  }

  var warnings: [String] {
    var warnings = changes.removed.filter(Labels.isBackground).map {
      "the background class \($0) of \(model) was removed; to keep it, give its photos with --negatives"
    }
    if changes.photosDoubled > 0 {
      warnings.append(
        "\(FigureText.count(changes.photosDoubled, "photo")) of \(model) found under two labels; keep one, and "
          + "if --add caused this, train again on all photos without --add"
      )
    }
    // Training photos that the model already had and whose features were computed again.
    let describedAgain = features.described - changes.photosAdded
    if describedAgain > 0 {
      warnings.append(
        "the features of \(FigureText.count(describedAgain, "photo")) of \(model) were not in the cache "
          + "and were computed again")
    }
    return warnings
  }

  var text: String {
    let lists = [
      ("added", changes.added), ("removed", changes.removed),
      ("renamed", changes.renamed.map { "\($0.from) to \($0.to)" }),
    ]
    var rows = lists.filter { !$0.1.isEmpty }.map {
      VisibleText.line("  \($0.0): " + $0.1.joined(separator: ", "))
    }
    rows += [
      "  photos: \(changes.photosAdded) added, \(changes.photosRemoved) removed, "
        + "\(changes.photosMoved) moved to another label",
      "  features: \(features.reused) reused, \(features.described) computed",
      "  out-of-fold recall:" + (changes.recall.isEmpty ? " unchanged" : ""),
    ]
    if !changes.recall.isEmpty {
      let table = changes.recall.map {
        [$0.label, Self.text($0.before), "to", Self.text($0.after)]
      }
      rows.append(TextColumns.aligned(table, indent: 4))
    }
    return ([VisibleText.line("changes since \(model):")] + rows).joined(separator: "\n")
  }

  private static func text(_ recall: Provenance.Recall?) -> String {
    guard let recall else { return "-" }
    let share = Double(recall.right) / Double(max(1, recall.asked))
    return "\(FigureText.percent(share)) (\(recall.right) of \(recall.asked))"
  }
}

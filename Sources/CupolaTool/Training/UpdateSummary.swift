import Cupola
import CupolaTraining

/// What `cupola train --update` tells beside what every training does.
struct UpdateSummary {
  /// The model that was updated.
  private let model: String
  private let changes: TrainingChanges
  /// Photos whose features came from the cache, and photos whose features were computed.
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
      "the background \($0) of \(model) is gone; to keep it, give its photos again (--negatives)"
    }
    if changes.photosDoubled > 0 {
      warnings.append(
        "\(FigureText.count(changes.photosDoubled, "photo")) of \(model) now also under another label; keep each "
          + "under the right one only, and if it came by --add train again on all photos without --add"
      )
    }
    // Photos that the model knew and whose features had to be computed all the same.
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
        + "\(changes.photosMoved) under another label",
      "  features: \(features.reused) reused, \(features.described) computed",
      "  recall out of fold:" + (changes.recall.isEmpty ? " unchanged" : ""),
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

import Cupola
import CupolaTraining

/// What `cupola train --update` tells beside what every training does.
struct UpdateSummary: Encodable {
  struct Renaming: Encodable {
    let from: String
    let to: String
  }

  struct RecallChange: Encodable {
    let label: String
    let before: Provenance.Recall?
    let after: Provenance.Recall?
  }

  /// The model that was updated.
  let model: String
  let labelsAdded: [String]
  let labelsRemoved: [String]
  let labelsRenamed: [Renaming]
  let photosAdded: Int
  let photosRemoved: Int
  let photosMoved: Int
  let recall: [RecallChange]
  /// Photos that the model knew and whose features had to be computed all the same.
  private let describedAgain: Int

  private enum CodingKeys: String, CodingKey {
    case model
    case labelsAdded = "labels_added"
    case labelsRemoved = "labels_removed"
    case labelsRenamed = "labels_renamed"
    case photosAdded = "photos_added"
    case photosRemoved = "photos_removed"
    case photosMoved = "photos_moved"
    case recall = "recall_changed"
  }

  init(of base: Model, path: String, by result: TrainingResult) {
    let changes = TrainingChanges(from: base.provenance, to: result.model.provenance)
    model = path
    labelsAdded = changes.added
    labelsRemoved = changes.removed
    labelsRenamed = changes.renamed.map { Renaming(from: $0.from, to: $0.to) }
    photosAdded = changes.photosAdded
    photosRemoved = changes.photosRemoved
    photosMoved = changes.photosMoved
    recall = changes.recall.map {
      RecallChange(label: $0.label, before: $0.before, after: $0.after)
    }
    describedAgain = max(0, result.described - changes.photosAdded)
  }

  var warnings: [String] {
    var warnings = labelsRemoved.filter(Labels.isBackground).map {
      "the background \($0) of \(model) is gone; to keep it, give its photos again (--negatives)"
    }
    if describedAgain > 0 {
      warnings.append(
        "the features of \(FigureText.count(describedAgain, "photo")) of \(model) were not in the cache "
          + "and were computed again")
    }
    return warnings
  }

  /// - Parameters:
  ///   - reused: photos whose features came from the cache.
  ///   - described: photos whose features were computed.
  func text(reused: Int, described: Int) -> String {
    let lists = [
      ("added", labelsAdded), ("removed", labelsRemoved),
      ("renamed", labelsRenamed.map { "\($0.from) to \($0.to)" }),
    ]
    var rows = lists.filter { !$0.1.isEmpty }.map { "  \($0.0): " + $0.1.joined(separator: ", ") }
    rows.append(
      "  photos: \(photosAdded) added, \(photosRemoved) removed, \(photosMoved) under another label"
    )
    rows.append("  features: \(reused) reused, \(described) computed")
    if recall.isEmpty {
      rows.append("  recall out of fold: unchanged")
    } else {
      rows.append("  recall out of fold:")
      rows.append(
        Format.table(
          recall.map { [$0.label, Self.text($0.before), "to", Self.text($0.after)] }, indent: 4))
    }
    return (["changes since \(model):"] + rows).joined(separator: "\n")
  }

  private static func text(_ recall: Provenance.Recall?) -> String {
    guard let recall else { return "-" }
    let share = Double(recall.right) / Double(max(1, recall.asked))
    return "\(FigureText.percent(share)) (\(recall.right) of \(recall.asked))"
  }
}

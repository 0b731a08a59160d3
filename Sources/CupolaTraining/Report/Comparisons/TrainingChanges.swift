package import Cupola

// The changes made by an update: labels, photos and recall.
// 1. Find added, removed and renamed labels. 2. Match photos by digest, regardless of their paths.
// 3. Compare the recall of each building.

package struct TrainingChanges: Equatable, Sendable {
  package let added: [String]
  package let removed: [String]
  /// Labels that have more than half of their photos under a new label.
  package let renamed: [Renaming]
  package let photosAdded: Int
  package let photosRemoved: Int
  package let photosMoved: Int
  /// The number of photos that have an additional label.
  package let photosDoubled: Int
  package let recall: [RecallChange]

  package struct Renaming: Equatable, Sendable {
    package let from: String
    package let to: String
  }

  package struct RecallChange: Equatable, Sendable {
    package let label: String
    package let before: Provenance.Recall?
    package let after: Provenance.Recall?
  }

  package init(from old: Provenance, to new: Provenance) {
    let labels = (old: Set(old.photos.keys), new: Set(new.photos.keys))
    let gone = labels.old.subtracting(labels.new).sorted()
    let come = labels.new.subtracting(labels.old).sorted()
    let renamed = gone.compactMap { label in
      Self.newName(of: label, among: come, old, new).map { Renaming(from: label, to: $0) }
    }
    let names = Dictionary(uniqueKeysWithValues: renamed.map { ($0.from, $0.to) })
    self.renamed = renamed
    removed = gone.filter { names[$0] == nil }
    let newNames = Set(names.values)
    added = come.filter { !newNames.contains($0) }
    let before = Self.labels(ofPhotosIn: old) { names[$0] ?? $0 }
    let after = Self.labels(ofPhotosIn: new) { $0 }
    photosAdded = after.reduce(0) { $0 + max(0, $1.value.count - (before[$1.key]?.count ?? 0)) }
    photosRemoved = before.reduce(0) { $0 + max(0, $1.value.count - (after[$1.key]?.count ?? 0)) }
    photosMoved = after.count { photo, labels in
      before[photo].map { Set($0).isDisjoint(with: labels) } ?? false
    }
    photosDoubled = after.count { photo, labels in
      before[photo].map { Set($0).isStrictSubset(of: labels) } ?? false
    }
    recall = Self.recall(old, new, names)
  }

  private static func newName(
    of label: String, among candidates: [String], _ old: Provenance, _ new: Provenance
  ) -> String? {
    let photos = Set(old.photoDigests[label]?.values ?? [])
    func shared(_ candidate: String) -> Int {
      photos.intersection(new.photoDigests[candidate]?.values ?? []).count
    }
    return candidates.first { 2 * shared($0) > photos.count }
  }

  private static func labels(
    ofPhotosIn record: Provenance, named name: (String) -> String
  ) -> [String: [String]] {
    var labels: [String: [String]] = [:]
    for (label, photos) in record.photoDigests {
      for photo in photos.values { labels[photo, default: []].append(name(label)) }
    }
    return labels
  }

  private static func recall(
    _ old: Provenance, _ new: Provenance, _ names: [String: String]
  ) -> [RecallChange] {
    var before: [String: Provenance.Recall] = [:]
    for (label, recall) in old.recall {
      let name = names[label] ?? label
      before[name] =
        before[name].map {
          Provenance.Recall(right: $0.right + recall.right, asked: $0.asked + recall.asked)
        } ?? recall
    }
    return new.photos.keys.sorted().compactMap { label in
      let (before, after) = (before[label], new.recall[label])
      return isChange(before, after)
        ? RecallChange(label: label, before: before, after: after) : nil
    }
  }

  private static func isChange(_ before: Provenance.Recall?, _ after: Provenance.Recall?) -> Bool {
    guard let before, let after else { return before != after }
    // Counts from a model file may be so large that their product would overflow.
    return before.right.multipliedFullWidth(by: after.asked)
      != after.right.multipliedFullWidth(by: before.asked)
  }
}

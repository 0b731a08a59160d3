internal import Cupola

/// Which photos of a retrieval model stay as they are remembered, and which are to be described.
struct RememberedPhotos {
  /// Labels all of whose remembered photos stay.
  let kept: Set<String>
  /// Photos that the model does not know, or whose label has lost some.
  let new: [LabeledPhoto]

  /// - Parameters:
  ///   - provenance: of the model.
  ///   - photos: all that are to be remembered, each with the SHA-256 of its file.
  ///   - keepsOthers: whether what was not given stays, too; of drawn pictures it always does.
  init(
    of provenance: Provenance, _ photos: [(photo: LabeledPhoto, digest: String)],
    keepsOthers: Bool
  ) {
    let given = Dictionary(grouping: photos, by: \.photo.label)
    var kept: Set<String> = []
    var unknown: [LabeledPhoto] = []
    for label in Set(given.keys).union(provenance.photos.keys).sorted() {
      var remembered = Self.counts(provenance.photoDigests[label]?.values ?? [])
      let others = (given[label] ?? []).filter { _, digest in
        let short = PhotoDigests(sha256: [digest]).values[0]
        guard let left = remembered[short], left > 0 else { return true }
        remembered[short] = left - 1
        return false
      }
      let stays = keepsOthers || (given[label] == nil && DrawnPhotos.labels.contains(label))
      if stays || remembered.values.allSatisfy({ $0 == 0 }) {
        if provenance.photos[label] != nil { kept.insert(label) }
        unknown += others.map(\.photo)
      } else {
        // What the provenance tells of copies is of all of a label's photos together.
        unknown += (given[label] ?? []).map(\.photo)
      }
    }
    (self.kept, new) = (kept, unknown)
  }

  private static func counts(_ digests: [String]) -> [String: Int] {
    digests.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }
}

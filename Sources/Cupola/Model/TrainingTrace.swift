/// What a model keeps of the photos that trained it and can answer without.
public enum TrainingTrace: String, CaseIterable, Sendable {
  /// Perceptual hashes of photos and of their middles: who has a photo sees that it, or one much like it, trained.
  case hashes
  /// The first 8 bytes of each file's SHA-256: who has the very file sees that it trained.
  case digests
  /// Where photos were taken from, to meters: where the photographers stood.
  case viewpoints
}

extension Model {
  /// How much the model keeps of the photos that trained it: hashes, digests, or places.
  public func count(of trace: TrainingTrace) -> Int {
    switch trace {
    case .hashes:
      provenance.photoHashes.values.reduce(0) { $0 + $1.values.count }
        + provenance.photoMiddles.values.reduce(0) { $0 + $1.values.count }
    case .digests: provenance.photoDigests.values.reduce(0) { $0 + $1.values.count }
    case .viewpoints: place?.viewpoints.values.reduce(0) { $0 + $1.count } ?? 0
    }
  }

  /// The model without some of what it keeps of the photos that trained it.
  ///
  /// Answers from the picture stay the same; without viewpoints a place says only what the map knows.
  public func stripping(_ traces: Set<TrainingTrace>) -> Model {
    var model = self
    if traces.contains(.hashes) {
      model.provenance.photoHashes = [:]
      model.provenance.photoMiddles = [:]
    }
    if traces.contains(.digests) { model.provenance.photoDigests = [:] }
    if traces.contains(.viewpoints) { model.place?.viewpoints = [:] }
    return model
  }
}

import Cupola
import CupolaTraining

/// What to ask about, and what training for a baseline may see.
struct EvaluationMaterial {
  /// Where the photos are, for messages.
  let path: String
  /// Buildings and backgrounds of the folder.
  var photos: [LabeledPhoto] = []
  /// Photos of the folder of negatives.
  var negatives: [LabeledPhoto] = []
  /// Photos of the parts that train, but for those asked about.
  var training: [LabeledPhoto] = []
  /// The photos of the folder, of all parts; `nil` where there is no folder.
  var set: PhotoSet?
  /// What is there and cannot be asked about.
  var skipped: [SkippedFile] = []
  /// What shards have of the photos.
  var known: SeenPhotos?

  /// All photos to ask about.
  var listed: [LabeledPhoto] { known?.listed ?? photos + negatives }

  /// What the options of the command name.
  ///
  /// - Parameter digest: SHA-256 of the model's file.
  init(_ command: Evaluate, of model: Model, _ digest: String) throws {
    let shards = try command.predictions.map {
      try PredictionShards(folder: $0, of: model, digest: digest)
    }
    path = command.photos ?? command.predictions ?? ""
    guard let photos = command.photos else {
      known = shards?.seen
      return
    }
    try list(photos, command, model)
    known = try shards?.seen(of: self.photos + negatives)
  }

  private mutating func list(_ path: String, _ command: Evaluate, _ model: Model) throws {
    let part = command.part
    let (set, others) = try command.tables.sets(
      in: path, split: command.split, negatives: command.negatives)
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: path) }
    photos = set.photos(for: part.splits)
    negatives = others?.photos(for: part.splits) ?? []
    guard !(photos + negatives).isEmpty else { throw TrainingError.emptyPart(part.rawValue) }
    // What is taken for a misspelled label is refused.
    for label in set.onlyTested
    where !model.labels.names.contains(label) && TableOptions.meant(by: label, model) == nil {
      Console.note("warning: " + TableOptions.onlyTested(label, model))
    }
    let sets = [set] + (others.map { [$0] } ?? [])
    training = sets.filter(\.isDivided).flatMap { $0.photos(for: part.trainingSplits) }
    skipped = sets.flatMap(\.skipped)
    self.set = set
  }
}

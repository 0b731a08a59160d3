@testable import Cupola
@testable import CupolaTraining

/// Targets for shards of distributed work and for caches.
extension FuzzTarget {
  static let shards: [FuzzTarget] = [
    FuzzTarget("shard") { bytes in
      let folder = FuzzFolder()
      defer { folder.remove() }
      try folder.fill(["1.safetensors": bytes])
      read(folder.path + "/1.safetensors")
      guard let file = try? SafeTensors(bytes: bytes) else { return }
      try keep(file, in: folder)
      guard seal(file, as: folder.path + "/1.safetensors") else { return }
      try readFeatures(folder)
      try readPredictions(folder)
    }
  ]

  private static func read(_ path: String) {
    _ = try? FeaturePlan(contentsOf: path)
    _ = try? FeatureShard(contentsOf: path)
    _ = try? PredictionShard(contentsOf: path, labels: 3)
  }

  /// Writes the tensors with a matching digest, version, kernel and model, so that fuzzing reaches the code behind
  /// those checks.
  private static func seal(_ file: SafeTensors, as path: String) -> Bool {
    var (tensors, metadata) = (file.tensors, file.metadata)
    tensors[SealedTensors.seal] = nil
    for (name, own) in [
      "cupola_version": cupolaVersion, "kernel": PackedMatrix.kernel, "model": FuzzModel.digest,
    ] where metadata[name] != nil {
      metadata[name] = own
    }
    let ordered = SafeTensors.ordered(tensors)
    let places = ordered.map { ($0.name, $0.tensor.type, $0.tensor.shape) }
    let written: Void? = try? SealedTensors.write(
      places, metadata: metadata, bytes: ordered.map(\.tensor.bytes), to: path)
    return written != nil
  }

  private static func readFeatures(_ folder: FuzzFolder) throws(FuzzFailure) {
    guard let shards = try? FeatureShards(folder: folder.path) else { return }
    for row in shards.rows { _ = (row.features.loaded, row.traits.thumbnail?.isPlain) }
    try FuzzFailure.unless(
      (try? shards.failures.check()) != nil, "the features of a valid shard cannot be read")
    let path = folder.path + "/plan"
    guard (try? shards.plan.write(to: path)) != nil, let again = try? FeaturePlan(contentsOf: path)
    else { throw FuzzFailure("a plan cannot be written and read again") }
    try FuzzFailure.unless(
      again.difference(to: shards.plan) == nil, "the plan changed after writing and reading")
  }

  private static func readPredictions(_ folder: FuzzFolder) throws(FuzzFailure) {
    let model = try FuzzModel.model()
    let (path, labels) = (folder.path, model.labels.names)
    guard
      let seen = try? PredictionShards(folder: path, of: model, digest: FuzzModel.digest).seen,
      (try? TrainingError.check(seen.listed, in: path, against: labels)) != nil
    else { return }
    let evaluation = FuzzTask.result { await Evaluator(model).evaluate(seen) }
    guard let evaluation else { throw FuzzFailure("the predictions were not evaluated") }
    let report = EvaluationReport(evaluation)
    try FuzzFailure.unless((try? report.bytes()) != nil, "a report cannot be written")
    _ = (
      EvaluationReport.tables.map { $0.table(report).csv }, EvaluationText(report, width: 80).text
    )
  }

  /// Reads a cache file that another program wrote, then writes and reads the tensors.
  private static func keep(_ file: SafeTensors, in folder: FuzzFolder) throws(FuzzFailure) {
    let cache = FeatureCache(folder: folder.path + "/cache")
    let key = FeatureCache.Key(["fuzz"])
    guard (try? cache.prepare()) != nil, let bytes = try? file.bytes(),
      (try? FileAccess.write(bytes, to: cache.path(of: key))) != nil
    else { throw FuzzFailure("cannot write \(cache.folder)") }
    _ = (cache.read(key), cache.place(of: "features", key))
    guard cache.write(file.tensors, key) else { return }
    let kept = cache.read(key)
    try FuzzFailure.unless(
      kept?.tensors == file.tensors, "the tensors changed after writing and reading")
    guard let kept else { return }
    _ = try? FuzzModel.model().recipe.features.extractor(in: kept)
  }
}

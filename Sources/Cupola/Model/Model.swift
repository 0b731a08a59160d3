#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import CupolaCampus

// 1. `Model` is everything that was learned.
// 2. It is read from a file or from bytes, and written.
// 3. What it keeps of training photos can be counted and removed.

/// Everything that was learned, and everything needed to use it: read from a file, or made by training.
public struct Model: Equatable, Sendable {
  /// From a photo to its feature vector.
  package var recipe: Recipe
  /// The recipe's features, with what was learned for them.
  package var extractor: FeatureExtractor
  /// The names of the classifier's rows.
  public package(set) var labels: Labels
  /// From a feature vector to logits.
  package var classifier: Classifier
  /// From logits to probabilities and a decision.
  package var calibration: Calibration
  /// The geofence and the catalog, if the model was trained with a map.
  public package(set) var campus: Campus?
  /// What place and heading say; `nil` when neither photos nor map knew any place.
  package var place: PlaceModel?
  /// How it was made.
  package var provenance: Provenance
  /// How feature vectors become logits.
  package var classifierKind: ClassifierKind { classifier.kind }
  /// How its file stores the weights; ``rounded(to:)`` changes it.
  package var weightFormat: WeightFormat
  /// Whether the file it was read from has a digest of all of it, as models that are written have; older ones have
  /// one of their tensors, so that damage to their texts goes unseen.
  package var isSealed = true

  package init(
    recipe: Recipe, extractor: FeatureExtractor, labels: Labels, classifier: Classifier,
    calibration: Calibration, campus: Campus?, place: PlaceModel? = nil, provenance: Provenance,
    weightFormat: WeightFormat = .float32
  ) {
    precondition(
      labels.names.count == classifier.biases.count,
      "\(labels.names.count) labels, \(classifier.biases.count) rows of weights")
    precondition(
      recipe.featureCount == classifier.featureCount,
      "\(recipe.featureCount) features, \(classifier.featureCount) columns of weights")
    precondition(extractor.settings == recipe.features, "features of another recipe")
    self.recipe = recipe
    self.extractor = extractor
    self.labels = labels
    self.classifier = classifier
    self.calibration = calibration
    self.campus = campus
    self.place = place
    self.provenance = provenance
    self.weightFormat = weightFormat
  }
}

extension Model {
  /// Reads a model file's bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` or ``CupolaError/badCampus(_:)`` when anything about them is
  ///   not as it should be.
  public init(bytes: [UInt8]) throws(CupolaError) {
    self = try Self.typed {
      let file = try SafeTensors(bytes: bytes, mostTensors: ModelBounds.tensors)
      return try ModelFile.model(in: file, bytes)
    }
  }

  /// Reads a model file.
  ///
  /// - Throws: ``CupolaError/file(_:)``, and as ``init(bytes:)`` does.
  public init(contentsOf path: String) throws(CupolaError) {
    try self.init(
      bytes: try Self.typed { try FileAccess.read(path, limit: ModelFile.maximumBytes) })
  }

  /// Reads a model file; see ``init(bytes:)``.
  ///
  /// - Throws: as ``init(bytes:)`` does, and ``CupolaError/file(_:)``.
  public init(contentsOf url: URL) throws(CupolaError) {
    try self.init(contentsOf: url.filePath)
  }

  /// The model as a file: equal models give equal bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when no file can hold it.
  public func bytes() throws(CupolaError) -> [UInt8] {
    try Self.typed { try ModelFile.bytes(of: self) }
  }

  /// Writes the model, replacing a file only when the new one is whole and on the disk.
  ///
  /// - Throws: ``CupolaError/file(_:)``, and as ``bytes()`` does.
  public func write(to path: String) throws(CupolaError) {
    let bytes = try bytes()
    try Self.typed { try FileAccess.write(bytes, to: path) }
  }

  /// Writes the model; see ``write(to:)``.
  ///
  /// - Throws: as that does.
  public func write(to url: URL) throws(CupolaError) { try write(to: url.filePath) }

  static func typed<Result>(_ body: () throws -> Result) throws(CupolaError) -> Result {
    do {
      return try body()
    } catch let error as CupolaError {
      throw error
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .badModel(.badHeader("\(error)"))
    }
  }
}

/// What a model keeps of the photos that trained it and can answer without.
package enum TrainingTrace: String, CaseIterable, Sendable {
  /// Perceptual hashes of photos and of their middles: who has a photo sees that it, or one much like it, trained.
  case hashes
  /// The first 8 bytes of each file's SHA-256: who has the very file sees that it trained.
  case digests
  /// Where photos were taken from, to meters: where the photographers stood.
  case viewpoints
}

extension Model {
  /// How much the model keeps of the photos that trained it: hashes, digests, or places.
  package func count(of trace: TrainingTrace) -> Int {
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
  package func stripping(_ traces: Set<TrainingTrace>) -> Model {
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

extension Model {
  /// The building that logits, one a label, stand for; `nil` when they stand for none.
  package func building(logits: [Float]) -> String? {
    let decision = Decision(labels: labels, point: OperatingPoint(calibration))
    let probabilities = Softmax.probabilities(logits, temperature: calibration.temperature)
    let outcome = decision.outcome(probabilities)
    return outcome.reason == .recognized ? outcome.ranked.first.map { labels.names[$0] } : nil
  }
}

extension URL {
  /// The path of a file; of anything else what no file is called.
  var filePath: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
internal import CupolaCampus

// 1. `Model` holds all results of training.
// 2. A model is read from and written to a file or bytes.
// 3. Data about the training photos can be counted and removed.

/// A trained model with all data that recognition needs.
public struct Model: Equatable, Sendable {
  package var recipe: Recipe
  package var extractor: FeatureExtractor
  package var labels: Labels
  package var classifier: Classifier
  /// Sets the logit of ``Labels/unfamiliar``; `nil` if this logit is constant.
  package var novelty: NoveltyDetector?
  package var calibration: Calibration
  /// The fence and the building catalog, if the model was trained with a map.
  public package(set) var campus: Campus?
  /// The place model; `nil` if neither the photos nor the map contain positions.
  package var place: PlaceModel?
  package var provenance: Provenance
  package var classifierKind: ClassifierKind { classifier.kind }
  /// The storage format of the weights; change it with ``rounded(to:)``.
  package var weightFormat: WeightFormat
  /// Whether the model's file has a digest over its whole content. Older files only have a digest over the tensors.
  package var isSealed = true

  package init(
    recipe: Recipe, extractor: FeatureExtractor, labels: Labels, classifier: Classifier,
    novelty: NoveltyDetector? = nil, calibration: Calibration, campus: Campus?,
    place: PlaceModel? = nil, provenance: Provenance, weightFormat: WeightFormat = .float32
  ) {
    precondition(
      labels.names.count == classifier.biases.count,
      "\(labels.names.count) labels, \(classifier.biases.count) rows of weights")
    precondition(
      recipe.featureCount == classifier.featureCount,
      "\(recipe.featureCount) features, \(classifier.featureCount) columns of weights")
    precondition(extractor.settings == recipe.features, "features do not match the recipe")
    precondition(
      novelty.map { $0.directions.columns == recipe.featureCount } ?? true,
      "the novelty detector has other features")
    self.recipe = recipe
    self.extractor = extractor
    self.labels = labels
    self.classifier = classifier
    self.novelty = novelty
    self.calibration = calibration
    self.campus = campus
    self.place = place
    self.provenance = provenance
    self.weightFormat = weightFormat
  }
}

extension Model {
  /// Reads a model from the bytes of a file.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` or ``CupolaError/badCampus(_:)`` if the content is invalid.
  public init(bytes: [UInt8]) throws(CupolaError) {
    self = try Self.typed {
      let file = try SafeTensors(bytes: bytes, mostTensors: ModelBounds.tensors)
      return try ModelFile.model(in: file, bytes)
    }
  }

  /// Reads a model from the file at a path; see ``init(bytes:)``.
  public init(contentsOf path: String) throws(CupolaError) {
    try self.init(
      bytes: try Self.typed { try FileAccess.read(path, limit: ModelFile.maximumBytes) })
  }

  /// Reads a model from the file at a URL; see ``init(bytes:)``.
  public init(contentsOf url: URL) throws(CupolaError) {
    try self.init(contentsOf: url.filePath)
  }

  /// Returns the content of the model's file. Equal models produce equal bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` if the model exceeds the limits of the format.
  public func bytes() throws(CupolaError) -> [UInt8] {
    try Self.typed { try ModelFile.bytes(of: self) }
  }

  /// Writes the model to a file, replacing an existing file atomically.
  ///
  /// - Throws: ``CupolaError/file(_:)`` if the file cannot be written, and the same errors as ``bytes()``.
  public func write(to path: String) throws(CupolaError) {
    let bytes = try bytes()
    try Self.typed { try FileAccess.write(bytes, to: path) }
  }

  /// Writes the model to the file at a URL; see ``write(to:)``.
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

/// Optional data about the training photos that a model stores.
package enum TrainingTrace: String, CaseIterable, Sendable {
  /// Perceptual hashes of the photos and their centers. They reveal whether a similar photo was used for training.
  case hashes
  /// The first 8 bytes of each file's SHA-256. They reveal whether an identical file was used for training.
  case digests
  /// The training photos' camera positions, rounded to about 0.1 m. They reveal where the photographers were.
  case viewpoints
}

extension Model {
  package func count(of trace: TrainingTrace) -> Int {
    switch trace {
    case .hashes:
      provenance.photoHashes.values.reduce(0) { $0 + $1.values.count }
        + provenance.photoMiddles.values.reduce(0) { $0 + $1.values.count }
    case .digests: provenance.photoDigests.values.reduce(0) { $0 + $1.values.count }
    case .viewpoints: place?.viewpoints.values.reduce(0) { $0 + $1.count } ?? 0
    }
  }

  /// Returns the model without the given data about its training photos.
  /// Answers from the image alone do not change. Without viewpoints, positions are compared with the map only.
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
  /// Returns one logit per label for a feature vector.
  package func logits(_ features: [Float]) -> [Float] {
    var logits = classifier.logits(features)
    novelty?.complete(
      &logits, of: features, labels: labels, temperature: calibration.temperature)
    return logits
  }

  /// Returns the rule that turns the probabilities of the model's labels into an answer.
  ///
  /// - Parameter point: The thresholds; `nil` for those of the default error rate.
  package func decisionRule(at point: Thresholds? = nil) -> DecisionRule {
    DecisionRule(labels: labels, point: point ?? Thresholds(calibration))
  }

  /// Returns the label of the building named for these logits; `nil` if no building is named.
  package func building(logits: [Float]) -> String? {
    let probabilities = Softmax.probabilities(logits, temperature: calibration.temperature)
    let outcome = decisionRule().outcome(probabilities)
    return outcome.reason == .recognized ? outcome.ranked.first.map { labels.names[$0] } : nil
  }
}

extension URL {
  /// The file path; for URLs other than file URLs, the URL itself, which no file has as its path.
  var filePath: String { isFileURL ? path(percentEncoded: false) : absoluteString }
}

extension Model {
  /// The number of buildings with held-out photos in training; 0 if the model does not record it.
  package var calibratedBuildings: Int {
    labels.buildings.count { provenance.recall[labels.names[$0]] != nil }
  }

  /// Whether training could hold out photos to fit the probabilities and the threshold.
  package var isCalibrated: Bool { calibration.wrongNames != nil || calibratedBuildings > 0 }
}

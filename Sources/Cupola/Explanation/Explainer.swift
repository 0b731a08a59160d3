// 1. Prepare the photo and compute its features, as recognition does.
// 2. Choose two labels and compute each feature's contribution to the difference of their logits.
// 3. Map the contributions to positions in the image (`EvidenceMap`).

/// Computes which parts of a photo led to an answer.
public struct Explainer: Sendable {
  package let model: Model
  private let point: Thresholds

  /// Creates an explainer for a model.
  ///
  /// - Parameters:
  ///   - model: The trained model.
  ///   - maximumError: The error rate of the ``Recognizer`` whose answers are explained; `nil` for the default.
  public init(model: Model, maximumError: Double? = nil) {
    self.init(model: model, point: Thresholds(model.calibration, maximumError: maximumError))
  }

  /// - Parameter point: The thresholds of the answers to explain.
  package init(model: Model, point: Thresholds) { (self.model, self.point) = (model, point) }

  /// Explains a photo.
  ///
  /// - Parameters:
  ///   - photo: The opened photo.
  ///   - label: The label to explain; `nil` for the most probable building from the image alone.
  ///   - against: The label to compare with. If `nil`, the most probable building is compared with the background class
  ///     that rejects the image, if any, and all other labels with the most probable other building.
  /// - Throws: ``CupolaError`` if the photo cannot be used, ``CupolaError/unknownLabel(_:)``, or
  ///   ``CupolaError/noOtherLabel(_:)`` if both labels are equal or the model has only one.
  public func explain(
    _ photo: Photo, label: String? = nil, against: String? = nil
  ) throws(CupolaError) -> Explanation {
    try explain(model.recipe.decode(photo), label: label, against: against)
  }

  /// Explains an upright image, such as a camera frame; see ``explain(_:label:against:)``.
  public func explain(
    _ image: RGBImage, label: String? = nil, against: String? = nil
  ) throws(CupolaError) -> Explanation {
    let recipe = model.recipe
    let input = recipe.prepare(image, geometry: recipe.geometry)
    let features = try model.extractor.features(of: input)
    let logits = model.logits(features)
    let all = Softmax.probabilities(logits, temperature: model.calibration.temperature)
    let pair = try pair(label, against, logits, all)
    let linear = linear(at: features, pair, logits)
    let map = model.extractor.evidence(contributions(features, linear), of: input)
    // Other comparisons assume that the image shows one of the labels.
    let probabilities =
      [pair.label, pair.against].contains(model.labels.unfamiliar)
      ? all : model.labels.amongFamiliar(all)
    return Explanation(
      label: model.labels.names[pair.label], against: model.labels.names[pair.against],
      probability: probabilities[pair.label], againstProbability: probabilities[pair.against],
      logitDifference: Double(logits[pair.label]) - Double(logits[pair.against]),
      biasDifference: Double(linear.biases[0]) - Double(linear.biases[1]), map: map,
      region: region(of: image),
      areas: ImageArea.areas(of: input, columns: map.columns, rows: map.rows),
      cells: model.extractor.cells(of: input), match: match(features, pair.label))
  }

  /// Returns the features of a photo, with L2 norm 1; the inner product of two photos is their cosine similarity.
  package func features(of photo: Photo) throws(CupolaError) -> [Float] {
    let recipe = model.recipe
    let image = recipe.prepare(try recipe.decode(photo), geometry: recipe.geometry)
    return try model.extractor.features(of: image)
  }

  private typealias Pair = (label: Int, against: Int)

  private func pair(
    _ label: String?, _ against: String?, _ logits: [Float], _ probabilities: [Double]
  ) throws(CupolaError) -> Pair {
    let ranked = logits.indices.sorted { logits[$0] > logits[$1] }
    let best = ranked.first { !Labels.isBackground(model.labels.names[$0]) }
    let other = try against.map(index)
    guard let first = try label.map(index) ?? best ?? ranked.first else {
      throw CupolaError.noOtherLabel("")
    }
    let others = ranked.filter { $0 != first }
    let runnerUp = others.first { !Labels.isBackground(model.labels.names[$0]) } ?? others.first
    let refusal = first == best ? refusal(probabilities) : nil
    guard let second = other ?? refusal ?? runnerUp, second != first else {
      throw CupolaError.noOtherLabel(model.labels.names[first])
    }
    return (first, second)
  }

  /// The background class that rejects the image; `nil` if the image is not rejected.
  private func refusal(_ probabilities: [Double]) -> Int? {
    switch model.decisionRule(at: point).refusal(probabilities) {
    case .unknownBuilding: return model.labels.unfamiliar
    case nil: return nil
    default: return model.labels.trainedBackgrounds.max { probabilities[$0] < probabilities[$1] }
    }
  }

  private func index(of label: String) throws(CupolaError) -> Int {
    guard let index = model.labels.names.firstIndex(of: label) else {
      throw CupolaError.unknownLabel(label)
    }
    return index
  }

  /// Returns the linear functions of the two logits near the image.
  ///
  /// A novelty detector compares the image with the mean of the building that is most similar. This similarity is the
  /// evidence for a label versus ``Labels/unfamiliar``, whose logit changes by the same amount.
  private func linear(at features: [Float], _ pair: Pair, _ logits: [Float]) -> LinearClassifier {
    guard let novelty = model.novelty, let unfamiliar = model.labels.unfamiliar,
      [pair.label, pair.against].contains(unfamiliar)
    else { return model.classifier.linear(at: features, labels: [pair.label, pair.against]) }
    let evidence = novelty.evidence(at: features).map {
      $0 * Float(model.calibration.temperature)
    }
    let none = [Float](repeating: 0, count: evidence.count)
    let isUnfamiliar = pair.label == unfamiliar
    let weights = Matrix(
      rows: 2, columns: evidence.count, values: isUnfamiliar ? none + evidence : evidence + none)
    let known = zip(features, evidence).reduce(0) { $0 + Double($1.0) * Double($1.1) }
    let difference = Double(logits[pair.label]) - Double(logits[pair.against])
    return LinearClassifier(
      weights: weights, biases: [Float(difference + (isUnfamiliar ? known : -known)), 0])
  }

  /// Returns the contribution of each feature to the logit difference. `linear` has one row per label.
  private func contributions(_ features: [Float], _ linear: LinearClassifier) -> [Double] {
    let weights = linear.weights
    let own = weights.values[weights.range(ofRow: 0)]
    let other = weights.values[weights.range(ofRow: 1)]
    return zip(features, zip(own, other)).map { Double($0) * (Double($1.0) - Double($1.1)) }
  }

  private func match(_ features: [Float], _ label: Int) -> Explanation.Match? {
    guard case .retrieval(let retrieval) = model.classifier,
      let nearest = retrieval.nearest(to: features, of: label)
    else { return nil }
    let photo = (nearest.view - retrieval.views(of: label).lowerBound) / retrieval.viewsPerPhoto
    let digests = model.provenance.photoDigests[model.labels.names[label]]?.values ?? []
    return digests.indices.contains(photo)
      ? Explanation.Match(digest: digests[photo], cosine: nearest.cosine) : nil
  }

  private func region(of image: RGBImage) -> UnitRect {
    let region = model.recipe.geometry.region(width: image.width, height: image.height)
    let (width, height) = (Double(image.width), Double(image.height))
    return UnitRect(
      x: Double(region.x) / width, y: Double(region.y) / height,
      width: Double(region.width) / width, height: Double(region.height) / height)
  }
}

/// The evidence in an image for one label versus another.
///
/// The values of ``map`` and `biasDifference` sum to `logitDifference`, except for rounding. They are exact for softmax
/// classifiers, which are linear. For retrieval classifiers, they are a local linear approximation.
public struct Explanation: Equatable, Sendable {
  /// The explained label.
  public let label: String
  /// The label to compare with.
  public let against: String
  /// The probability of the label from the image alone, 0 to 1.
  public let probability: Double
  package let againstProbability: Double
  package let logitDifference: Double
  /// The part of the logit difference that does not depend on the image.
  package let biasDifference: Double
  /// The evidence in each part of the image, in logits.
  public let map: EvidenceMap
  package let region: UnitRect
  package let areas: [ImageArea]
  /// The cell histograms of HOG features; `nil` for other features.
  package let cells: CellGrid?
  /// The most similar training photo of ``label``; `nil` if the model does not store photos' features.
  package var match: Match?

  package struct Match: Equatable, Sendable {
    package let digest: String
    /// The cosine similarity between the training photo and this image, -1 to 1 except for quantization errors.
    package let cosine: Double

    package init(digest: String, cosine: Double) { (self.digest, self.cosine) = (digest, cosine) }
  }

  /// Returns the fraction of the total absolute evidence that lies in an area, 0 to 1; `nil` without evidence.
  package func share(of area: ImageArea) -> Double? {
    let all = map.magnitude
    guard all > 0 else { return nil }
    return zip(map.values, areas).reduce(0) { $1.1 == area ? $0 + $1.0.magnitude : $0 } / all
  }

  package func extent(of area: ImageArea) -> Double {
    Double(areas.count { $0 == area }) / Double(areas.count)
  }

  /// The part of the image that contains the peak of the evidence for the label: its column and row, from 0 at the left
  /// and top to 2 at the right and bottom; `nil` without evidence.
  package var strongestPart: (column: Int, row: Int)? {
    guard let peak = map.peak else { return nil }
    let x = region.x + region.width * (Double(peak.column) + 0.5) / Double(map.columns)
    let y = region.y + region.height * (Double(peak.row) + 0.5) / Double(map.rows)
    func third(_ place: Double) -> Int { place < 0.3 ? 0 : place > 0.7 ? 2 : 1 }
    return (third(x), third(y))
  }

  package var evidenceFor: Double { map.values.reduce(0) { $0 + max($1, 0) } }

  package var evidenceAgainst: Double { map.values.reduce(0) { $0 + min($1, 0) } }

  package var isSuspicious: Bool { (share(of: .sky) ?? 0) + (share(of: .border) ?? 0) > 0.5 }
}

/// A rectangle in an image, in fractions of its sides: (0, 0) is the top left corner, (1, 1) the bottom right.
package struct UnitRect: Equatable, Sendable {
  package let x: Double
  package let y: Double
  package let width: Double
  package let height: Double
}

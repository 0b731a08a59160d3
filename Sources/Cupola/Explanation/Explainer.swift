// 1. The photo is prepared and described as for an answer.
// 2. Two labels are chosen, and each feature gets its part of the difference of their logits.
// 3. The parts are mapped back to places in the picture (`EvidenceMap`).

/// Explains what in a photo a model answered by.
public struct Explainer: Sendable {
  package let model: Model

  /// An explainer of one model.
  public init(model: Model) { self.model = model }

  /// Explains a photo.
  ///
  /// - Parameters:
  ///   - photo: an opened photo.
  ///   - label: what to explain; `nil` is the most probable label by the picture alone, backgrounds included.
  ///   - against: what to compare it with; `nil` is the most probable other building.
  /// - Throws: ``CupolaError`` when the photo cannot be used, ``CupolaError/unknownLabel(_:)``, or
  ///   ``CupolaError/noOtherLabel(_:)`` when both labels are one, or the model knows only one.
  public func explain(
    _ photo: Photo, label: String? = nil, against: String? = nil
  ) throws(CupolaError) -> Explanation {
    try explain(model.recipe.decode(photo), label: label, against: against)
  }

  /// Explains an upright picture, such as a camera frame; see ``explain(_:label:against:)``.
  ///
  /// - Throws: ``CupolaError`` as that does, and when the recipe does not fit the picture.
  public func explain(
    _ image: RGBImage, label: String? = nil, against: String? = nil
  ) throws(CupolaError) -> Explanation {
    let recipe = model.recipe
    let input = recipe.prepare(image, geometry: recipe.geometry)
    let features = try model.extractor.features(of: input)
    let logits = model.classifier.logits(features)
    let pair = try pair(label, against, logits)
    let linear = model.classifier.linear(at: features, labels: [pair.label, pair.against])
    let map = model.extractor.evidence(contributions(features, linear), of: input)
    let probabilities = model.labels.amongFamiliar(
      Softmax.probabilities(logits, temperature: model.calibration.temperature))
    return Explanation(
      label: model.labels.names[pair.label], against: model.labels.names[pair.against],
      probability: probabilities[pair.label], againstProbability: probabilities[pair.against],
      logitDifference: Double(logits[pair.label]) - Double(logits[pair.against]),
      biasDifference: Double(linear.biases[0]) - Double(linear.biases[1]), map: map,
      region: region(of: image),
      areas: PictureArea.areas(of: input, columns: map.columns, rows: map.rows),
      cells: model.extractor.cells(of: input), match: match(features, pair.label))
  }

  private typealias Pair = (label: Int, against: Int)

  private func pair(
    _ label: String?, _ against: String?, _ logits: [Float]
  ) throws(CupolaError) -> Pair {
    let ranked = logits.indices.sorted { logits[$0] > logits[$1] }
    let other = try against.map(index)
    guard let first = try label.map(index) ?? ranked.first else {
      throw CupolaError.noOtherLabel("")
    }
    let others = ranked.filter { $0 != first }
    let runnerUp = others.first { !Labels.isBackground(model.labels.names[$0]) } ?? others.first
    guard let second = other ?? runnerUp, second != first else {
      throw CupolaError.noOtherLabel(model.labels.names[first])
    }
    return (first, second)
  }

  private func index(of label: String) throws(CupolaError) -> Int {
    guard let index = model.labels.names.firstIndex(of: label) else {
      throw CupolaError.unknownLabel(label)
    }
    return index
  }

  /// What each feature adds to the difference of the logits.
  ///
  /// - Parameter linear: a row for each of both labels.
  private func contributions(_ features: [Float], _ linear: LinearClassifier) -> [Double] {
    let weights = linear.weights
    let own = weights.values[weights.range(ofRow: 0)]
    let other = weights.values[weights.range(ofRow: 1)]
    return zip(features, zip(own, other)).map { Double($0) * (Double($1.0) - Double($1.1)) }
  }

  /// The remembered photo of a label that the picture resembles most.
  private func match(_ features: [Float], _ label: Int) -> Explanation.Match? {
    guard case .retrieval(let retrieval) = model.classifier,
      let nearest = retrieval.nearest(to: features, of: label)
    else { return nil }
    let photo = (nearest.view - retrieval.views(of: label).lowerBound) / retrieval.viewsPerPhoto
    let digests = model.provenance.photoDigests[model.labels.names[label]]?.values ?? []
    return digests.indices.contains(photo)
      ? Explanation.Match(digest: digests[photo], cosine: nearest.cosine) : nil
  }

  private func region(of image: RGBImage) -> Extent {
    let region = model.recipe.geometry.region(width: image.width, height: image.height)
    let (width, height) = (Double(image.width), Double(image.height))
    return Extent(
      x: Double(region.x) / width, y: Double(region.y) / height,
      width: Double(region.width) / width, height: Double(region.height) / height)
  }
}

/// Why the picture alone speaks for one label rather than another.
///
/// The values of ``map`` and `biasDifference` sum to `logitDifference`, but for rounding. They say how the
/// classifier came to it: softmax is linear in what it sees, and retrieval so near the picture.
public struct Explanation: Equatable, Sendable {
  /// The label that is explained.
  public let label: String
  /// The label that it is compared with.
  public let against: String
  /// How probable the label is by the picture alone, 0...1.
  public let probability: Double
  package let againstProbability: Double
  package let logitDifference: Double
  /// The part of that which no place in the picture has, in logits.
  package let biasDifference: Double
  /// The part of each place in the picture.
  public let map: EvidenceMap
  /// Which part of the upright photo was looked at.
  package let region: Extent
  package let areas: [PictureArea]
  /// The histograms of oriented gradients that the `hog` features come from; else `nil`.
  package let cells: CellGrid?
  /// The training photo of ``label`` that the picture resembles most; `nil` where none are remembered.
  package let match: Match?

  package struct Match: Equatable, Sendable {
    /// The first 16 hexadecimal digits of the SHA-256 of its file.
    package let digest: String
    /// The cosine of its vector and the picture's, -1...1 but for what the codes lose.
    package let cosine: Double
  }

  /// The part of all evidence, whichever label it speaks for, in an area, 0...1; `nil` when there is no evidence.
  package func share(of area: PictureArea) -> Double? {
    let all = map.magnitude
    guard all > 0 else { return nil }
    return zip(map.values, areas).reduce(0) { $1.1 == area ? $0 + $1.0.magnitude : $0 } / all
  }

  package func extent(of area: PictureArea) -> Double {
    Double(areas.count { $0 == area }) / Double(areas.count)
  }

  /// What speaks for the label, in logits, 0 or more.
  package var evidenceFor: Double { map.values.reduce(0) { $0 + max($1, 0) } }

  /// What speaks for the other, in logits, 0 or less.
  package var evidenceAgainst: Double { map.values.reduce(0) { $0 + min($1, 0) } }

  /// Whether more than half of the evidence lies where no building should be.
  package var isSuspicious: Bool { (share(of: .sky) ?? 0) + (share(of: .border) ?? 0) > 0.5 }
}

/// A rectangle within a picture, in shares of its sides: 0, 0 is the top left corner, 1, 1 the lower
/// right.
package struct Extent: Equatable, Sendable {
  /// The left edge, 0...1.
  package let x: Double
  /// The upper edge, 0...1.
  package let y: Double
  /// From the left edge to the right.
  package let width: Double
  /// From the upper edge to the lower.
  package let height: Double

  init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}

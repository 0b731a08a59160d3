public import Cupola

extension CSource {
  /// From a square picture to probabilities, with nothing but what stands in the source.
  public struct Pipeline: Sendable {
    let extractor: FeatureExtractor
    let classifier: LinearClassifier
    let labelOfRow: [Int]
    let temperature: Double
    let labels: Int

    /// One probability a label.
    ///
    /// - Parameter square: of the side that ``CSource/side`` says.
    /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)`` for another side.
    public func probabilities(of square: RGBImage) throws(CupolaError) -> [Double] {
      let logits = classifier.logits(try extractor.features(of: square))
      var sums = [Double](repeating: 0, count: labels)
      let shares = Softmax.probabilities(logits, temperature: temperature)
      for (row, share) in shares.enumerated() { sums[labelOfRow[row]] += share }
      return sums
    }
  }

  /// The side of the pictures that are classified, in pixels.
  public var side: Int { recipe.inputSide }

  /// The pipeline that the source's functions compute.
  ///
  /// - Throws: ``CSourceFault/inconsistent(_:)`` when a table is missing or of another shape.
  public func pipeline() throws(CSourceFault) -> Pipeline {
    var file = SafeTensors()
    file.tensors = tensors
    do {
      return Pipeline(
        extractor: try ExtractorTensors.extractor(recipe.features, in: file),
        classifier: try ClassifierTensors.classifier(
          in: file, as: weights, labels: labelOfRow.count, features: recipe.featureCount),
        labelOfRow: labelOfRow, temperature: decision.temperature, labels: labels.count)
    } catch let error as CupolaError {
      throw .inconsistent(error.message)
    } catch { throw .inconsistent("\(error)") }
  }
}

/// The numbers of one kind of features: what a recipe stores.
///
/// A kind of features is a pair of types, this and its ``Extractor``, in a folder of its own here, in
/// `CupolaTraining/Features` (``TrainableSettings``: how it is fitted) and in `CupolaExport/Features`
/// (``ExportableExtractor``: its graph and its C). One line in ``FeatureSettings/kinds`` makes it known;
/// nothing else names a kind.
package protocol ExtractorSettings: Codable, Equatable, Sendable {
  /// What computes the features.
  associatedtype Extractor: Cupola.Extractor where Extractor.Settings == Self

  /// The kind in recipes and reports, such as `hog`.
  static var kind: String { get }
  /// The kind for people.
  static var title: String { get }
  /// The weight of the color part where training has not chosen one; `nil` without such a part.
  static var usualWeight: Float? { get }

  /// Values in a feature vector for a picture of `inputSide` x `inputSide` pixels.
  func count(inputSide: Int) -> Int

  /// Refuses numbers that no version of this program writes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` with ``ModelFault/inconsistent(_:)``.
  func check(inputSide: Int) throws(CupolaError)

  /// The weight of the color part beside the others' 1; `nil` without such a part.
  var chosenColorWeight: Float? { get }
}

extension ExtractorSettings {
  package static var usualWeight: Float? { nil }
  package var chosenColorWeight: Float? { nil }

  func isEqual(to other: any ExtractorSettings) -> Bool { other as? Self == self }
}

/// Computes one kind of features, with what was learned for them.
package protocol Extractor: Equatable, Sendable {
  associatedtype Settings: ExtractorSettings where Settings.Extractor == Self

  /// The numbers of the recipe that it belongs to.
  var settings: Settings { get }

  /// The same with another weight of the color part.
  func weighing(color: Float) -> Self

  /// Writes the feature vector of a prepared picture: L2 norm 1, or all 0 for a picture without edges.
  ///
  /// After the first picture it should allocate no memory; see ``WorkspacePool``.
  /// - Parameter features: as many values as the settings count.
  /// - Throws: ``CupolaError/pictureTooSmall(width:height:needed:)``.
  func read(_ image: RGBImage, into features: inout [Float]) throws(CupolaError)

  /// What was learned, as tensors of a model file.
  var tensors: [String: SafeTensors.Tensor] { get }

  /// Reads what was learned.
  ///
  /// - Parameter settings: as ``ExtractorSettings/check(inputSide:)`` lets them pass.
  /// - Throws: ``CupolaError/badModel(_:)`` when a tensor is missing or of another shape.
  init(settings: Settings, tensors file: SafeTensors) throws

  /// Where in a picture the evidence lies.
  ///
  /// - Parameter contributions: what each value of the picture's feature vector adds to the difference of
  ///   two logits.
  func evidence(_ contributions: [Double], of image: RGBImage) -> EvidenceMap

  /// The histograms that can be drawn over the picture; `nil` when the features have none.
  func cells(of image: RGBImage) -> CellGrid?
}

extension Extractor {
  /// The feature vector of a prepared picture; see ``read(_:into:)``.
  func features(of image: RGBImage) throws(CupolaError) -> [Float] {
    var features = [Float](repeating: 0, count: settings.count(inputSide: image.width))
    try read(image, into: &features)
    return features
  }

  package func weighing(color: Float) -> Self { self }
  package func cells(of image: RGBImage) -> CellGrid? { nil }

  func isEqual(to other: any Extractor) -> Bool { other as? Self == self }
}

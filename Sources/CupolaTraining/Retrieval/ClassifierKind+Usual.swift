public import Cupola

extension ClassifierKind {
  /// With more buildings the softmax costs more than retrieval, which is chosen where held-out photos of some of the
  /// buildings are named as well.
  ///
  /// Of up to 40 buildings both name as many photos right, and the softmax refuses more of those of buildings that did
  /// not train.
  public static let mostInSoftmax = 300
}

extension FeatureTable {
  /// The photos in the order in which a classifier learns from them: retrieval remembers those of a label by their
  /// digests, as ``Provenance`` lists them.
  func order(for classifier: ClassifierKind) -> [Int] {
    guard classifier == .retrieval else { return Array(rows.indices) }
    return rows.indices.sorted { (rows[$0].digest, $0) < (rows[$1].digest, $1) }
  }
}

public import Cupola

extension ClassifierKind {
  /// With more buildings the softmax costs more than it gives.
  public static let mostInSoftmax = 300

  /// What is trained unless somebody asks for another.
  ///
  /// Of up to 40 buildings retrieval names as many photos right and refuses fewer of those of buildings that did not
  /// train; its cost does not grow with the number of buildings.
  public static func usual(labels buildings: Int) -> ClassifierKind {
    buildings > mostInSoftmax ? .retrieval : .softmax
  }
}

extension FeatureTable {
  /// The photos in the order in which a classifier learns from them: retrieval remembers those of a label by their
  /// digests, as ``Provenance`` lists them.
  func order(for classifier: ClassifierKind) -> [Int] {
    guard classifier == .retrieval else { return Array(rows.indices) }
    return rows.indices.sorted { (rows[$0].digest, $0) < (rows[$1].digest, $1) }
  }
}

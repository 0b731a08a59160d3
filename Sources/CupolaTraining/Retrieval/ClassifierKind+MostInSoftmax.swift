public import Cupola

extension ClassifierKind {
  /// With more buildings the softmax costs more than retrieval, which is chosen where held-out photos of some of the
  /// buildings are named as well.
  ///
  /// Of up to 40 buildings both name as many photos right, and the softmax refuses more of those of buildings that did
  /// not train.
  public static let mostInSoftmax = 300
}

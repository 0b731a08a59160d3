internal import Cupola

extension Recipe {
  /// Whether photos can train by it; those of files always can, ones made in memory need not.
  var canTrain: Bool { !trainingGeometries.isEmpty }

  /// Refuses a recipe that photos cannot train by.
  ///
  /// - Throws: ``CupolaError/badModel(_:)``.
  func checkTraining() throws(CupolaError) {
    try Self.require(canTrain, "no geometry to train with")
  }
}

extension Recipe {
  /// Refuses settings that no version of this program writes and that its arithmetic is not made
  /// for: a model file may come from anywhere.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` with ``ModelFault/inconsistent(_:)``.
  package func check() throws(CupolaError) {
    try Self.require(
      ModelBounds.inputSides.contains(inputSide) && inputSide.isMultiple(of: 2),
      "an input of \(inputSide)")
    for geometry in [geometry] + trainingGeometries {
      guard case .window(let window) = geometry else { continue }
      let fits = [(window.left, window.width), (window.top, window.height)].allSatisfy {
        (0...99).contains($0) && (1...100).contains($1) && $0 + $1 <= 100
      }
      try Self.require(fits, "a window that leaves the photo")
    }
    // Without any there is no view of a photo that an update could learn from.
    try Self.require(
      (1...64).contains(trainingGeometries.count), "\(trainingGeometries.count) geometries")
    try features.own.check(inputSide: inputSide)
    try Self.require(
      featureCount <= ModelBounds.features, "\(featureCount) values in a feature vector")
  }

  /// Refuses a recipe that does not have what it should.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` saying what the recipe has.
  package static func require(_ holds: Bool, _ what: String) throws(CupolaError) {
    guard holds else { throw .badModel(.inconsistent("its recipe has \(what)")) }
  }
}

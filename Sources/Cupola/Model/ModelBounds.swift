// 1. Bounds of logits, calibration and provenance of a model.
// 2. Bounds of its recipe.

/// What the numbers of a model may be.
///
/// No training comes near these bounds, and what passes them never leaves the numbers: no product is infinite,
/// no sum overflows, and every logit is one.
enum ModelBounds {
  /// The largest logit, and the largest of most weights.
  static let logit: Float = 1_000_000
  /// Values in a feature vector.
  static let features = 1 << 20
  /// Pixels along the side of what features are made of: what a photo takes grows with the square.
  static let inputSides = 16...2048
  /// Tensors in a file.
  static let tensors = 256
  private static let temperature = 1e-4...1e4
  private static let count = 0...1_000_000_000
  private static let shares = 0.0...1
  /// Of regularization: its inverse is a number, too.
  private static let strengths = 1e-12...1e12
  /// Of whitening: with less a covariance that is singular stays so for a factorization in single precision.
  private static let shrinkages = 0.1...1

  static func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(CupolaError) {
    guard holds else { throw .badModel(.inconsistent(otherwise())) }
  }

  /// Refuses a classifier whose logits are too large for some feature vector, whose length is 1 at most.
  static func check(_ classifier: LinearClassifier, _ tensor: String) throws(CupolaError) {
    let weights = classifier.weights
    let values = weights.values.span
    for row in 0..<weights.rows {
      var squares = 0.0
      for index in weights.range(ofRow: row) {
        squares += Double(values[index]) * Double(values[index])
      }
      let largest = squares.squareRoot() + Double(classifier.biases[row].magnitude)
      try require(
        largest <= Double(logit), "tensor \(tensor) makes logits of more than \(Int(logit))")
    }
  }

  static func check(_ calibration: Calibration) throws(CupolaError) {
    try require(
      temperature.contains(calibration.temperature),
      "its calibration has a temperature of \(calibration.temperature)")
    try check(calibration.notBuildings, "not_buildings", within: ErrorCurve.bounds)
    try check(calibration.unknownBuildings, "unknown_buildings", within: ErrorCurve.bounds)
    try check(calibration.wrongNames, "wrong_names", within: shares)
    let rate = calibration.falseRejectionRate ?? 0
    try require(shares.contains(rate), "its calibration has a false_rejection_rate of \(rate)")
  }

  /// Thresholds follow from a curve, so that none is beyond its scores, but for the infinite one of a curve that
  /// asks for nothing.
  private static func check(
    _ curve: ErrorCurve?, _ name: String, within bounds: ClosedRange<Double>
  ) throws(CupolaError) {
    guard let curve else { return }
    try require(
      count.contains(curve.photos), "its error curve \(name) counts \(curve.photos) photos")
    let scores = curve.scores
    try require(
      scores.count <= min(curve.photos, ErrorCurve.mostScores),
      "its error curve \(name) has \(scores.count) scores of \(curve.photos) photos")
    let wrong = scores.first { !bounds.contains($0) } ?? bounds.lowerBound
    try require(bounds.contains(wrong), "its error curve \(name) has a score of \(wrong)")
    try require(
      scores == scores.sorted(by: >), "its error curve \(name) is out of order")
  }

  static func check(_ provenance: Provenance) throws(CupolaError) {
    let recall = provenance.recall.values.flatMap { [$0.right, $0.asked] }
    let rounding = provenance.rounding.values.flatMap {
      [$0.asked, $0.changed, $0.ofBuildings, $0.rightBefore, $0.rightAfter]
    }
    let counts: [(String, [Int])] = [
      ("photos", Array(provenance.photos.values)),
      ("capture_days", Array(provenance.captureDays.values)),
      ("out_of_fold_recall", recall), ("out_of_fold_rounding", rounding),
    ]
    for (name, counts) in counts {
      let wrong = counts.first { !count.contains($0) } ?? 0
      try require(count.contains(wrong), "its provenance counts \(wrong) in \(name)")
    }
    let strength = provenance.regularization
    try require(
      strengths.contains(strength), "its provenance has a regularisation of \(strength)")
    let whitening = provenance.whitening ?? shrinkages.upperBound
    try require(shrinkages.contains(whitening), "its provenance has a whitening of \(whitening)")
  }
}

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
    try features.check(inputSide: inputSide)
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

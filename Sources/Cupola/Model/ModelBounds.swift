/// Bounds for the numbers in a model file.
/// Trained models stay far within these bounds, which prevent infinite products, overflowing sums, and infinite logits.
enum ModelBounds {
  static let logit: Float = 1_000_000
  static let features = 1 << 20
  /// The input square's side in pixels. Computation time grows with its square.
  static let inputSides = 16...2048
  static let tensors = 256
  private static let temperature = 1e-4...1e4
  private static let count = 0...1_000_000_000
  private static let shares = 0.0...1
  /// Bounds of the regularization strength, which keep its inverse finite.
  private static let strengths = 1e-12...1e12
  /// Bounds of the shrinkage. With smaller values, singular covariances would stay singular in single precision.
  private static let shrinkages = 0.1...1

  static func require(_ holds: Bool, _ otherwise: @autoclosure () -> String) throws(CupolaError) {
    guard holds else { throw .badModel(.inconsistent(otherwise())) }
  }

  /// Rejects a classifier whose logits can exceed the bound for some feature vector of length 1 or less.
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
        largest <= Double(logit), "tensor \(tensor) produces logits above \(Int(logit))")
    }
  }

  static func check(_ calibration: Calibration) throws(CupolaError) {
    try require(
      temperature.contains(calibration.temperature),
      "invalid calibration temperature \(calibration.temperature)")
    try check(calibration.notBuildings, "not_buildings", within: ErrorCurve.bounds)
    try check(calibration.unknownBuildings, "unknown_buildings", within: ErrorCurve.bounds)
    try check(calibration.wrongNames, "wrong_names", within: shares)
    let rate = calibration.falseRejectionRate ?? 0
    try require(shares.contains(rate), "invalid false_rejection_rate \(rate)")
    let visits = calibration.unknownVisits ?? 0
    try require(shares.contains(visits), "invalid unknown_visits \(visits)")
  }

  /// Bounded scores also give bounded thresholds, except for the infinite threshold of a curve without a limit.
  private static func check(
    _ curve: ErrorCurve?, _ name: String, within bounds: ClosedRange<Double>
  ) throws(CupolaError) {
    guard let curve else { return }
    try require(
      count.contains(curve.photos),
      "error curve \(name) has an invalid count of \(curve.photos) photos")
    let scores = curve.scores
    try require(
      scores.count <= min(curve.photos, ErrorCurve.mostScores),
      "error curve \(name) has \(scores.count) scores for \(curve.photos) photos")
    let wrong = scores.first { !bounds.contains($0) } ?? bounds.lowerBound
    try require(bounds.contains(wrong), "error curve \(name) has an invalid score of \(wrong)")
    try require(
      scores == scores.sorted(by: >), "error curve \(name) is not sorted")
    let sessions = curve.sessions ?? curve.photos
    try require(
      (0...curve.photos).contains(sessions) && (sessions > 0 || curve.photos == 0)
        && (curve.sessions == nil) == (curve.sessionPhotos == nil),
      "error curve \(name) has an invalid count of \(sessions) sessions")
    guard let sizes = curve.sessionPhotos else { return }
    try require(
      sizes.count == scores.count && sizes.allSatisfy { (1...max(1, curve.photos)).contains($0) },
      "error curve \(name) has invalid session_photos")
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
      try require(count.contains(wrong), "provenance has an invalid count of \(wrong) in \(name)")
    }
    let strength = provenance.regularization
    try require(
      strengths.contains(strength), "provenance has an invalid regularisation of \(strength)")
    let whitening = provenance.whitening ?? shrinkages.upperBound
    try require(
      shrinkages.contains(whitening), "provenance has an invalid whitening of \(whitening)")
  }
}

extension Recipe {
  /// Rejects settings outside the supported ranges, because model files can come from untrusted sources.
  package func check() throws(CupolaError) {
    try Self.require(
      ModelBounds.inputSides.contains(inputSide) && inputSide.isMultiple(of: 2),
      "input side of \(inputSide) pixels")
    for geometry in [geometry] + trainingGeometries {
      guard case .window(let window) = geometry else { continue }
      let fits = [(window.left, window.width), (window.top, window.height)].allSatisfy {
        (0...99).contains($0) && (1...100).contains($1) && $0 + $1 <= 100
      }
      try Self.require(fits, "crop window outside the photo")
    }
    // An update of the model needs at least one crop per photo.
    try Self.require(
      (1...64).contains(trainingGeometries.count), "\(trainingGeometries.count) geometries")
    try features.check(inputSide: inputSide)
    try Self.require(
      featureCount <= ModelBounds.features, "feature vector of \(featureCount) values")
  }

  /// Rejects the recipe unless a condition is true.
  package static func require(_ holds: Bool, _ what: String) throws(CupolaError) {
    guard holds else { throw .badModel(.inconsistent("invalid recipe: \(what)")) }
  }
}

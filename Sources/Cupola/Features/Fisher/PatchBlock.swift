/// Some patches that are worked on together, so that what is computed of them stays in the cache.
struct PatchBlock: Sendable {
  /// As many patches.
  static let size = 256

  /// Descriptors, one patch a row.
  var hog = Matrix(rows: 0, columns: LocalHOG.count)
  /// The same of ``LocalColor``.
  var color = Matrix(rows: 0, columns: LocalColor.count)
  /// Where each stands; see ``PatchGrid/center(_:)``.
  var places: [SIMD2<Float>] = []
  /// How much each counts, 0...1.
  var weights: [Float] = []
  /// Where the first cells of the patches that are being described are.
  var starts: [Int] = []

  /// Makes room for as many patches.
  mutating func resize(to count: Int) {
    hog.resize(rows: count)
    color.resize(rows: count)
    places.resize(to: count, filledWith: .zero)
    weights.resize(to: count, filledWith: 0)
  }
}

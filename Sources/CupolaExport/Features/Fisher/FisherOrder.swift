import Cupola

/// Where the features of a graph stand in the features of ``FisherExtractor``.
///
/// The graph has both parts of a component side by side, which saves it from taking them apart; the
/// classifier's columns are put in the same order.
enum FisherOrder {
  /// For every feature of the graph, its place in the extractor's vector.
  static func columns(_ fisher: FisherExtractor) -> [Int] {
    var columns: [Int] = []
    for mixture in [fisher.hog.mixture, fisher.color.mixture] {
      let start = columns.count
      let half = mixture.count * mixture.dimensions
      for component in 0..<mixture.count {
        let own = start + component * mixture.dimensions
        columns += own..<own + mixture.dimensions
        columns += half + own..<half + own + mixture.dimensions
      }
    }
    return columns
  }
}

import Cupola

/// The order of Fisher features in a graph: both parts of each component are adjacent.
enum FisherOrder {
  /// For every feature in the graph, its index in the extractor's vector.
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

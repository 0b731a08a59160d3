internal import Cupola

/// What exports have to know of one kind of features, beside what a phone has to.
protocol ExportableExtractor: Sendable {
  /// Refuses numbers that no graph and no C are made for.
  ///
  /// - Throws: ``ExportError``.
  func checkForExport(inputSide: Int) throws(ExportError)

  /// The features of a picture as nodes of a graph.
  ///
  /// - Parameter picture: side x side pixels of RGB.
  func graphFeatures(
    of picture: GraphBuilder.Value, side: Int, in builder: inout GraphBuilder
  ) -> GraphFeatures

  /// The sizes that declarations in C depend on.
  func sizesInC(inputSide: Int) -> [CSource.Constant]
  /// All other numbers in C.
  var numbersInC: [CSource.Constant] { get }
  /// Declares `struct cupola_features_workspace`.
  static var headerInC: [UInt8] { get }
  /// Defines `start_features` and `read_features`, one text after the other.
  static var functionsInC: [[UInt8]] { get }
}

/// Features in a graph.
struct GraphFeatures {
  /// 1 x features.
  let value: GraphBuilder.Value
  /// What they have to be multiplied by.
  var scale: Float = 1
  /// For each of them its place in the extractor's vector; `nil` where that is the same.
  var columns: [Int]?
}

extension FeatureExtractor {
  /// The same for exports.
  var exportable: any ExportableExtractor {
    switch self {
    case .hog(let hog): hog
    case .fisher(let fisher): fisher
    }
  }
}

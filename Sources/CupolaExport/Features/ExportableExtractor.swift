internal import Cupola

protocol ExportableExtractor: Sendable {
  /// Throws ``ExportError`` if the features cannot be exported.
  func checkForExport(inputSide: Int) throws(ExportError)

  /// Adds the features of an RGB image of side x side pixels to a graph.
  func graphFeatures(
    of picture: GraphBuilder.Value, side: Int, in builder: inout GraphBuilder
  ) -> GraphFeatures

  func sizesInC(inputSide: Int) -> [CSource.Constant]
  var numbersInC: [CSource.Constant] { get }
  static var headerInC: [UInt8] { get }
  /// C source code that defines `start_features` and `read_features`.
  static var functionsInC: [[UInt8]] { get }
}

struct GraphFeatures {
  let value: GraphBuilder.Value
  var scale: Float = 1
  /// For each feature in the export, its index in the extractor's vector; `nil` if the order is the same.
  var columns: [Int]?
}

extension FeatureExtractor {
  var exportable: any ExportableExtractor {
    switch self {
    case .hog(let hog): hog
    case .fisher(let fisher): fisher
    }
  }
}

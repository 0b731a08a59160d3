import Cupola

/// What is read back from an export that is a graph.
protocol ExportedGraph: ExportedModel {
  /// What it computes.
  var graph: Graph { get }
}

extension ExportedGraph {
  var exportedLabels: [String] { graph.labels }
  var exportedSide: Int { graph.nodes[0].shape[1] }

  func exportedProbabilities(of image: RGBImage) -> [Double] {
    GraphInterpreter(graph).probabilities(of: image).map(Double.init)
  }
}

internal import Cupola

extension Model {
  /// Names of the probabilities of an export: all backgrounds as one, then the buildings.
  var exportLabels: [String] {
    [Graph.notACampusBuilding] + labels.buildings.map { labels.names[$0] }
  }

  /// Refuses what neither graphs nor C are made of, so that these exports have the same limits.
  ///
  /// - Throws: ``ExportError``.
  func checkForExport() throws(ExportError) {
    guard !labels.names.contains(Graph.notACampusBuilding) else {
      throw .reservedLabel(Graph.notACampusBuilding)
    }
    try extractor.exportable.checkForExport(inputSide: recipe.inputSide)
  }
}

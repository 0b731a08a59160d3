internal import Cupola

extension Model {
  /// Names of the probabilities of an export: the backgrounds as one, the buildings, and the unknown
  /// building where the model has it.
  var exportLabels: [String] {
    [Graph.notACampusBuilding] + labels.buildings.map { labels.names[$0] }
      + (labels.unfamiliar == nil ? [] : [Graph.unknownBuilding])
  }

  /// Refuses what neither graphs nor C are made of, so that these exports have the same limits.
  ///
  /// - Throws: ``ExportError``.
  func checkForExport() throws(ExportError) {
    guard classifier.kind == .softmax else { throw .retrieval }
    try checkLabelsForExport()
    try extractor.exportable.checkForExport(inputSide: recipe.inputSide)
  }

  /// Refuses a label that could not be told from what exports say of everything else.
  ///
  /// - Throws: ``ExportError/reservedLabel(_:)``.
  func checkLabelsForExport() throws(ExportError) {
    for label in [Graph.notACampusBuilding, Graph.unknownBuilding]
    where labels.names.contains(label) {
      throw .reservedLabel(label)
    }
  }
}

extension Labels {
  /// Probabilities of an export's labels from one a label of the model.
  func exported(_ probabilities: [Double]) -> [Double] {
    [trainedBackgrounds.reduce(0) { $0 + probabilities[$1] }]
      + (buildings + [unfamiliar].compactMap(\.self)).map { probabilities[$0] }
  }
}

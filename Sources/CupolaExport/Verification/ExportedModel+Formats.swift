import Cupola

extension ONNXModel: ExportedGraph {
  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    if let key = notes.difference(from: self.notes) { return "its note \"\(key)\" is another" }
    let expected = try Graph(model: model, layout: .channelsFirst, weights: model.weightFormat)
    guard graph.labels == expected.labels else { return "its labels are others" }
    for (found, needed) in zip(graph.nodes, expected.nodes) where found != needed {
      return "\(found.name) is not what the model computes there"
    }
    return graph == expected
      ? nil : "it has \(graph.nodes.count) steps, not \(expected.nodes.count)"
  }
}

extension Model: ExportedModel {
  var exportedLabels: [String] { ModelExport.labels(of: self) }
  var exportedSide: Int { recipe.inputSide }

  func exportedProbabilities(of image: RGBImage) throws -> [Double] {
    try GoldenPictures.answer(self, image)
  }

  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    self == model ? nil : "it is another model"
  }
}

extension CoreMLPackage: ExportedGraph {
  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    let expected = try CoreMLPackage(model, notes)
    guard metadata == expected.metadata else { return "its metadata are others" }
    return try files() == expected.files() ? nil : "its program or weights are others"
  }
}

extension TFLiteModel: ExportedGraph {
  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    let expected = try TFLiteModel(model, notes)
    guard card == expected.card, properties == expected.properties, campus == expected.campus else {
      return "its metadata, or the files behind the model, are others"
    }
    return try bytes() == expected.bytes() ? nil : "its operators or weights are others"
  }
}

extension CSource: ExportedModel {
  var exportedLabels: [String] { labels }
  var exportedSide: Int { side }

  func exportedProbabilities(of image: RGBImage) throws -> [Double] {
    try pipeline().probabilities(of: image)
  }

  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    do throws(CSourceFault) { try check(against: model) } catch { return error.message }
    return nil
  }
}

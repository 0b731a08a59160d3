import Cupola

extension CoreMLPackage {
  /// The package in an export's folder: Xcode makes the class `Campus` of it.
  static let name = "Campus"
  static let folder = name + ".mlpackage"

  /// The files as they stand in an export.
  func exportFiles() throws(CoreMLFault) -> [ExportFile] {
    try files().sorted { $0.key < $1.key }.map { path, bytes in
      ExportFile(path: Self.folder + "/" + path, bytes: bytes)
    }
  }

  /// Reads the package of an export.
  ///
  /// - Throws: ``CoreMLFault``.
  init(exported files: [ExportFile]) throws(CoreMLFault) {
    var contents: [String: [UInt8]] = [:]
    for file in files {
      guard file.path.hasPrefix(Self.folder + "/") else { throw .unknownFile(file.path) }
      contents[String(file.path.dropFirst(Self.folder.count + 1))] = file.bytes
    }
    try self.init(files: contents)
  }
}

extension CoreMLPackage: ExportedModel {
  var exportedLabels: [String] { graph.labels }
  var exportedSide: Int { graph.nodes[0].shape[1] }

  func exportedProbabilities(of image: RGBImage) -> [Double] {
    GraphInterpreter(graph).probabilities(of: image).map(Double.init)
  }

  func difference(from model: Model, notes: ExportNotes) throws -> String? {
    let needed = try Graph(model: model, layout: .channelsFirst, weights: model.weightFormat)
    // Written and read, since small constants and kernels are stored in single precision.
    let expected = try CoreMLPackage(
      exported: CoreMLPackage(graph: needed, metadata: CoreMLMetadata(notes)).exportFiles())
    let texts = Set(metadata.userDefined.keys).union(expected.metadata.userDefined.keys)
    for key in texts.sorted()
    where key != ExportNotes.versionKey
      && metadata.userDefined[key] != expected.metadata.userDefined[key]
    {
      return "its note \"\(key)\" is another"
    }
    guard graph.labels == expected.graph.labels else { return "its labels are others" }
    for (found, needed) in zip(graph.nodes, expected.graph.nodes) where found != needed {
      return "\(found.name) is not what the model computes there"
    }
    return graph == expected.graph
      ? nil : "it has \(graph.nodes.count) steps, not \(expected.graph.nodes.count)"
  }
}

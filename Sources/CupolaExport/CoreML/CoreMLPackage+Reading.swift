internal import Cupola

extension CoreMLPackage {
  /// Files longer than these are refused.
  static let maximumModelBytes = 64 << 20
  static let maximumWeightBytes = 512 << 20

  /// Reads a package from its files by their paths in it, and checks every claim that they make.
  ///
  /// - Throws: ``CoreMLFault``.
  package init(files: [String: [UInt8]]) throws(CoreMLFault) {
    if let unknown = files.keys.filter({ !Path.all.contains($0) }).min() {
      throw CoreMLFault.unknownFile(unknown)
    }
    let manifest = try CoreMLManifest(bytes: try Self.file(Path.manifest, files))
    let model = try Self.file(Path.model, files)
    let weights = try Self.file(Path.weights, files)
    try self.init(
      try CoreMLMessage(model, place: "the model"), try CoreMLWeights(bytes: weights))
    // Last, as what was changed is told best by the checks before.
    let expected = CoreMLManifest(model: model, weights: weights)
    if expected.model != manifest.model { throw CoreMLFault.changed(Path.model) }
    if expected.weights != manifest.weights { throw CoreMLFault.changed(Path.weights) }
  }

  private static func file(
    _ path: String, _ files: [String: [UInt8]]
  ) throws(CoreMLFault) -> [UInt8] {
    guard let bytes = files[path] else { throw CoreMLFault.missingFile(path) }
    return bytes
  }

  private init(_ model: CoreMLMessage, _ weights: CoreMLWeights) throws(CoreMLFault) {
    try model.allow([1, 2, 502])
    let version = try model.integer(1) ?? 0
    guard version == Self.specificationVersion else {
      throw model.fault(
        "its specification version is \(version) and not \(Self.specificationVersion)")
    }
    guard var description = try model.message(2), var program = try model.message(502),
      let metadata = try description.message(100)
    else { throw model.fault("it is no ML Program with a description") }
    (description.place, program.place) = ("the description", "the program")
    let interface = try CoreMLInterface(description)
    let code = try MILProgram(program)
    guard code.side == interface.side else {
      throw CoreMLFault.badModel(
        "the input picture has a side of \(interface.side), in the program of \(code.side)")
    }
    let graph = try MILGraphReader.graph(of: code, weights)
    if let fault = graph.fault() { throw program.fault(fault) }
    self.init(graph: graph, metadata: try CoreMLMetadata(metadata))
  }

  // MARK: - Folders

  /// Reads the package of a folder.
  ///
  /// - Throws: ``CoreMLFault``; ``CupolaError`` for what cannot be read.
  package init(path: String) throws {
    let limits = [
      Path.manifest: CoreMLManifest.maximumBytes, Path.model: Self.maximumModelBytes,
      Path.weights: Self.maximumWeightBytes,
    ]
    var files: [String: [UInt8]] = [:]
    for (name, limit) in limits where Directory.exists(path + "/" + name) {
      files[name] = try FileAccess.read(path + "/" + name, limit: limit)
    }
    try Self.checkFolder(path, "", depth: 0)
    try self.init(files: files)
  }

  /// Refuses files that do not belong into the package; hidden ones do no harm.
  private static func checkFolder(_ root: String, _ folder: String, depth: Int) throws {
    for entry in try Directory.entries(of: root + "/" + folder) {
      let path = folder + entry.name
      if Path.all.contains(path) { continue }
      guard entry.isDirectory, depth < 3,
        Path.all.contains(where: { $0.hasPrefix(path + "/") })
      else { throw CoreMLFault.unknownFile(path) }
      try checkFolder(root, path + "/", depth: depth + 1)
    }
  }
}

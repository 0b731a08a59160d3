internal import CupolaCampus

extension Model {
  /// Reads a model file's bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` or ``CupolaError/badCampus(_:)`` when anything about them is
  ///   not as it should be.
  public init(bytes: [UInt8]) throws(CupolaError) {
    self = try Self.typed {
      let file = try SafeTensors(bytes: bytes, mostTensors: ModelBounds.tensors)
      return try ModelFile.model(in: file, bytes)
    }
  }

  /// Reads a model file.
  ///
  /// - Throws: ``CupolaError/file(_:)``, and as ``init(bytes:)`` does.
  public init(contentsOf path: String) throws(CupolaError) {
    try self.init(
      bytes: try Self.typed { try FileAccess.read(path, limit: ModelFile.maximumBytes) })
  }

  /// The model as a file: equal models give equal bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when no file can hold it.
  public func bytes() throws(CupolaError) -> [UInt8] {
    try Self.typed { try ModelFile.bytes(of: self) }
  }

  /// Writes the model, replacing a file only when the new one is whole and on the disk.
  ///
  /// - Throws: ``CupolaError/file(_:)``, and as ``bytes()`` does.
  public func write(to path: String) throws(CupolaError) {
    let bytes = try bytes()
    try Self.typed { try FileAccess.write(bytes, to: path) }
  }

  static func typed<Result>(_ body: () throws -> Result) throws(CupolaError) -> Result {
    do {
      return try body()
    } catch let error as CupolaError {
      throw error
    } catch let error as FileError {
      throw .file(error)
    } catch {
      throw .badModel(.badHeader("\(error)"))
    }
  }
}

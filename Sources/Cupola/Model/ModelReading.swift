internal import CupolaCampus

/// A model file of which the header has been read: enough to begin with a photo beside reading the rest.
package struct ModelReading: Sendable {
  private let bytes: [UInt8]
  private let index: SafeTensorsIndex

  /// Reads a model file's bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when they are no safetensors file.
  package init(bytes: [UInt8]) throws(CupolaError) {
    self.bytes = bytes
    index = try Model.typed {
      try SafeTensorsIndex(of: bytes, mostTensors: ModelBounds.tensors)
    }
  }

  /// Reads a model file.
  ///
  /// - Throws: ``CupolaError/file(_:)``, and as ``init(bytes:)`` does.
  package init(contentsOf path: String) throws(CupolaError) {
    try self.init(
      bytes: try Model.typed { try FileAccess.read(path, limit: ModelFile.maximumBytes) })
  }

  /// The side of the square that photos are made into; `nil` where the header does not say.
  package var inputSide: Int? { ModelFile.inputSide(in: index.metadata) }

  /// Reads all the rest.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` or ``CupolaError/badCampus(_:)`` when anything about it is not as it
  ///   should be.
  package func model() throws(CupolaError) -> Model {
    try Model.typed { try ModelFile.model(in: SafeTensors(bytes, at: index), bytes) }
  }
}

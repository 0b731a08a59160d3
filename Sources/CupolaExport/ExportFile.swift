/// A file of an export.
public struct ExportFile: Equatable, Sendable {
  /// Relative to the export's folder, parts divided by slashes.
  public let path: String
  /// Its contents.
  public let bytes: [UInt8]

  /// Joins a path and contents.
  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
  }
}

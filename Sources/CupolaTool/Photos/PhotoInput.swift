import Cupola

/// A photo that is to be answered.
struct PhotoInput: Sendable {
  /// What answers call it: its path.
  let name: String
  let source: Source

  enum Source: Sendable {
    case file
    /// The whole file.
    case bytes([UInt8])
    /// What came of opening it before.
    case opened(Result<Photo, CupolaError>)
    /// A folder that cannot be read, or what else there is instead of a photo.
    case failure(FileError)
  }

  init(_ name: String, _ source: Source = .file) { (self.name, self.source) = (name, source) }

  /// - Throws: ``CupolaError`` when it cannot be read or decoded.
  func opened(by decoder: PhotoDecoder) throws(CupolaError) -> Photo {
    switch source {
    case .file: try decoder.open(path: name)
    case .bytes(let bytes): try decoder.open(bytes)
    case .opened(let result): try result.get()
    case .failure(let error): throw .file(error)
    }
  }
}

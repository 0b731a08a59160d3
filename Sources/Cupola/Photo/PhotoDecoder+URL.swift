#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension PhotoDecoder {
  /// Opens a file, as ``open(_:)`` does its bytes.
  ///
  /// - Throws: ``CupolaError`` as that does, and when it is no file or cannot be read.
  public func open(contentsOf url: URL) throws(CupolaError) -> Photo {
    try open(path: url.isFileURL ? url.path(percentEncoded: false) : url.absoluteString)
  }
}

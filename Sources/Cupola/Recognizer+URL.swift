#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension Recognizer {
  /// Recognizes the building in an image file; see ``recognize(photo:at:heading:usingPlace:)``.
  ///
  /// - Throws: ``CupolaError`` as that does, and when it is no file or cannot be read.
  public func recognize(
    contentsOf url: URL, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognize(
      decoder.open(contentsOf: url), at: position, heading: heading, usingPlace: usingPlace)
  }
}

extension BackgroundRecognizer {
  /// Recognizes the building in an image file; see
  /// ``Recognizer/recognize(contentsOf:at:heading:usingPlace:)``.
  ///
  /// - Throws: ``CupolaError`` as that does.
  public func recognize(
    contentsOf url: URL, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      contentsOf: url, at: position, heading: heading, usingPlace: usingPlace)
  }
}

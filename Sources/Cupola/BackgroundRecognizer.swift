/// A recognizer for apps: works beside the caller's thread, on one photo after the other, so that a screen
/// stays alive and memory is that of one photo.
public actor BackgroundRecognizer {
  /// What does the work.
  public nonisolated let recognizer: Recognizer

  /// Puts a recognizer to work in the background.
  public init(_ recognizer: Recognizer) { self.recognizer = recognizer }

  /// Recognizes the bytes of an image file, such as `[UInt8]` or `Data`; see
  /// ``Recognizer/recognize(photo:at:heading:usingPlace:)``.
  ///
  /// - Throws: ``CupolaError`` as that does.
  public func recognize(
    photo: some Sequence<UInt8> & Sendable, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      photo: photo, at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes an upright picture, such as a camera frame; see ``Recognizer/recognize(_:at:heading:year:)``.
  ///
  /// - Throws: ``CupolaError`` as that does.
  public func recognize(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.usualYear
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(image, at: position, heading: heading, year: year)
  }
}

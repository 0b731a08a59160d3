/// Writes pictures that this project draws itself: the sample campus, explanations, test data.
package enum JPEGEncoder {
  /// A baseline JPEG; `exif` is a whole APP1 payload beginning with `Exif\0\0`, or empty.
  package static func encode(
    _ image: RGBImage, quality: Int = 85, exif: [UInt8] = []
  ) throws(CupolaError) -> [UInt8] {
    precondition((1...100).contains(quality), "JPEG quality \(quality), not 1...100")
    precondition(exif.count < 65_534, "an APP1 segment of \(exif.count) bytes")
    return try JPEGCodec.encode(image, quality: quality, exif: exif)
  }
}

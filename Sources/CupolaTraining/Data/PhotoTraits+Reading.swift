internal import Cupola

extension PhotoTraits {
  /// Reads a photo, decoding it no larger than its thumbnail needs.
  ///
  /// - Throws: ``CupolaError`` when it cannot be used.
  init(reading photo: LabelledPhoto, with decoder: PhotoDecoder) throws(CupolaError) {
    let bytes = try photo.bytes(limit: decoder.limits.bytes)
    let side = LumaThumbnail.side
    let image = try decoder.image(from: bytes, minimumWidth: side, minimumHeight: side)
    self.init(
      photo: photo, digest: SHA256.hexadecimal(of: bytes),
      metadata: try decoder.metadata(of: bytes), thumbnail: LumaThumbnail(image))
  }
}

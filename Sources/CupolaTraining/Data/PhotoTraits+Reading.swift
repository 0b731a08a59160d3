internal import Cupola

extension PhotoTraits {
  /// Of a photo that cannot be read: nothing shows that another is like it.
  init(unread photo: LabeledPhoto) {
    self.init(
      photo: photo, digest: "unread " + photo.path, metadata: photo.metadata(PhotoMetadata()),
      thumbnail: nil)
  }

  /// Reads a photo, decoding it no larger than its thumbnail needs.
  ///
  /// - Throws: ``CupolaError`` when it cannot be used.
  init(reading photo: LabeledPhoto, with decoder: PhotoDecoder) throws(CupolaError) {
    let opened = try photo.opened(by: decoder)
    let side = LumaThumbnail.side
    let image = try opened.image(minimumWidth: side, minimumHeight: side)
    self.init(
      photo: photo, digest: SHA256.hexadecimal(of: opened.bytes),
      metadata: photo.metadata(of: opened), thumbnail: LumaThumbnail(image))
  }
}

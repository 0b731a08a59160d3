/// What a photo's file says of it before the picture data: size, colours and metadata.
package struct PhotoFrame: Sendable {
  /// Columns as stored, before the photo is turned.
  package let width: Int
  /// Rows as stored.
  package let height: Int
  /// Colour components as stored: 1 grey, 3 colour, 4 CMYK.
  package let components: Int
  /// How, where and when it was taken.
  package let metadata: PhotoMetadata

  init(_ header: JPEGHeader) {
    (width, height, components) = (header.width, header.height, header.components)
    metadata = header.exif.map(EXIFReader.metadata(in:)) ?? PhotoMetadata()
  }

  /// Columns and rows of the upright picture.
  package var uprightSize: (width: Int, height: Int) {
    metadata.orientation.swapsSides ? (height, width) : (width, height)
  }
}

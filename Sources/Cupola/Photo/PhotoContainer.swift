/// A kind of image file: the seam between what decodes it and all that only wants a photo.
///
/// Another kind comes as one more of these in a folder of its own, named in
/// ``PhotoDecoder/containers``.
package protocol PhotoContainer: Sendable {
  /// The formats it reads.
  static var formats: Set<PhotoFormat> { get }

  /// Reads all that stands before the pixels, without taking memory for them.
  ///
  /// - Throws: ``CupolaError/damagedPhoto(_:_:)`` when that cannot be read.
  init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError)

  /// Columns as stored, before the photo is turned.
  var width: Int { get }
  /// Rows as stored.
  var height: Int { get }
  /// Color components as stored: 1 gray, 3 color, 4 CMYK.
  var components: Int { get }
  /// How, where and when it was taken; the orientation is that of what ``pixels`` returns.
  var metadata: PhotoMetadata { get }

  /// The EXIF block as it stands in the file, beginning as TIFF does; `nil` when there is none, or when
  /// what reads the file does not tell.
  var exif: [UInt8]? { get }

  /// Decodes the picture as stored.
  ///
  /// - Parameters:
  ///   - minimumWidth: columns that are enough: a container that can scale while it decodes returns as few
  ///     as it can from there on, another all it has. Likewise `minimumHeight`.
  ///   - lenient: accept data that are damaged or end early.
  /// - Throws: ``CupolaError/damagedPhoto(_:_:)``; ``CupolaError/truncatedPhoto(_:_:)``.
  func pixels(
    minimumWidth: Int, minimumHeight: Int, lenient: Bool
  ) throws(CupolaError) -> RGBImage
}

extension PhotoContainer {
  package var exif: [UInt8]? { nil }
}

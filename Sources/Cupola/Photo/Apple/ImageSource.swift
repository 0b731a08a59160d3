#if canImport(ImageIO)

  internal import CoreGraphics
  internal import Foundation
  internal import ImageIO

  /// The main picture of a file that ImageIO reads.
  struct ImageSource {
    private let source: CGImageSource
    private let index: Int
    private let format: PhotoFormat

    init(_ bytes: [UInt8], _ format: PhotoFormat) throws(CupolaError) {
      guard let source = CGImageSourceCreateWithData(Data(bytes) as CFData, nil) else {
        throw CupolaError.damagedPhoto(format, "ImageIO cannot open it")
      }
      (self.source, self.format) = (source, format)
      index = CGImageSourceGetPrimaryImageIndex(source)
    }

    /// What the file says of the picture, by ImageIO's names; empty where it says nothing.
    var properties: [CFString: Any] {
      CGImageSourceCopyPropertiesAtIndex(source, index, nil) as? [CFString: Any] ?? [:]
    }

    /// The picture as stored.
    ///
    /// - Parameter subsampling: by how much both sides may be made smaller while decoding, where the format
    ///   allows it: 1, 2, 4 or 8; another number counts as the next smaller of these.
    func picture(subsampling: Int, lenient: Bool) throws(CupolaError) -> RGBImage {
      let complete = CGImageSourceGetStatusAtIndex(source, index) == .statusComplete
      guard complete || lenient else {
        throw CupolaError.truncatedPhoto(format, "picture data end early")
      }
      let factor = [8, 4, 2].first { $0 <= subsampling } ?? 1
      let options = [kCGImageSourceSubsampleFactor: factor] as CFDictionary
      guard let image = CGImageSourceCreateImageAtIndex(source, index, options),
        let picture = RGBImage(image)
      else { throw CupolaError.damagedPhoto(format, "ImageIO cannot decode it") }
      return picture
    }
  }

#endif

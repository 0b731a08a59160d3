#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Turn a file's bytes into an upright image:
// 1. `PhotoDecoder` takes bytes, a path, or a URL, and enforces limits.
// 2. `PhotoFormat` detects the format from the first bytes; a `PhotoContainer` for that format reads the header.
// 3. `Photo` holds the opened file and decodes its image on request.

/// Opens image files and enforces size limits.
public struct PhotoDecoder: Sendable {
  package var maximumBytes = 64 << 20
  /// The maximum number of pixels in a stored image, checked before memory for them is allocated.
  public var maximumPixels = 100_000_000
  /// The maximum number of scans in a JPEG file.
  package var maximumScans = JPEGCost.mostScans
  /// Whether to accept damaged or truncated image data; missing areas are gray.
  public var lenient = false
  /// Returns the position of a photo that has none, given its path and metadata, for example from a track.
  package var locate: (@Sendable (_ path: String, _ metadata: PhotoMetadata) -> Position?)?
  /// The supported containers, in order of preference.
  var containers: [any PhotoContainer.Type] = Self.usualContainers

  #if canImport(ImageIO)
    private static let usualContainers: [any PhotoContainer.Type] = [
      JPEGContainer.self, ImageIOContainer.self,
    ]
  #else
    private static let usualContainers: [any PhotoContainer.Type] = {
      var containers: [any PhotoContainer.Type] = [JPEGContainer.self]
      #if HEIF
        containers.append(HEIFContainer.self)
      #endif
      #if PNG
        containers.append(PNGContainer.self)
      #endif
      #if WebP
        containers.append(WebPContainer.self)
      #endif
      return containers
    }()
  #endif

  /// The supported formats: JPEG, plus all ImageIO formats on Apple platforms, or elsewhere the formats of the enabled
  /// package traits `HEIF`, `PNG`, and `WebP`.
  public var formats: Set<PhotoFormat> {
    containers.reduce(into: []) { $0.formUnion($1.formats) }
  }

  /// Creates a strict decoder that accepts up to 64 MB and 100 megapixels.
  public init() {}

  /// Reads an image file's size, orientation, position, heading, and time without decoding its pixels.
  ///
  /// - Parameter file: The bytes of the whole file, as `[UInt8]` or `Data` for example.
  /// - Throws: ``CupolaError`` if the format is not supported, the header is damaged, or a limit is exceeded.
  public func open(_ file: some Sequence<UInt8>) throws(CupolaError) -> Photo {
    let bytes = Array(file)
    guard bytes.count <= maximumBytes else {
      throw CupolaError.file(.tooLarge(bytes: bytes.count, limit: maximumBytes))
    }
    let format = PhotoFormat(of: bytes)
    guard let kind = containers.first(where: { $0.formats.contains(format) }) else {
      throw CupolaError.unsupportedFormat(format)
    }
    let photo = try Photo(bytes, format, as: kind, lenient: lenient)
    let (width, height) = (photo.container.width, photo.container.height)
    guard width > 0, height > 0 else {
      throw CupolaError.damagedPhoto(format, "invalid image size of \(width)x\(height)")
    }
    guard width * height <= maximumPixels else {
      throw CupolaError.pictureTooLarge(width: width, height: height, limit: maximumPixels)
    }
    // Decoding checks the default limit.
    if maximumScans < JPEGCost.mostScans, let jpeg = photo.container as? JPEGContainer {
      guard jpeg.scans <= maximumScans else {
        throw CupolaError.pictureTooCostly(.jpeg, "more than \(maximumScans) progressive scans")
      }
    }
    return photo
  }

  /// Opens the file at a path; see ``open(_:)``.
  public func open(path: String) throws(CupolaError) -> Photo {
    try open(
      try CupolaError.files { () throws(FileError) in
        try FileAccess.read(path, limit: maximumBytes)
      })
  }

  /// Opens the file at a URL; see ``open(_:)``.
  public func open(contentsOf url: URL) throws(CupolaError) -> Photo {
    try open(path: url.filePath)
  }
}

/// An opened image file with decoded metadata; see ``PhotoDecoder/open(_:)``. Pixels are decoded on request.
public struct Photo: Sendable {
  package let format: PhotoFormat
  package let bytes: [UInt8]
  package let container: any PhotoContainer
  let timing: StageTiming
  private let lenient: Bool
  /// The metadata of a file next to the photo, used where the photo has no time or position.
  package var sidecar: PhotoMetadata?
  /// A position that replaces the recorded one.
  package var correctedPosition: Position?

  fileprivate init(
    _ bytes: [UInt8], _ format: PhotoFormat, as kind: any PhotoContainer.Type, lenient: Bool
  ) throws(CupolaError) {
    var timing = StageTiming()
    container = try timing.measure(.metadata) { () throws(CupolaError) in
      try kind.init(bytes, format: format)
    }
    (self.bytes, self.format, self.lenient, self.timing) = (bytes, format, lenient, timing)
  }

  /// The orientation, position, heading, and time of the photo.
  public var metadata: PhotoMetadata {
    var metadata = container.metadata.filled(from: sidecar)
    if let correctedPosition { metadata.position = correctedPosition }
    return metadata
  }

  /// The upright image's width in pixels.
  public var width: Int { isTurned ? container.height : container.width }

  /// The upright image's height in pixels.
  public var height: Int { isTurned ? container.width : container.height }

  private var isTurned: Bool { container.metadata.orientation.swapsSides }

  /// Decodes an upright image with at least `minimumWidth` x `minimumHeight` pixels, or the full size if that is
  /// smaller.
  ///
  /// JPEG images are scaled during decoding by 1/8 to 8/8, so decoding a 12-megapixel photo takes little longer than
  /// reading its file.
  /// - Throws: ``CupolaError`` if the image data is damaged, or truncated and the decoder is not lenient.
  public func image(
    minimumWidth: Int = .max, minimumHeight: Int = .max
  ) throws(CupolaError) -> RGBImage {
    let stored = try container.pixels(
      minimumWidth: isTurned ? minimumHeight : minimumWidth,
      minimumHeight: isTurned ? minimumWidth : minimumHeight, lenient: lenient)
    return stored.upright(from: container.metadata.orientation)
  }
}

/// A decoder for one or more image formats.
/// To support another format, implement this protocol in a separate file and add the type to
/// ``PhotoDecoder/containers``.
package protocol PhotoContainer: Sendable {
  static var formats: Set<PhotoFormat> { get }

  /// Reads the header without allocating memory for pixels.
  init(_ bytes: [UInt8], format: PhotoFormat) throws(CupolaError)

  /// Number of stored columns, before rotation.
  var width: Int { get }
  var height: Int { get }
  /// Number of stored color components: 1 for gray, 3 for color, 4 for CMYK.
  var components: Int { get }
  /// The metadata; its orientation applies to the image that ``pixels`` returns.
  var metadata: PhotoMetadata { get }

  /// Decodes the image in its stored orientation.
  /// - Parameters:
  ///   - minimumWidth: The required number of columns. A container that scales while decoding returns as few columns as
  ///     possible, but at least this number; other containers return all columns.
  ///   - minimumHeight: The required number of rows.
  ///   - lenient: Whether to accept damaged or truncated data.
  func pixels(
    minimumWidth: Int, minimumHeight: Int, lenient: Bool
  ) throws(CupolaError) -> RGBImage
}

/// A file format, detected from the content.
public enum PhotoFormat: String, Sendable {
  case empty, jpeg, png, gif, webp, heic, avif, tiff, bmp, pdf, jpegXL, jpeg2000, text, unknown

  package init(of bytes: [UInt8]) {
    func starts(_ prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }
    func holds(_ text: StaticString, at offset: Int) -> Bool {
      let wanted = Array("\(text)".utf8)
      return bytes.count >= offset + wanted.count
        && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
    }
    if bytes.isEmpty {
      self = .empty
    } else if starts([0xFF, 0xD8]) {
      self = .jpeg
    } else if starts([0x89, 0x50, 0x4E, 0x47]) {
      self = .png
    } else if holds("GIF8", at: 0) {
      self = .gif
    } else if holds("RIFF", at: 0), holds("WEBP", at: 8) {
      self = .webp
    } else if holds("ftypavif", at: 4) {
      self = .avif
    } else if ["ftyphei", "ftyphev", "ftypmif1", "ftypmsf1"].contains(where: { holds($0, at: 4) }) {
      self = .heic
    } else if starts([0x49, 0x49, 0x2A, 0]) || starts([0x4D, 0x4D, 0, 0x2A]) {
      self = .tiff
    } else if holds("BM", at: 0), bytes.count > 26 {
      self = .bmp
    } else if holds("%PDF", at: 0) {
      self = .pdf
    } else if starts([0xFF, 0x0A]) || holds("JXL ", at: 4) {
      self = .jpegXL
    } else if starts([0xFF, 0x4F, 0xFF, 0x51]) || holds("jP  ", at: 4) {
      self = .jpeg2000
    } else {
      self = Self.looksLikeText(bytes) ? .text : .unknown
    }
  }

  private static func looksLikeText(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(512)
    guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else {
      return false
    }
    // The first 512 bytes can end in the middle of a character.
    let cuts = start.count < bytes.count ? 0...3 : 0...0
    return cuts.contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

// Opens photos: the way from the bytes of a file to an upright picture.
//
// 1. `PhotoDecoder` takes bytes, a path or a URL, and refuses what is too large.
// 2. `PhotoFormat` recognizes the kind of file by its first bytes; a `PhotoContainer` of that kind reads its header.
// 3. `Photo` holds the opened file, and decodes and turns its picture when that is needed.

/// Opens image files, within limits.
public struct PhotoDecoder: Sendable {
  /// What a file may be before it is refused, checked before any memory is taken for pixels.
  public struct Limits: Sendable {
    /// Bytes in the file.
    public var bytes = 64 << 20
    /// Pixels in the stored picture.
    public var pixels = 100_000_000

    /// The limits of the recipe: 64 MB and 100 megapixels.
    package init() {}
  }

  /// Bounds on what is accepted.
  public var limits = Limits()
  /// Accept a picture whose data are damaged or end early, with gray where they are missing.
  public var lenient = false
  /// The kinds of files that can be read; of two that read the same format the first does.
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

  /// The formats that can be read: JPEG, on Apple platforms what ImageIO reads beside it, elsewhere those of
  /// the package's traits `HEIF`, `PNG` and `WebP`.
  public var formats: Set<PhotoFormat> {
    containers.reduce(into: []) { $0.formUnion($1.formats) }
  }

  /// A strict decoder with the usual limits.
  public init() {}

  /// Opens the bytes of a whole file, such as `[UInt8]` or `Data`: reads its size, orientation, position,
  /// heading and time, without decoding the picture.
  ///
  /// - Throws: ``CupolaError`` when the bytes are of no format that can be read, are damaged before the
  ///   picture data, or exceed the limits.
  public func open(_ file: some Sequence<UInt8>) throws(CupolaError) -> Photo {
    let bytes = Array(file)
    guard bytes.count <= limits.bytes else {
      throw CupolaError.file(.tooLarge(bytes: bytes.count, limit: limits.bytes))
    }
    let format = PhotoFormat(of: bytes)
    guard let kind = containers.first(where: { $0.formats.contains(format) }) else {
      throw CupolaError.unsupportedFormat(format)
    }
    let photo = try Photo(bytes, format, as: kind, lenient: lenient)
    let (width, height) = (photo.container.width, photo.container.height)
    guard width > 0, height > 0 else {
      throw CupolaError.damagedPhoto(format, "a frame of \(width)x\(height)")
    }
    guard width * height <= limits.pixels else {
      throw CupolaError.pictureTooLarge(width: width, height: height, limit: limits.pixels)
    }
    return photo
  }

  /// Opens the file at a path.
  ///
  /// - Throws: ``CupolaError`` as ``open(_:)`` does, and when it is no file or cannot be read.
  public func open(path: String) throws(CupolaError) -> Photo {
    try open(
      try CupolaError.files { () throws(FileError) in
        try FileAccess.read(path, limit: limits.bytes)
      })
  }

  /// Opens a file, as ``open(_:)`` does its bytes.
  ///
  /// - Throws: ``CupolaError`` as that does, and when it is no file or cannot be read.
  public func open(contentsOf url: URL) throws(CupolaError) -> Photo {
    try open(path: url.filePath)
  }
}

/// An image file that was opened: its header and metadata have been read, once, its pixels not yet.
///
/// ``PhotoDecoder/open(_:)`` makes one.
public struct Photo: Sendable {
  /// What kind of file it is.
  public let format: PhotoFormat
  /// The file.
  package let bytes: [UInt8]
  /// What reads it.
  package let container: any PhotoContainer
  /// How long opening took.
  let timing: StageTiming
  private let lenient: Bool

  fileprivate init(
    _ bytes: [UInt8], _ format: PhotoFormat, as kind: any PhotoContainer.Type, lenient: Bool
  ) throws(CupolaError) {
    var timing = StageTiming()
    container = try timing.measure(.metadata) { () throws(CupolaError) in
      try kind.init(bytes, format: format)
    }
    (self.bytes, self.format, self.lenient, self.timing) = (bytes, format, lenient, timing)
  }

  /// How, where and when it was taken.
  public var metadata: PhotoMetadata { container.metadata }

  /// Columns of the upright picture.
  public var width: Int { isTurned ? container.height : container.width }

  /// Rows of the upright picture.
  public var height: Int { isTurned ? container.width : container.height }

  private var isTurned: Bool { container.metadata.orientation.swapsSides }

  /// Decodes to an upright picture of at least `minimumWidth` x `minimumHeight` where the photo has it.
  ///
  /// JPEG is scaled while it is decoded (by 1/8 to 8/8), so that a 12-megapixel photo costs little more
  /// than reading it. Photos smaller than the minimum come in their own size.
  /// - Throws: ``CupolaError`` when the picture data are damaged, or end early unless the decoder is lenient.
  public func image(
    minimumWidth: Int = .max, minimumHeight: Int = .max
  ) throws(CupolaError) -> RGBImage {
    let stored = try container.pixels(
      minimumWidth: isTurned ? minimumHeight : minimumWidth,
      minimumHeight: isTurned ? minimumWidth : minimumHeight, lenient: lenient)
    return stored.upright(from: container.metadata.orientation)
  }
}

/// A kind of image file: the seam between what decodes it and all that only wants a photo.
///
/// Another kind comes as one more of these in a file of its own, named in
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

/// What kind of file some bytes are, whatever the file is called.
public enum PhotoFormat: String, Sendable {
  case empty, jpeg, png, gif, webp, heic, avif, tiff, bmp, pdf, jpegXL, text, unknown

  /// Recognizes a format by its first bytes.
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
    } else {
      self = Self.looksLikeText(bytes) ? .text : .unknown
    }
  }

  private static func looksLikeText(_ bytes: [UInt8]) -> Bool {
    let start = bytes.prefix(512)
    guard start.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }) else {
      return false
    }
    // The cut after 512 bytes may go through a character.
    let cuts = start.count < bytes.count ? 0...3 : 0...0
    return cuts.contains { String(validating: start.dropLast($0), as: UTF8.self) != nil }
  }
}

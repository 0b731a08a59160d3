public import CupolaCampus

/// An error caused by input, such as a file, photo, map, or model.
///
/// ``message`` is a description for users. Later versions can add cases.
public enum CupolaError: Error, Equatable, Sendable {
  /// The file is unreadable, unwritable, or larger than the size limit.
  case file(FileError)
  /// The content has an unsupported format, regardless of the file name.
  case unsupportedFormat(PhotoFormat)
  /// The photo has a supported format, but a rare kind of it, such as "12-bit JPEG".
  case unsupportedKind(String)
  /// The photo cannot be decoded. The text is the decoder's message or names the missing part.
  case damagedPhoto(PhotoFormat, String)
  /// The photo decodes, but part of the image is damaged or missing.
  case truncatedPhoto(PhotoFormat, String)
  /// The image exceeds the pixel limit.
  case pictureTooLarge(width: Int, height: Int, limit: Int)
  /// Decoding would take too much time or memory for the image's size. The text is the reason.
  case pictureTooCostly(PhotoFormat, String)
  /// The image is smaller than `needed` pixels in width or height.
  case pictureTooSmall(width: Int, height: Int, needed: Int)
  /// The byte count of a frame does not match its layout.
  case wrongFrameSize(bytes: Int, needed: Int)
  /// The file is not a model that this version supports.
  case badModel(ModelFault)
  /// The file is not a valid map.
  case badCampus(CampusError)
  /// The model has no label with this name.
  case unknownLabel(String)
  /// The explanation has no second label: the model has only one, or both names are equal.
  case noOtherLabel(String)
  /// OpenBLAS, which training requires on Linux, cannot be loaded. The text is the loader's message.
  case missingLibrary(String)
}

extension CupolaError {
  /// Runs `body` and wraps its file errors as ``CupolaError/file(_:)``.
  package static func files<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(CupolaError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}

extension CupolaError: CustomStringConvertible {
  /// Returns ``message``.
  public var description: String { message }

  /// One line that describes the problem and how to fix it.
  public var message: String {
    switch self {
    case .file(let error): return error.message
    case .unsupportedFormat(let format): return format.advice
    case .unsupportedKind(let kind):
      return "\(kind), which is not supported; export it as a usual JPEG with 8 bits per sample"
    case .damagedPhoto(let format, let what):
      return "damaged \(format.name): \(what); export the photo again"
    case .truncatedPhoto(let format, let what):
      return "truncated \(format.name): \(what); copy the photo again or use --lenient"
    case .pictureTooLarge(let width, let height, let limit):
      return "\(width)x\(height) pixels, over the limit of \(limit / 1_000_000) megapixels; "
        + "resize it"
    case .pictureTooCostly(_, let what):
      return "\(what); save it as a baseline JPEG or resize it"
    case .pictureTooSmall(let width, let height, let needed):
      return "\(width)x\(height) pixels; use a photo of at least \(needed)x\(needed) pixels"
    case .wrongFrameSize(let bytes, let needed):
      return "\(bytes) bytes, but the layout needs \(needed); record the frame again"
    case .badModel(let fault): return "not a usable model: \(fault.message)"
    case .badCampus(let fault): return fault.description
    case .unknownLabel(let label):
      return
        "unknown label \"\(VisibleText.line(label))\"; run 'cupola model' to list the labels"
    case .noOtherLabel(let label):
      return "\"\(VisibleText.line(label))\" cannot be compared with itself; name another label"
    case .missingLibrary(let what):
      return "cannot load OpenBLAS: \(what); install it, for example: apt-get install libopenblas0"
    }
  }
}

extension PhotoFormat {
  fileprivate var advice: String {
    switch self {
    case .jpeg: "a JPEG"
    case .empty: "the file is empty; copy the photo again"
    case .text: "text, not a photo; remove it"
    case .unknown: "not a JPEG or another known format; remove it or export it as JPEG"
    case .pdf: "\(name), not JPEG; convert it with: pdftoppm -jpeg IN OUT"
    case .jpeg2000: "\(name), not JPEG; export it as JPEG, for example: magick IN OUT.jpg"
    case .heic, .avif, .png, .webp, .jpegXL, .gif, .tiff, .bmp:
      "\(name), not JPEG; convert the whole folder with: cupola import FOLDER -o PHOTOS"
    }
  }

  package var name: String {
    switch self {
    case .webp: "WebP"
    case .jpegXL: "JPEG XL"
    case .jpeg2000: "JPEG 2000"
    default: rawValue.uppercased()
    }
  }
}

extension EXIFFault: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notTIFF: "missing TIFF header"
    case .badOffset(let offset): "invalid offset \(offset)"
    case .pastEnd(let tag): "\(Self.name(of: tag)) is outside the block"
    case .badValue(let tag): "invalid value of \(Self.name(of: tag))"
    }
  }

  private static func name(of tag: UInt16) -> String {
    switch tag {
    case EXIFReader.Tag.orientation: "Orientation"
    case EXIFReader.Tag.latitude: "GPSLatitude"
    case EXIFReader.Tag.longitude: "GPSLongitude"
    case EXIFReader.Tag.imageDirection: "GPSImgDirection"
    case EXIFReader.Tag.horizontalError: "GPSHPositioningError"
    case EXIFReader.Tag.focalLength: "FocalLengthIn35mmFilm"
    default: "tag \(tag)"
    }
  }
}

/// A problem with a model file; see ``CupolaError/message``.
public struct ModelFault: Equatable, Sendable {
  package let message: String

  private init(_ message: String) { self.message = message }

  package static let notSafetensors = ModelFault(
    "not a safetensors file; use a file written by cupola")

  package static func badHeaderSize(_ size: UInt64) -> ModelFault {
    ModelFault("invalid header size of \(size) bytes; the file is truncated or not a model")
  }

  package static func headerTooLarge(bytes: Int, limit: Int) -> ModelFault {
    ModelFault(
      "header of \(bytes) bytes is over the limit of \(limit / 1_000_000) MB; simplify the map"
    )
  }

  package static func badHeader(_ what: String) -> ModelFault {
    ModelFault("damaged header: \(what); copy or train the model again")
  }

  package static func wrongSize(expected: Int, found: Int) -> ModelFault {
    ModelFault(
      "\(found) bytes of tensor data instead of \(expected); copy the file again")
  }

  package static func badOffsets(tensor: String) -> ModelFault {
    ModelFault("tensor \(tensor) has invalid offsets; copy the file again")
  }

  package static func badShape(tensor: String) -> ModelFault {
    ModelFault("the shape of tensor \(tensor) does not match its size; copy the file again")
  }

  package static func missing(_ what: String) -> ModelFault {
    ModelFault("missing \(what); use a model written by 'cupola train'")
  }

  package static func wrongFormat(_ format: String) -> ModelFault {
    ModelFault("format \(format) instead of cupola.model")
  }

  package static func unknownVersion(_ version: String) -> ModelFault {
    ModelFault("unsupported version: \(version); update cupola")
  }

  package static let wrongDigest = ModelFault(
    "the contents do not match the SHA-256 digest; copy the file again")

  package static func notFinite(tensor: String) -> ModelFault {
    ModelFault("tensor \(tensor) contains NaN or infinite values")
  }

  package static func inconsistent(_ what: String) -> ModelFault { ModelFault(what) }
}

public import CupolaCampus

/// What can be wrong with the world: files, photos, maps and models.
///
/// The cases hold facts; the sentences for people are in ``message``. New cases may come with any
/// version.
public enum CupolaError: Error, Equatable, Sendable {
  /// A file cannot be read or written, or is larger than what is accepted.
  case file(FileError)
  /// The bytes are of a format that cannot be read here, whatever the file is called.
  case unsupportedFormat(PhotoFormat)
  /// The photo cannot be decoded; the text is the decoder's, or says what is missing.
  case damagedPhoto(PhotoFormat, String)
  /// The photo decodes, but part of the picture is damaged or missing.
  case truncatedPhoto(PhotoFormat, String)
  /// The picture has more pixels than are accepted.
  case pictureTooLarge(width: Int, height: Int, limit: Int)
  /// Decoding the photo would take more time or memory than its picture is worth; the text says why.
  case pictureTooCostly(PhotoFormat, String)
  /// The picture has fewer than `needed` pixels along a side.
  case pictureTooSmall(width: Int, height: Int, needed: Int)
  /// A frame has fewer or more bytes than its layout says.
  case wrongFrameSize(bytes: Int, needed: Int)
  /// The file is no model that this version can use.
  case badModel(ModelFault)
  /// The file is no map that can be used.
  case badCampus(CampusError)
  /// The model knows no label of that name.
  case unknownLabel(String)
  /// A label can only be compared with another; the model has none, or it was named twice.
  case noOtherLabel(String)
  /// OpenBLAS, which training takes on Linux, cannot be loaded; the text is the loader's.
  case missingLibrary(String)
}

extension CupolaError {
  /// Errors of files as errors of this module.
  package static func files<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(CupolaError) -> Result {
    do throws(FileError) { return try body() } catch { throw .file(error) }
  }
}

extension CupolaError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .file(let error): return error.message
    case .unsupportedFormat(let format): return format.advice
    case .damagedPhoto(let format, let what):
      return "damaged \(format.name): \(what); copy or export the photo again"
    case .truncatedPhoto(let format, let what):
      return "incomplete \(format.name): \(what); copy the photo again, or accept it with --lenient"
    case .pictureTooLarge(let width, let height, let limit):
      return "\(width)x\(height) pixels, more than the \(limit / 1_000_000) megapixels accepted; "
        + "save it smaller"
    case .pictureTooCostly(_, let what):
      return "\(what); save it as a baseline JPEG or smaller"
    case .pictureTooSmall(let width, let height, let needed):
      return "\(width)x\(height) pixels, at least \(needed)x\(needed) needed"
    case .wrongFrameSize(let bytes, let needed):
      return "\(bytes) bytes, but a frame of its layout has \(needed); record it again"
    case .badModel(let fault): return "not a usable model: \(fault.message)"
    case .badCampus(let fault): return fault.description
    case .unknownLabel(let label):
      return
        "the model knows no label \"\(VisibleText.line(label))\"; 'cupola model' lists those it knows"
    case .noOtherLabel(let label):
      return "\"\(VisibleText.line(label))\" cannot be compared with itself; name another label"
    case .missingLibrary(let what):
      return "OpenBLAS cannot be loaded: \(what); install it, as by: apt-get install libopenblas0"
    }
  }
}

extension PhotoFormat {
  fileprivate var advice: String {
    switch self {
    case .jpeg: "a JPEG"
    case .empty: "the file is empty; copy the photo again"
    case .text: "text, not a photo, whatever its name; remove it"
    case .unknown: "not a JPEG, and of no format known here; remove it or export it as JPEG"
    case .pdf: "\(name), not JPEG; convert it: pdftoppm -jpeg IN OUT"
    case .heic, .avif, .png, .webp, .jpegXL, .gif, .tiff, .bmp:
      "\(name), not JPEG; this converts a whole folder and keeps EXIF: cupola import FOLDER -o PHOTOS"
    }
  }

  package var name: String {
    self == .webp ? "WebP" : self == .jpegXL ? "JPEG XL" : rawValue.uppercased()
  }
}

extension EXIFFault: CustomStringConvertible {
  /// What is wrong, in a few words.
  package var description: String {
    switch self {
    case .notTIFF: "it does not begin as TIFF does"
    case .badOffset(let offset): "offset \(offset) leads nowhere"
    case .badValue(let tag): "tag \(tag) has an impossible value"
    }
  }
}

/// What is wrong with a model file; ``CupolaError/message`` says it.
public struct ModelFault: Equatable, Sendable {
  package let message: String

  private init(_ message: String) { self.message = message }

  package static let notSafetensors = ModelFault(
    "not a safetensors file; name one that cupola wrote")

  package static func badHeaderSize(_ size: UInt64) -> ModelFault {
    ModelFault("its header claims \(size) bytes; the file is cut or no model")
  }

  package static func headerTooLarge(bytes: Int, limit: Int) -> ModelFault {
    ModelFault(
      "its header would have \(bytes) bytes, and \(limit / 1_000_000) MB are the most; simplify the map"
    )
  }

  package static func badHeader(_ what: String) -> ModelFault {
    ModelFault("its header is damaged: \(what); copy or train it again")
  }

  package static func wrongSize(expected: Int, found: Int) -> ModelFault {
    ModelFault(
      "\(found) bytes of tensors where \(expected) belong; the file was cut: copy it again")
  }

  package static func badOffsets(tensor: String) -> ModelFault {
    ModelFault("tensor \(tensor) lies outside its place; copy it again")
  }

  package static func badShape(tensor: String) -> ModelFault {
    ModelFault("tensor \(tensor) has a shape that does not fit its bytes")
  }

  package static func missing(_ what: String) -> ModelFault {
    ModelFault("it has no \(what); was it written by 'cupola train'?")
  }

  package static func wrongFormat(_ format: String) -> ModelFault {
    ModelFault("it is a \(format), not a cupola.model")
  }

  package static func unknownVersion(_ version: String) -> ModelFault {
    ModelFault("its version is \(version), newer than this cupola; update")
  }

  package static let wrongDigest = ModelFault("its bytes do not match its SHA-256; copy it again")

  package static func notFinite(tensor: String) -> ModelFault {
    ModelFault("tensor \(tensor) holds values that are no numbers")
  }

  package static func inconsistent(_ what: String) -> ModelFault { ModelFault(what) }
}

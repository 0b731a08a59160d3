internal import CupolaCampus

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
  /// What to say about a file that cannot be read.
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

  /// What people call it.
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

extension ModelFault {
  package var message: String {
    switch self {
    case .notSafetensors: "not a safetensors file; name one that cupola wrote"
    case .badHeaderSize(let size): "its header claims \(size) bytes; the file is cut or no model"
    case .headerTooLarge(let bytes, let limit):
      "its header would have \(bytes) bytes, and \(limit / 1_000_000) MB are the most; simplify the map"
    case .badHeader(let what): "its header is damaged: \(what); copy or train it again"
    case .wrongSize(let expected, let found):
      "\(found) bytes of tensors where \(expected) belong; the file was cut: copy it again"
    case .badOffsets(let tensor): "tensor \(tensor) lies outside its place; copy it again"
    case .badShape(let tensor): "tensor \(tensor) has a shape that does not fit its bytes"
    case .missing(let what): "it has no \(what); was it written by 'cupola train'?"
    case .wrongFormat(let format): "it is a \(format), not a cupola.model"
    case .unknownVersion(let version): "its version is \(version), newer than this cupola; update"
    case .wrongDigest: "its bytes do not match its SHA-256; copy it again"
    case .notFinite(let tensor): "tensor \(tensor) holds values that are no numbers"
    case .inconsistent(let what): what
    }
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension CupolaError: CustomStringConvertible {
  /// The same as ``message``.
  public var description: String { message }

  /// One line for people: what is wrong and what to do.
  public var message: String {
    switch self {
    case .cannotRead(let path, let code):
      return "\(path): cannot read it: \(Self.text(of: code))"
    case .cannotWrite(let path, let code):
      return "\(path): cannot write it: \(Self.text(of: code))"
    case .fileTooLarge(let bytes, let limit):
      return "\(bytes) bytes, more than the \(limit >> 20) MB accepted; save it smaller"
    case .notJPEG(let format): return format.advice
    case .damagedJPEG(let what): return "damaged JPEG: \(what); copy or export the photo again"
    case .truncatedJPEG(let what):
      return "incomplete JPEG: \(what); copy the photo again, or accept it with --lenient"
    case .pictureTooLarge(let width, let height, let limit):
      return "\(width)x\(height) pixels, more than the \(limit / 1_000_000) megapixels accepted; "
        + "save it smaller"
    case .pictureTooSmall(let width, let height, let needed):
      return "\(width)x\(height) pixels, at least \(needed)x\(needed) needed"
    case .badModel(let fault): return "not a usable model: \(fault.message)"
    case .badCampus(let fault): return "not a usable map: \(fault.message)"
    case .unknownLabel(let label):
      return
        "the model knows no label \"\(VisibleText.line(label))\"; 'cupola model' lists those it knows"
    case .noOtherLabel(let label):
      return "\"\(VisibleText.line(label))\" cannot be compared with itself; name another label"
    }
  }

  static func text(of code: Int32) -> String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }
}

extension PhotoFormat {
  /// What to say about a file that is no JPEG.
  fileprivate var advice: String {
    switch self {
    case .jpeg: "a JPEG"
    case .empty: "the file is empty; copy the photo again"
    case .text: "text, not a photo, whatever its name; remove it"
    case .unknown: "not a JPEG, and of no format known here; remove it or export it as JPEG"
    case .heic, .avif: "\(name), not JPEG; convert it: heif-convert IN OUT.jpg"
    case .pdf: "\(name), not JPEG; convert it: pdftoppm -jpeg IN OUT"
    case .jpegXL: "\(name), not JPEG; convert it: djxl IN OUT.jpg"
    case .webp: "\(name), not JPEG; convert it: dwebp IN -o OUT.png && convert OUT.png OUT.jpg"
    case .png, .gif, .tiff, .bmp: "\(name), not JPEG; convert it: convert IN OUT.jpg"
    }
  }

  private var name: String {
    self == .webp ? "WebP" : self == .jpegXL ? "JPEG XL" : rawValue.uppercased()
  }
}

extension EXIFFault: CustomStringConvertible {
  /// What is wrong, in a few words.
  public var description: String {
    switch self {
    case .notTIFF: "it does not begin as TIFF does"
    case .badOffset(let offset): "offset \(offset) leads nowhere"
    case .badValue(let tag): "tag \(tag) has an impossible value"
    }
  }
}

extension ModelFault {
  fileprivate var message: String {
    switch self {
    case .notSafetensors: "not a safetensors file; name a file written by 'cupola train'"
    case .badHeaderSize(let size): "its header claims \(size) bytes; the file is cut or no model"
    case .badHeader(let what): "its header is damaged: \(what); copy or train it again"
    case .wrongSize(let expected, let found):
      "\(found) bytes of tensors where \(expected) belong; the file was cut: copy it again"
    case .badOffsets(let tensor): "tensor \(tensor) lies outside its place; copy it again"
    case .badShape(let tensor): "tensor \(tensor) has a shape that does not fit its bytes"
    case .missing(let what): "it has no \(what); was it written by 'cupola train'?"
    case .wrongFormat(let format): "it is a \(format), not a cupola.model"
    case .unknownVersion(let version): "its version is \(version), newer than this cupola; update"
    case .wrongDigest: "its tensors do not match their SHA-256; copy it again"
    case .notFinite(let tensor): "tensor \(tensor) holds values that are no numbers"
    case .inconsistent(let what): what
    }
  }
}

extension CampusFault {
  /// What is wrong and what to do, in one line.
  package var message: String {
    switch self {
    case .notJSON(let fault): "not a GeoJSON FeatureCollection: \(fault.message)"
    case .notGeoJSON(let what): "not a GeoJSON FeatureCollection: \(what)"
    case .noBoundary:
      "no boundary; give the polygon of the grounds the property \"role\": \"boundary\""
    case .emptyPolygon(let feature):
      "\(feature): a polygon without rings; draw it again or remove it"
    case .badPosition(let feature, let numbers):
      "\(feature): \(numbers) is no [longitude, latitude]; correct it"
    case .swappedCoordinates(let feature, let numbers):
      "\(feature): \(numbers) looks like [latitude, longitude]; GeoJSON puts longitude first"
    case .unclosedRing(let feature, let ring):
      "\(feature): ring \(ring) is not closed; repeat its first position at its end"
    case .shortRing(let feature, let ring):
      "\(feature): ring \(ring) has fewer than four positions; draw it again or remove it"
    case .wideRing(let feature, let ring):
      "\(feature): ring \(ring) reaches more than once around the Earth; correct its longitudes"
    case .poleMissing(let feature, let ring):
      "\(feature): ring \(ring) goes round the Earth; lead it along 180 and -180 to the pole inside"
    case .unknownGeometry(let feature, let type):
      "\(feature): no geometry is called \"\(type)\"; write Polygon, MultiPolygon or Point"
    case .fileTooLarge(let bytes, let limit):
      "\(bytes) bytes, more than the \(limit >> 20) MB accepted; keep what the campus needs, and "
        + "simplify long outlines, for example with mapshaper"
    case .tooManyPositions(let limit):
      "more than \(limit) positions; simplify the outlines, for example with mapshaper"
    case .probablySwapped:
      "the photos were taken where latitude and longitude of the fence change places; "
        + "GeoJSON puts longitude first"
    }
  }
}

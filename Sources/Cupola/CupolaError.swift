/// What can be wrong with the world: files, photos, maps and models.
///
/// The cases hold facts; the sentences for people are in ``message``. New cases may come with any
/// version.
public enum CupolaError: Error, Equatable, Sendable {
  /// The system refused to open or read a file; `code` is its `errno`.
  case cannotRead(path: String, code: Int32)
  /// The system refused to write, sync or rename a file; `code` is its `errno`.
  case cannotWrite(path: String, code: Int32)
  /// A file is larger than what is accepted.
  case fileTooLarge(bytes: Int, limit: Int)
  /// The bytes are of another format, whatever the file is called.
  case notJPEG(PhotoFormat)
  /// The JPEG cannot be decoded; the text is libjpeg's, or says what is missing.
  case damagedJPEG(String)
  /// The JPEG decodes, but part of the picture is damaged or missing.
  case truncatedJPEG(String)
  /// The picture has more pixels than are accepted.
  case pictureTooLarge(width: Int, height: Int, limit: Int)
  /// The picture has fewer than `needed` pixels along a side.
  case pictureTooSmall(width: Int, height: Int, needed: Int)
  /// The file is no model that this version can use.
  case badModel(ModelFault)
  /// The file is no map that can be used.
  case badCampus(CampusFault)
  /// The model knows no label of that name.
  case unknownLabel(String)
  /// A label can only be compared with another; the model has none, or it was named twice.
  case noOtherLabel(String)
}

/// What is wrong with a model file.
public enum ModelFault: Equatable, Sendable {
  /// Too short for, or without, a safetensors header.
  case notSafetensors
  /// The header claims more bytes than the file has, or than a header may have.
  case badHeaderSize(UInt64)
  /// The header is not the JSON it should be.
  case badHeader(String)
  /// The file has fewer or more bytes than its header says.
  case wrongSize(expected: Int, found: Int)
  /// Tensors overlap, leave gaps, or lie outside the file.
  case badOffsets(tensor: String)
  /// A tensor's shape and type do not make up its bytes.
  case badShape(tensor: String)
  /// A tensor or a metadata entry is not there.
  case missing(String)
  /// The file is of another kind.
  case wrongFormat(String)
  /// The file, or its recipe, is of a version that this program does not know.
  case unknownVersion(String)
  /// The tensors are not those that the file's SHA-256 was made of.
  case wrongDigest
  /// Some weights are infinite or not a number.
  case notFinite(tensor: String)
  /// Parts of the model contradict each other.
  case inconsistent(String)
}

/// What is wrong with a map of the grounds; features are named as a person would find them.
public enum CampusFault: Equatable, Sendable {
  /// No JSON at all.
  case notJSON(JSONFault)
  /// Not a GeoJSON FeatureCollection.
  case notGeoJSON(String)
  /// No feature is the boundary of the grounds.
  case noBoundary
  /// A polygon without rings.
  case emptyPolygon(String)
  /// A position that is no longitude and latitude.
  case badPosition(String, [Double])
  /// A position that would be one the other way round.
  case swappedCoordinates(String, [Double])
  /// A ring whose last position is not its first.
  case unclosedRing(String, ring: Int)
  /// A ring of fewer than four positions.
  case shortRing(String, ring: Int)
  /// A ring that reaches further than once around the Earth.
  case wideRing(String, ring: Int)
  /// A ring around the Earth on both sides of the equator, which could enclose either pole.
  case poleMissing(String, ring: Int)
  /// A geometry of a type that RFC 7946 does not know.
  case unknownGeometry(String, type: String)
  /// A file larger than what is accepted.
  case fileTooLarge(bytes: Int, limit: Int)
  /// More positions than are accepted.
  case tooManyPositions(limit: Int)
  /// The photos' own positions lie inside the fence only when latitude and longitude change places.
  case probablySwapped
}

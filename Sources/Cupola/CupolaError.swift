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

/// What is wrong with a model file.
public enum ModelFault: Equatable, Sendable {
  /// Too short for, or without, a safetensors header.
  case notSafetensors
  /// The header claims more bytes than the file has, or than a header may have.
  case badHeaderSize(UInt64)
  /// The header would be larger than a header may be, most of it the map.
  case headerTooLarge(bytes: Int, limit: Int)
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
  /// The file is not the one that its SHA-256 was made of.
  case wrongDigest
  /// Some weights are infinite or not a number.
  case notFinite(tensor: String)
  /// Parts of the model contradict each other.
  case inconsistent(String)
}

internal import CupolaCampus
internal import CupolaSupport

/// A photo or voice file of a journal, named by what is in it.
public struct JournalMedia: Hashable, Sendable {
  /// The digest and the extension: `ab...cd.jpg`.
  public let name: String

  /// Fails unless the digest is 64 hexadecimal digits of lower case (SHA-256), and the extension is one of
  /// ``extensions``.
  public init?(digest: String, fileExtension: String) {
    self.init(name: digest + "." + fileExtension)
  }

  /// Reads a name such as `ab...cd.jpg`; a path is none.
  public init?(name: String) {
    guard JournalMedia.isName(Array(name.utf8)[...]) else { return nil }
    self.name = name
  }

  /// Of a name that was checked already.
  init(checkedName name: String) { self.name = name }

  /// The SHA-256 of the bytes as 64 hexadecimal digits.
  public var digest: String { String(name.utf8.prefix(64)) ?? "" }
  /// One of ``extensions``.
  public var fileExtension: String { String(name.utf8.dropFirst(65)) ?? "" }
  /// Where it stands in a journal and in an export: `media/ab/ab...cd.jpg`.
  public var path: String { JournalMedia.folder + "/" + name.prefix(2) + "/" + name }
  /// Whether it is one that ``photoExtensions`` lists.
  public var isPhoto: Bool { JournalMedia.photoExtensions.contains(fileExtension) }

  /// What photos may be.
  public static let photoExtensions = ["avif", "heic", "jpeg", "jpg", "png", "webp"]
  /// What voice files may be.
  public static let voiceExtensions = ["aac", "caf", "flac", "m4a", "mp3", "ogg", "opus", "wav"]
  /// All that media may be; none that a browser would run.
  public static let extensions = photoExtensions + voiceExtensions

  /// The folder within a journal.
  package static let folder = "media"

  static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count > 66, bytes[bytes.startIndex + 64] == UInt8(ascii: ".") else { return false }
    return bytes.prefix(64).allSatisfy(Hex.isDigit)
      && endings.contains { bytes.dropFirst(65).elementsEqual($0) }
  }

  private static let endings = extensions.map { Array($0.utf8) }
}

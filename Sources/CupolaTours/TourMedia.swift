public import CupolaGuide

/// A picture, sound or film that belongs to a stop.
public struct TourMedia: Equatable, Sendable {
  /// What it is.
  public enum Kind: String, Sendable, CaseIterable {
    case image, audio, video
  }

  /// Where the file lies, from the folder of the tour; never outside of it.
  public let path: String
  /// What it is.
  public let kind: Kind
  /// What it shows or says, for those who cannot see or hear it; `nil` when nobody wrote it.
  public let alternative: LocalizedText?

  init(path: String, kind: Kind, alternative: LocalizedText? = nil) {
    (self.path, self.kind, self.alternative) = (path, kind, alternative)
  }

  /// Bytes of a path at most.
  static let mostPathBytes = 1024
  /// Bytes of each name of a path at most, as file systems have it.
  static let mostNameBytes = 255

  /// What is wrong with a path; `nil` when it leads to a file of the tour's folder whatever reads it.
  static func problem(ofPath path: String) -> String? {
    guard !path.isEmpty, path.utf8.count <= mostPathBytes else {
      return "a path has 1 to \(mostPathBytes) bytes"
    }
    // Bytes, as systems part them: of characters a mark above a slash would make another.
    guard !path.utf8.contains(where: "\\:%?#*\"<>|".utf8.contains) else {
      return "a path has none of \\ : % ? # * \" < > |, and no address; "
        + "name a file of the tour's folder"
    }
    let (dot, blank) = (UInt8(ascii: "."), UInt8(ascii: " "))
    for name in path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let first = name.first, first != dot, first != UInt8(ascii: "~") else {
        return "leads out of the tour's folder, or to a hidden file; "
          + "name a file like media/library.jpg"
      }
      guard name.count <= mostNameBytes, name.last != dot, name.last != blank else {
        return "a name has at most \(mostNameBytes) bytes, and no dot or blank at its end"
      }
    }
    return nil
  }
}

internal import CupolaSupport

/// Whether a file of a tour can be shown.
public enum TourMediaState: Equatable, Sendable {
  /// It is there.
  case found
  /// It is not there, or no file.
  case missing
  /// A link leads out of the folder.
  case outside

  /// How it is with a file.
  ///
  /// - Parameters:
  ///   - path: of ``TourMedia/path``.
  ///   - folder: of the tour.
  public static func of(_ path: String, in folder: String) -> TourMediaState {
    guard let root = FileAccess.resolved(folder),
      let file = FileAccess.resolved(folder + "/" + path)
    else {
      return .missing
    }
    guard file.starts(with: root.last == UInt8(ascii: "/") ? root : root + [UInt8(ascii: "/")])
    else { return .outside }
    return (try? FileAccess.size(of: folder + "/" + path)) == nil ? .missing : .found
  }
}

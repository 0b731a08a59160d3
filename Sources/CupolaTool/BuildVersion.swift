import CBuild
import Cupola

/// What `cupola --version` says.
enum BuildVersion {
  /// The version, with the commit where the build was told it: `0.1.0 (0123abc)`.
  static var text: String {
    let commit = unsafe String(cString: cbuild_commit())
    return commit.isEmpty ? cupolaVersion : "\(cupolaVersion) (\(commit))"
  }
}

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

internal import Cupola

/// The page's own script, and what lets a browser run it and no other.
enum PageScript {
  static var text: String { String(decoding: PackageResources.report_js, as: UTF8.self) }

  /// What the page's policy calls it: the SHA-256 of its bytes in Base64.
  static var digest: String {
    var hash = SHA256()
    hash.update(Array(text.utf8))
    return "sha256-" + Data(hash.digest()).base64EncodedString()
  }
}

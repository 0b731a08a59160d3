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
    let digits = Array(SHA256.hexadecimal(of: Array(text.utf8)))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
    return "sha256-" + Data(bytes).base64EncodedString()
  }
}

internal import CupolaSupport

/// What servers call a file's state (RFC 9110, section 8.8.3), kept beside files.
enum ETag {
  /// The name of the file beside a part's file; no part's file is called so.
  static func file(of file: String) -> String { file + "+etag" }

  /// The tag itself, unless it is none that could be sent back.
  static func usable(_ tag: String?) -> String? {
    guard let tag, (1...1_000).contains(tag.utf8.count),
      tag.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return tag
  }

  /// The one in a file.
  static func read(_ path: String) -> String? {
    guard let bytes = try? FileAccess.read(path, limit: 2_000) else { return nil }
    return usable(String(validating: bytes, as: UTF8.self))
  }

  /// Keeps one, or none; without it more is fetched, no worse.
  static func keep(_ tag: String?, in path: String) {
    if let tag = usable(tag) {
      try? FileAccess.write(Array(tag.utf8), to: path, synced: false)
    } else {
      Directory.remove(path)
    }
  }
}

extension GuideFolder {
  /// Where the digest of `guide.json` and its tag are kept.
  var etagFile: String { path + "/.etag" }

  /// The tag of the `guide.json` that was fetched last, if that is still the one in the folder.
  var etag: String? {
    guard manifest != nil, let digest = manifestDigest, let kept = ETag.read(etagFile),
      kept.hasPrefix(digest + " ")
    else { return nil }
    return String(kept.dropFirst(digest.count + 1))
  }

  /// Keeps the tag of the `guide.json` that is in the folder now.
  func keep(etag: String?) {
    guard let etag = ETag.usable(etag), let digest = manifestDigest else {
      return Directory.remove(etagFile)
    }
    ETag.keep(digest + " " + etag, in: etagFile)
  }

  private var manifestDigest: String? {
    let file = path + "/" + GuideManifest.file
    return (try? FileAccess.read(file, limit: GuideManifest.mostBytes))
      .map { SHA256.hexadecimal(of: $0) }
  }
}

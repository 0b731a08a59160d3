internal import CupolaSupport

// 1. Request the bytes missing from an earlier download, and append them to the staged file.
// 2. If the ETag has changed, start over once.
// 3. Compare the complete file with the digest in the manifest.

/// Downloads one part to a staged file, resuming an earlier download if there is one.
struct PartDownload {
  private let part: GuideManifest.Part
  private let source: GuideSource
  private let folder: GuideFolder
  private let path: String
  private var have: Int
  private var etag: String?
  /// Whether some bytes come from an earlier download and may belong to a different file.
  private var isResumed: Bool
  private var hasStartedOver = false
  private(set) var fetched = 0

  init(
    _ part: GuideManifest.Part, from source: GuideSource, in folder: GuideFolder
  ) throws(GuideError) {
    try folder.makeStage()
    (self.part, self.source, self.folder) = (part, source, folder)
    path = folder.staged(part.file)
    have = (try? FileAccess.size(of: path)) ?? 0
    etag = have > 0 ? ETag.read(ETag.file(of: path)) : nil
    isResumed = have > 0
    if have > part.bytes { drop() }
  }

  mutating func run(report: (_ bytes: Int) -> Void) async throws(GuideError) {
    while true {
      while have < part.bytes {
        try await fetchMore()
        report(have)
      }
      if part.bytes == 0 { try append([]) }
      if part.matches(fileAt: path) { return Directory.remove(ETag.file(of: path)) }
      // The earlier bytes may belong to a different file, so try once from the start.
      guard isResumed else {
        drop()
        throw .wrongDownload(part: part.name)
      }
      try startOver()
    }
  }

  private mutating func fetchMore() async throws(GuideError) {
    let request = GuideRequest(
      name: part.name, file: part.file, offset: have, limit: part.bytes - have, etag: etag)
    switch try await source.answer(to: request) {
    case .whole(let bytes, let tag):
      fetched += bytes.count
      try replace(by: bytes, ETag.usable(tag))
    case .partial(let bytes, let tag):
      fetched += bytes.count
      try add(bytes, ETag.usable(tag))
    case .notModified: throw .wrongDownload(part: part.name)
    }
  }

  private mutating func replace(by bytes: [UInt8], _ tag: String?) throws(GuideError) {
    try check(bytes, limit: part.bytes)
    // If the server cannot resume, require each attempt to get further than the last one; otherwise, updates would
    // never end.
    guard bytes.count > have || tag != etag && !hasStartedOver else {
      throw .downloadTooSmall(part: part.name)
    }
    if bytes.count <= have { hasStartedOver = true }
    drop()
    keep(tag)
    try append(bytes)
  }

  private mutating func add(_ bytes: [UInt8], _ tag: String?) throws(GuideError) {
    if have > 0, let tag, let etag, tag != etag { return try startOver() }
    try check(bytes, limit: part.bytes - have)
    if have == 0 { keep(tag) }
    try append(bytes)
  }

  private mutating func check(_ bytes: [UInt8], limit: Int) throws(GuideError) {
    guard !bytes.isEmpty else { throw .downloadTooSmall(part: part.name) }
    guard bytes.count <= limit else {
      drop()
      throw .downloadTooLarge(part: part.name, limit: part.bytes)
    }
  }

  // MARK: - Staged file

  private mutating func startOver() throws(GuideError) {
    drop()
    guard !hasStartedOver else { throw .wrongDownload(part: part.name) }
    hasStartedOver = true
  }

  private mutating func drop() {
    Directory.remove(path)
    Directory.remove(ETag.file(of: path))
    (have, etag, isResumed) = (0, nil, false)
  }

  private mutating func keep(_ tag: String?) {
    etag = tag
    ETag.keep(tag, in: ETag.file(of: path))
  }

  private mutating func append(_ bytes: [UInt8]) throws(GuideError) {
    let path = path
    try folder.staging(part.file) { () throws(FileError) in
      try FileAccess.append(bytes, to: path)
    }
    have += bytes.count
  }
}

/// Stores the ETags of files (RFC 9110, section 8.8.3) next to the files.
enum ETag {
  /// The name of the file that stores the ETag. Part names cannot contain `+`.
  static func file(of file: String) -> String { file + "+etag" }

  static func usable(_ tag: String?) -> String? {
    guard let tag, (1...1_000).contains(tag.utf8.count),
      tag.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
    else { return nil }
    return tag
  }

  static func read(_ path: String) -> String? {
    guard let bytes = try? FileAccess.read(path, limit: 2_000) else { return nil }
    return usable(String(validating: bytes, as: UTF8.self))
  }

  /// Stores or removes a tag. Errors are ignored, because a missing tag only causes a longer download.
  static func keep(_ tag: String?, in path: String) {
    if let tag = usable(tag) {
      try? FileAccess.write(Array(tag.utf8), to: path, synced: false)
    } else {
      Directory.remove(path)
    }
  }
}

extension GuideFolder {
  var etagFile: String { path + "/.etag" }

  /// The ETag of the last downloaded `guide.json`, if the folder still has that file.
  var etag: String? {
    guard manifest != nil, let digest = manifestDigest, let kept = ETag.read(etagFile),
      kept.hasPrefix(digest + " ")
    else { return nil }
    return String(kept.dropFirst(digest.count + 1))
  }

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

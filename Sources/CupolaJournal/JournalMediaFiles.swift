public import CupolaGuide
internal import CupolaSupport

// 1. Check a file's size and type, and store it by digest; compare stored files with their digests.
// 2. Copy missing files, and remove unused ones except those mentioned in invalid lines.

extension Journal {
  /// Stores a photo or voice file of at most 100 MB, to be used in an entry.
  ///
  /// Photos can be AVIF, HEIC, JPEG, PNG or WebP files; voice files can be AAC, CAF, FLAC, M4A, MP3, Ogg, Opus or WAV.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` if the file has another type or its content does not match its type;
  ///   `GuideError.file(_:)`.
  public mutating func add(
    media bytes: [UInt8], fileExtension: String
  ) throws(GuideError) -> JournalMedia {
    let ending = fileExtension.lowercased()
    guard bytes.count <= JournalLimits.media else {
      throw bad(
        "file with \(bytes.count >> 20) MB is too large; the limit is \(JournalLimits.media >> 20) MB"
      )
    }
    let media = JournalMedia(digest: SHA256.hexadecimal(of: bytes), fileExtension: ending)
    guard let media else {
      throw bad(
        "unsupported file type .\(VisibleText.line(ending)); "
          + "use \(JournalMedia.extensions.joined(separator: ", "))")
    }
    guard JournalMedia.fits(bytes.prefix(16), ending) else {
      throw bad("content does not match the file type .\(ending)")
    }
    try GuideError.files { () throws(FileError) in
      try FileAccess.createPrivateFolder(path)
      try store(bytes, as: media)
    }
    return media
  }

  /// Returns the bytes of a photo or voice file.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` if the digest does not match; `GuideError.file(_:)`.
  public func bytes(of media: JournalMedia) throws(GuideError) -> [UInt8] {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path + "/" + media.path, limit: JournalLimits.media)
    }
    guard SHA256.hexadecimal(of: bytes) == media.digest else {
      throw bad("\(media.path) does not match its digest; copy it again")
    }
    return bytes
  }

  /// Compares all media used in entries with their digests.
  package func checkMedia() -> [JournalFinding] {
    var known: [JournalMedia: Bool?] = [:]
    return entries.flatMap { entry in
      entry.media.compactMap { media -> JournalFinding? in
        let isRight = known[media] ?? isRight(media)
        known[media] = isRight
        return switch isRight {
        case true?: nil
        case false?: .wrongMedia(media, of: entry.id)
        case nil: .missingMedia(media, of: entry.id)
        }
      }
    }
  }

  /// Deletes media that no entry uses, and returns their number; keeps media mentioned in invalid lines.
  ///
  /// Do not call this method between adding media and adding the entry that uses it.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` if a whole file was skipped, because the media it uses are unknown;
  ///   `GuideError.file(_:)`, `GuideError.busy(path:)`.
  public mutating func prune() throws(GuideError) -> Int {
    try locked { (journal) throws(GuideError) in
      let used = try Set(journal.entries.flatMap(\.media)).union(journal.mediaInInvalidLines())
      let unused = journal.storedMedia().filter { !used.contains($0) }
      for media in unused { Directory.remove(journal.path + "/" + media.path) }
      return unused.count
    }
  }

  /// Removes media that no entry or invalid line uses. If a whole file was skipped, removes nothing, because the media
  /// that the file uses are unknown.
  func removeUnused(_ media: Set<JournalMedia>) {
    guard !media.isEmpty, let unread = try? mediaInInvalidLines() else { return }
    let used = Set(entries.flatMap(\.media)).union(unread)
    for file in media where !used.contains(file) { Directory.remove(path + "/" + file.path) }
  }

  /// Copies missing media of entries from another folder; call this method while the journal is locked.
  mutating func copyMedia(from other: String, _ merge: inout JournalMerge) throws(GuideError) {
    var seen: Set<JournalMedia> = []
    for entry in entries {
      for media in entry.media where seen.insert(media).inserted {
        let (source, target) = (other + "/" + media.path, path + "/" + media.path)
        // A file with the same length counts as equal; `checkMedia()` compares the contents.
        guard let size = try? FileAccess.size(of: source),
          (try? FileAccess.size(of: target)) != size, (try? bytes(of: media)) == nil
        else { continue }
        let bytes = try? FileAccess.read(source, limit: JournalLimits.media)
        guard let bytes, SHA256.hexadecimal(of: bytes) == media.digest else {
          merge.findings.append(.wrongMedia(media, of: entry.id))
          continue
        }
        try GuideError.files { () throws(FileError) in try store(bytes, as: media) }
        merge.media += 1
      }
    }
  }

  private func store(_ bytes: [UInt8], as media: JournalMedia) throws(FileError) {
    let file = path + "/" + media.path
    guard (try? FileAccess.read(file, limit: bytes.count)) != bytes else { return }
    try FileAccess.createPrivateFolder(path + "/" + JournalMedia.folder)
    try FileAccess.createPrivateFolder(String(FileAccess.folder(of: file).dropLast()))
    if Directory.exists(file) {
      try FileAccess.write(bytes, to: file, isPrivate: true)
    } else {
      try FileAccess.createPrivate(bytes, at: file)
    }
  }

  private func isRight(_ media: JournalMedia) -> Bool? {
    let file = path + "/" + media.path
    guard Directory.exists(file) else { return nil }
    return (try? bytes(of: media)) != nil
  }

  private func mediaInInvalidLines() throws(GuideError) -> Set<JournalMedia> {
    var media: Set<JournalMedia> = []
    for (device, known) in files.sorted(by: { $0.key < $1.key }) where !known.findings.isEmpty {
      let name = JournalFile.name(of: device)
      if let problem = known.problem { throw bad("\(name): \(problem)") }
      let bytes = try GuideError.files { () throws(FileError) in
        try FileAccess.read(Self.file(of: device, in: path), limit: JournalLimits.file)
      }
      do throws(JournalDataError) {
        _ = try JournalFile.read(
          bytes, of: device,
          unread: { range in
            media.formUnion(JournalMedia.named(in: bytes[range]))
          }, take: { _, _ in })
      } catch { throw bad("\(name): \(error.text)") }
    }
    return media
  }

  private func storedMedia() -> [JournalMedia] {
    let root = path + "/" + JournalMedia.folder
    return ((try? Directory.entries(of: root)) ?? []).flatMap { folder in
      ((try? Directory.entries(of: root + "/" + folder.name)) ?? [])
        .compactMap { JournalMedia(name: $0.name) }
    }
  }
}

extension JournalMedia {
  static func named(in bytes: ArraySlice<UInt8>) -> Set<JournalMedia> {
    var media: Set<JournalMedia> = []
    for dot in bytes.indices where bytes[dot] == UInt8(ascii: ".") {
      guard dot - bytes.startIndex >= 64 else { continue }
      for ending in extensions {
        let name = bytes[(dot - 64)..<min(dot + 1 + ending.utf8.count, bytes.endIndex)]
        guard isName(name) else { continue }
        media.insert(JournalMedia(checkedName: String(decoding: name, as: UTF8.self)))
      }
    }
    return media
  }
}

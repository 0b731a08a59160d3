public import CupolaGuide
internal import CupolaSupport

// 1. `add` checks size and type of a file and stores it under its digest.
// 2. `bytes(of:)` and `checkMedia` compare stored files with their digests.
// 3. `prune` deletes files that no entry uses, but keeps those named in unreadable lines.
// 4. `copyMedia` copies missing files from another journal.

/// Photos and voice files, kept under their digests: the same bytes once.
extension Journal {
  /// Keeps a photo or voice file, so that an entry can have it.
  ///
  /// - Parameters:
  ///   - bytes: at most 100 MB.
  ///   - fileExtension: `jpg`, `jpeg`, `png`, `webp`, `heic` or `avif`; `aac`, `caf`, `flac`, `m4a`, `mp3`, `ogg`,
  ///     `opus` or `wav`; in any case.
  /// - Throws: `GuideError.badFile(path:problem:)` for other files, and those that do not begin as such files do;
  ///   `GuideError.file(_:)`.
  public mutating func add(
    media bytes: [UInt8], fileExtension: String
  ) throws(GuideError) -> JournalMedia {
    let ending = fileExtension.lowercased()
    guard bytes.count <= JournalLimits.media else {
      throw bad("a file of \(bytes.count >> 20) MB; at most \(JournalLimits.media >> 20) are kept")
    }
    let media = JournalMedia(digest: SHA256.hexadecimal(of: bytes), fileExtension: ending)
    guard let media else {
      throw bad(
        "no photo or voice file: .\(VisibleText.line(ending)); "
          + "kept are \(JournalMedia.extensions.joined(separator: ", "))")
    }
    guard JournalMedia.fits(bytes.prefix(16), ending) else {
      throw bad("a file called .\(ending) that is none")
    }
    try GuideError.files { () throws(FileError) in
      try FileAccess.createPrivateFolder(path)
      try store(bytes, as: media)
    }
    return media
  }

  /// The bytes of a photo or voice file.
  ///
  /// - Throws: `GuideError.badFile(path:problem:)` when they are not what its name says; `GuideError.file(_:)`.
  public func bytes(of media: JournalMedia) throws(GuideError) -> [UInt8] {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path + "/" + media.path, limit: JournalLimits.media)
    }
    guard SHA256.hexadecimal(of: bytes) == media.digest else {
      throw bad("\(media.path) is not what its name says; copy it again")
    }
    return bytes
  }

  /// What is wrong with the media of entries: each is read and its digest taken.
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

  /// Deletes photos and voice files that no entry has; those that are named in lines which cannot be read stay.
  ///
  /// What is added and not yet in an entry goes too: not to be called between both.
  ///
  /// - Returns: how many.
  /// - Throws: `GuideError.badFile(path:problem:)` while a whole file is passed over, as that of a later version:
  ///   nobody knows what its entries have; `GuideError.file(_:)`, `GuideError.busy(path:)`.
  public mutating func prune() throws(GuideError) -> Int {
    try locked { (journal) throws(GuideError) in
      let used = try Set(journal.entries.flatMap(\.media)).union(journal.unreadMedia())
      let unused = journal.storedMedia().filter { !used.contains($0) }
      for media in unused { Directory.remove(journal.path + "/" + media.path) }
      return unused.count
    }
  }

  /// Takes media from another folder that entries have and this one lacks; to be called when nobody else writes.
  mutating func copyMedia(from other: String, _ merge: inout JournalMerge) throws(GuideError) {
    var seen: Set<JournalMedia> = []
    for entry in entries {
      for media in entry.media where seen.insert(media).inserted {
        let (source, target) = (other + "/" + media.path, path + "/" + media.path)
        // One as long is taken for the right one: `checkMedia()` reads it.
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

  // MARK: - Files

  private func store(_ bytes: [UInt8], as media: JournalMedia) throws(FileError) {
    let file = path + "/" + media.path
    guard (try? FileAccess.read(file, limit: bytes.count)) != bytes else { return }
    try FileAccess.createPrivateFolder(path + "/" + JournalMedia.folder)
    try FileAccess.createPrivateFolder(String(FileAccess.folder(of: file).dropLast()))
    // Its mode goes over to what replaces it.
    if Directory.exists(file) {
      try FileAccess.makePrivate(file)
    } else {
      try FileAccess.createPrivate(file)
    }
    try FileAccess.write(bytes, to: file)
  }

  /// `nil`: it is not there.
  private func isRight(_ media: JournalMedia) -> Bool? {
    let file = path + "/" + media.path
    guard Directory.exists(file) else { return nil }
    return (try? bytes(of: media)) != nil
  }

  /// The media that lines name which cannot be read.
  private func unreadMedia() throws(GuideError) -> Set<JournalMedia> {
    var media: Set<JournalMedia> = []
    for (device, known) in files.sorted(by: { $0.key < $1.key }) where !known.findings.isEmpty {
      let name = JournalFile.name(of: device)
      if let problem = known.problem { throw bad("\(name): \(problem)") }
      let bytes = try GuideError.files { () throws(FileError) in
        try FileAccess.read(Self.file(of: device, in: path), limit: JournalLimits.file)
      }
      do throws(JournalProblem) {
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
  /// The media whose names stand somewhere in bytes.
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

public import CupolaGuide
internal import CupolaSupport

// 1. Collect the deletions in the files of all devices.
// 2. Replace lines with deleted content by deletions with the same stamp, and remove their media.

/// The latest deletion of each entry. Content written before it is removed from all files.
struct JournalDeletions {
  private var stamps: [JournalID: JournalStamp] = [:]

  var isEmpty: Bool { stamps.isEmpty }

  mutating func take(_ operation: JournalOperation) {
    guard operation.entry == nil else { return }
    stamps[operation.id] = max(operation.stamp, stamps[operation.id] ?? operation.stamp)
  }

  /// Returns what remains of a line whose content is deleted: the entry's identifier and the line's stamp; `nil` for
  /// all other lines.
  func remains(of operation: JournalOperation) -> JournalOperation? {
    guard operation.entry != nil, let stamp = stamps[operation.id], operation.stamp <= stamp else {
      return nil
    }
    return JournalOperation(stamp: operation.stamp, id: operation.id, entry: nil)
  }
}

extension Journal {
  /// Removes the content of deleted entries from the files of all devices in the folder, and returns the number of
  /// lines that contained such content.
  ///
  /// ``delete(_:)`` and ``merge(from:now:)`` do this at once. Call this method for folders that an earlier version
  /// wrote. The identifiers of deleted entries and the times of their changes remain, so that merging does not restore
  /// them.
  ///
  /// - Throws: `GuideError.file(_:)`, `GuideError.busy(path:)`.
  @discardableResult
  public mutating func compact() throws(GuideError) -> Int {
    try locked { (journal) throws(GuideError) in
      let deletions = try journal.deletions()
      return try journal.removeContent(of: deletions)
    }
  }

  /// Returns the deletions in the files of all devices in the folder; call this method while the journal is locked.
  func deletions() throws(GuideError) -> JournalDeletions {
    var deletions = JournalDeletions()
    for device in files.keys.sorted() where files[device]?.problem == nil {
      let bytes = try bytes(ofDevice: device)
      try read(bytes, of: device) { operation, _ in deletions.take(operation) }
    }
    return deletions
  }

  /// Removes the content of deleted entries and its media, and returns the number of lines; call this method while the
  /// journal is locked.
  mutating func removeContent(of deletions: JournalDeletions) throws(GuideError) -> Int {
    guard !deletions.isEmpty else { return 0 }
    var count = 0
    var media: Set<JournalMedia> = []
    for device in files.keys.sorted() where files[device]?.problem == nil {
      let bytes = try bytes(ofDevice: device)
      var (kept, place) = ([UInt8](), 0)
      try read(bytes, of: device) { operation, range in
        guard let remains = deletions.remains(of: operation) else { return }
        media.formUnion(operation.entry?.media ?? [])
        kept += bytes[place..<range.lowerBound] + remains.line
        place = range.upperBound
        count += 1
      }
      if place > 0 { try replace(kept + bytes[place...], of: device) }
    }
    removeUnused(media)
    return count
  }

  private func bytes(ofDevice device: String) throws(GuideError) -> [UInt8] {
    let file = Self.file(of: device, in: path)
    return try GuideError.files { () throws(FileError) in
      try FileAccess.read(file, limit: JournalLimits.file)
    }
  }

  private func read(
    _ bytes: [UInt8], of device: String, _ take: (JournalOperation, Range<Int>) -> Void
  ) throws(GuideError) {
    do throws(JournalDataError) {
      _ = try JournalFile.read(bytes, of: device, take: take)
    } catch { throw bad("\(JournalFile.name(of: device)): \(error.text)") }
  }

  private mutating func replace(_ bytes: [UInt8], of device: String) throws(GuideError) {
    let file = Self.file(of: device, in: path)
    let known = files[device] ?? JournalFileState()
    // Read the file again after an error.
    files[device] = nil
    try GuideError.files { () throws(FileError) in try FileAccess.write(bytes, to: file) }
    files[device] = known
    files[device]?.bytes = bytes.count
    files[device]?.identity = Directory.Identity(of: file)
  }
}

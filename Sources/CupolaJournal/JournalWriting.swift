public import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

// 1. Lock the folder, remove files of killed writers, and read the changes made by other writers.
// 2. Assign each line the next number, and a clock later than all observed clocks.
// 3. Append the lines, and flush them to disk before changing the state.

extension Journal {
  /// Adds an entry. When the method returns, the entry is stored on disk.
  ///
  /// - Parameters:
  ///   - content: The content of the entry.
  ///   - time: The time in seconds since 1970.
  ///   - position: The position of the visitor.
  ///   - building: The label of a building in the catalog.
  ///   - place: The identifier of a place in the guide.
  ///   - confirmedLabel: The label that the visitor confirmed for the photos.
  /// - Throws: `GuideError.badFile(path:problem:)` for an invalid entry or journal file; `GuideError.busy(path:)`;
  ///   `GuideError.file(_:)`. After an error, nothing is added.
  @discardableResult
  public mutating func append(
    _ content: JournalContent, at time: Double, position: Position? = nil,
    building: String? = nil, place: String? = nil, confirmedLabel: String? = nil
  ) throws(GuideError) -> JournalEntry {
    try locked { (journal) throws(GuideError) in
      let entry = JournalEntry(
        id: JournalID(checkedDevice: journal.device, number: journal.number + 1), time: time,
        position: position, building: building, place: place, confirmedLabel: confirmedLabel,
        content: content)
      try journal.write([(entry.id, entry)])
      return entry
    }
  }

  /// Replaces the entry with the same ``JournalEntry/id``, which may have been created by any device.
  ///
  /// - Throws: The errors of ``append(_:at:position:building:place:confirmedLabel:)``; also throws if the entry is
  ///   deleted.
  public mutating func replace(_ entry: JournalEntry) throws(GuideError) {
    try locked { (journal) throws(GuideError) in
      guard let earlier = journal[entry.id] else { throw journal.unknown(entry.id) }
      if earlier != entry { try journal.write([(entry.id, entry)]) }
    }
  }

  /// Deletes an entry: its content, and its media unless other entries use them, are removed from this folder, and from
  /// other folders when they merge this one. Its identifier and the times of its changes remain.
  ///
  /// - Throws: The errors of ``replace(_:)``.
  public mutating func delete(_ id: JournalID) throws(GuideError) { try delete([id]) }

  /// Deletes entries, or none if one is unknown.
  package mutating func delete(_ ids: [JournalID]) throws(GuideError) {
    try locked { (journal) throws(GuideError) in
      for id in ids where journal[id] == nil { throw journal.unknown(id) }
      let unique = Set(ids).sorted()
      try journal.write(unique.map { ($0, nil) })
      var deletions = JournalDeletions()
      for id in unique {
        guard let stamp = journal.state.slots[id]?.stamp else { continue }
        deletions.take(JournalOperation(stamp: stamp, id: id, entry: nil))
      }
      _ = try journal.removeContent(of: deletions)
    }
  }

  func bad(_ problem: String) -> GuideError { .badFile(path: path, problem: problem) }

  package func unknown(_ id: JournalID) -> GuideError {
    bad("unknown entry \(id); list the IDs with cupola journal list")
  }

  /// Locks the folder (waiting up to 10 s for the lock), reads all changes, and runs a closure.
  mutating func locked<Result>(
    _ body: (inout Journal) throws(GuideError) -> Result
  ) throws(GuideError) -> Result {
    try GuideError.files { () throws(FileError) in try FileAccess.createPrivateFolder(path) }
    return try FolderLock.hold(path, for: path) { () throws(GuideError) in
      sweep()
      try readChanges()
      return try body(&self)
    }
  }

  /// Removes temporary files of killed writers, which may contain photos that have been deleted since.
  private mutating func sweep() {
    guard !isSwept else { return }
    isSwept = true
    let media = path + "/" + JournalMedia.folder
    let entries = (try? Directory.entries(of: media)) ?? []
    let folders = entries.filter { $0.isDirectory && !$0.isLink }.map { media + "/" + $0.name }
    for folder in [path] + folders { FileAccess.sweep(folder) }
  }

  /// Adds imported entries; call this method while the folder is locked.
  ///
  /// An export does not contain the times at which lines were written. Imported lines therefore get the clock 0, so
  /// that all other lines, especially deletions, override them.
  mutating func write(imported entries: [JournalEntry]) throws(GuideError) {
    try write(entries.map { ($0.id, $0) }, at: HybridClock())
  }

  /// - Parameter imported: The clock for all lines; by default, each line's clock is later than all observed clocks.
  private mutating func write(
    _ changes: [(JournalID, JournalEntry?)], at imported: HybridClock? = nil
  ) throws(GuideError) {
    guard !changes.isEmpty else { return }
    let now = Self.now
    var (clock, number) = (state.clock(followedAt: now), number)
    var operations: [JournalOperation] = []
    var lines: [[UInt8]] = []
    for (id, entry) in changes {
      if let problem = entry?.problem { throw bad(problem) }
      number += 1
      let earlier = max(clock, state.slots[id]?.stamp.clock ?? clock)
      guard let next = imported ?? earlier.next(now: now), JournalLimits.numbers.contains(number)
      else { throw bad("the clock of the journal has reached its limit") }
      if next.isFollowed(at: now) { clock = next }
      let stamp = JournalStamp(clock: next, device: device, number: number)
      let operation = JournalOperation(stamp: stamp, id: id, entry: entry)
      let line = operation.line
      guard line.count < JournalLimits.line else { throw bad("entry is too long") }
      operations.append(operation)
      lines.append(line)
    }
    try add(lines)
    for operation in operations {
      state.apply(operation)
      countNumber(of: operation)
    }
  }

  /// Appends lines to this device's file and flushes them to disk; if this fails, no line is added.
  mutating func add(_ lines: [[UInt8]]) throws(GuideError) {
    let known = files[device] ?? JournalFileState()
    if let problem = known.problem { throw bad(problem) }
    let file = Self.file(of: device, in: path)
    var bytes: [UInt8] = []
    if known.bytes == 0 { bytes += JournalFile.header(of: device) + [0x0A] }
    if !known.endsWithNewline { bytes.append(0x0A) }
    for line in lines { bytes += line + [0x0A] }
    guard known.bytes + bytes.count <= JournalLimits.file else {
      throw bad("the journal file is full")
    }
    // Read the file again after an error.
    files[device] = nil
    try GuideError.files { () throws(FileError) in
      if Directory.exists(file) {
        try FileAccess.appendAll(bytes, to: file)
      } else {
        try FileAccess.createPrivate(bytes, at: file)
      }
    }
    files[device] = known
    files[device]?.bytes += bytes.count
    files[device]?.endsWithNewline = true
    files[device]?.identity = Directory.Identity(of: file)
  }

  private static var now: Double { LocalTime.secondsSince1970Now }
}

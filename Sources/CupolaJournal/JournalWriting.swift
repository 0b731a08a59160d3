public import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

// Adds lines to the file of this device:
// 1. the folder is locked, and what others wrote is read;
// 2. each line gets a clock after all that was seen, and the next number;
// 3. the lines are appended, and the disk has them before the state changes.

/// Adding lines. When a function returns, the disk has what it wrote.
extension Journal {
  /// Adds an entry.
  ///
  /// - Parameters:
  ///   - content: what it says.
  ///   - time: when it was, seconds since 1970.
  ///   - position: where it was.
  ///   - building: the label of a building in the catalog.
  ///   - place: what people call the place.
  ///   - confirmedLabel: the label that the visitor confirmed for its photos.
  /// - Throws: `GuideError.badFile(path:problem:)` for what no journal can keep, such as texts without end, and
  ///   where the file is of another kind; `GuideError.busy(path:)`; `GuideError.file(_:)`, and nothing is added.
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
      try journal.write(entry, of: entry.id)
      return entry
    }
  }

  /// Puts an entry in the place of the one of its ``JournalEntry/id``, whoever made that.
  ///
  /// - Throws: as ``append(_:at:position:building:place:confirmedLabel:)``; also for one that is deleted.
  public mutating func replace(_ entry: JournalEntry) throws(GuideError) {
    try locked { (journal) throws(GuideError) in
      guard let earlier = journal[entry.id] else { throw journal.unknown(entry.id) }
      if earlier != entry { try journal.write(entry, of: entry.id) }
    }
  }

  /// Deletes an entry, whoever made it; it does not come back from other devices. Its media go with ``prune()``.
  ///
  /// - Throws: as ``replace(_:)``.
  public mutating func delete(_ id: JournalID) throws(GuideError) {
    try locked { (journal) throws(GuideError) in
      guard journal[id] != nil else { throw journal.unknown(id) }
      try journal.write(nil, of: id)
    }
  }

  func bad(_ problem: String) -> GuideError { .badFile(path: path, problem: problem) }

  /// What is wrong with the id of no entry.
  package func unknown(_ id: JournalID) -> GuideError {
    bad("no entry \(id); cupola journal list shows the ids")
  }

  // MARK: - Lines

  /// Does something while nobody else writes here, knowing all that was written; waits up to ten seconds for it.
  mutating func locked<Result>(
    _ body: (inout Journal) throws(GuideError) -> Result
  ) throws(GuideError) -> Result {
    try GuideError.files { () throws(FileError) in try FileAccess.createPrivateFolder(path) }
    return try FolderLock.hold(path, for: path) { () throws(GuideError) in
      try catchUp()
      return try body(&self)
    }
  }

  /// Adds a line about an entry; to be called when nobody else can write.
  private mutating func write(_ entry: JournalEntry?, of id: JournalID) throws(GuideError) {
    try write([(id, entry)])
  }

  /// Adds lines about entries of an export at once; likewise.
  ///
  /// An export does not say when they were written. Their clock is at its beginning, so that each other line about
  /// them counts more, above all one that deletes them, wherever and whenever it was written.
  mutating func write(imported entries: [JournalEntry]) throws(GuideError) {
    try write(entries.map { ($0.id, $0) }, at: HybridClock())
  }

  /// - Parameter imported: the clock of all lines; `nil`: each comes after all that was seen.
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
      else { throw bad("its clock is at its end") }
      if next.isFollowed(at: now) { clock = next }
      let stamp = JournalStamp(clock: next, device: device, number: number)
      let operation = JournalOperation(stamp: stamp, id: id, entry: entry)
      let line = operation.line
      guard line.count < JournalLimits.line else { throw bad("an entry too long") }
      operations.append(operation)
      lines.append(line)
    }
    try add(lines)
    for operation in operations {
      state.apply(operation)
      note(operation)
    }
  }

  /// Adds lines to the file of this device, and waits until the disk has them: all of them, or else none.
  mutating func add(_ lines: [[UInt8]]) throws(GuideError) {
    let known = files[device] ?? JournalKnownFile()
    if let problem = known.problem { throw bad(problem) }
    let file = Self.file(of: device, in: path)
    var bytes: [UInt8] = []
    if known.bytes == 0 { bytes += JournalFile.header(of: device) + [0x0A] }
    if !known.endsClean { bytes.append(0x0A) }
    for line in lines { bytes += line + [0x0A] }
    guard known.bytes + bytes.count <= JournalLimits.file else { throw bad("it is full") }
    // Unless all goes well, what is there is to be read again.
    files[device] = nil
    try GuideError.files { () throws(FileError) in
      if !Directory.exists(file) { try FileAccess.createPrivate(file) }
      // Before its first line: that then stands where it is found. Some file systems cannot do so.
      if known.bytes == 0 { try? FileAccess.sync(path) }
      try FileAccess.appendAll(bytes, to: file)
    }
    files[device] = known
    files[device]?.bytes += bytes.count
    files[device]?.endsClean = true
    files[device]?.identity = Directory.Identity(of: file)
  }

  /// Seconds since 1970.
  private static var now: Double { LocalTime.secondsSince1970Now }
}

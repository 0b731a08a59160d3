public import CupolaGuide
internal import CupolaSupport

// 1. Collect the deletions in both folders.
// 2. Read each device's lines in the other folder, and reject those whose numbers or clocks are out of range.
// 3. Write new lines without deleted content, copy the media of entries, and remove deleted content.

extension Journal {
  /// Merges another journal folder into this one: the lines of all devices and the media of entries.
  ///
  /// No entries are lost, the other folder does not change, and merging again has no effect. Journals with the same
  /// lines have the same entries. Content that was deleted on either side is not copied, and is removed from this
  /// folder. Lines are rejected if their numbers are out of range or their clocks are more than a year ahead.
  ///
  /// - Throws: `GuideError.file(_:)`, `GuideError.busy(path:)`, `GuideError.badFile(path:problem:)`; lines that were
  ///   merged before the error are kept.
  public mutating func merge(
    from other: String, now: Double = LocalTime.secondsSince1970Now
  ) throws(GuideError) -> JournalMerge {
    guard Directory.isDirectory(other) else {
      throw .badFile(path: other, problem: "not a journal folder")
    }
    return try locked { (journal) throws(GuideError) in
      var merge = JournalMerge()
      let devices = try Self.devices(in: other)
      guard devices.count <= JournalLimits.devices else {
        throw .badFile(path: other, problem: "more than \(JournalLimits.devices) devices")
      }
      let deletions = try journal.deletions(with: devices, in: other, now: now)
      for device in devices {
        guard
          var lines = try Self.lines(of: device, in: other, into: &merge.findings)
        else { continue }
        let rejected = lines.removeOutOfRange(to: journal.device, now: now)
        if rejected > 0 {
          merge.reject(
            rejected, of: JournalFile.name(of: device),
            "numbers or clocks are out of range")
        }
        lines.removeContent(of: deletions)
        try journal.take(&lines, of: device, deletions, &merge)
      }
      _ = try journal.removeContent(of: deletions)
      try journal.copyMedia(from: other, &merge)
      return merge
    }
  }

  /// Returns the deletions in this folder and in the accepted lines of another one.
  private func deletions(
    with devices: [String], in other: String, now: Double
  ) throws(GuideError) -> JournalDeletions {
    var deletions = try deletions()
    var unused: [JournalFinding] = []
    for device in devices {
      guard var lines = try Self.lines(of: device, in: other, into: &unused) else { continue }
      _ = lines.removeOutOfRange(to: self.device, now: now)
      for line in lines.all { deletions.take(line.operation) }
    }
    return deletions
  }

  /// Returns a device's lines, or `nil` if its file is invalid.
  private static func lines(
    of device: String, in folder: String, into findings: inout [JournalFinding]
  ) throws(GuideError) -> JournalLines? {
    let name = JournalFile.name(of: device)
    var lines = JournalLines()
    do throws(FileError) {
      lines.file = try FileAccess.read(file(of: device, in: folder), limit: JournalLimits.file)
    } catch .tooLarge(let size, _) {
      findings.append(
        .badFile(file: name, problem: "\(size >> 20) MB is too large for a journal file"))
      return nil
    } catch { throw .file(error) }
    do throws(JournalDataError) {
      let report = try lines.read(of: device)
      findings += report.findings(of: name)
      return lines
    } catch {
      findings.append(.badFile(file: name, problem: error.text))
      return nil
    }
  }

  private mutating func take(
    _ lines: inout JournalLines, of device: String, _ deletions: JournalDeletions,
    _ merge: inout JournalMerge
  ) throws(GuideError) {
    let name = JournalFile.name(of: device)
    var unused: [JournalFinding] = []
    // If this folder's file is invalid, it was reported when the journal was opened; do not append to it.
    guard files[device]?.problem == nil,
      var here = try files[device] == nil
        ? JournalLines() : Self.lines(of: device, in: path, into: &unused)
    else { return }
    here.removeContent(of: deletions)
    lines.remove(linesOf: here)
    guard !lines.all.isEmpty else { return }
    guard device == self.device || files[device] != nil || hasRoomForDevice else {
      merge.reject(
        lines.all.count, of: name, "the journal already has \(JournalLimits.devices) devices")
      return
    }
    let room = JournalLimits.file - here.file.count - JournalFile.header(of: device).count - 2
    let beyond = lines.removeExceeding(bytes: room - (device == self.device ? Self.ownRoom : 0))
    if beyond > 0 { merge.reject(beyond, of: name, "the file would be too large") }
    guard !lines.all.isEmpty else { return }
    try write(lines, after: here.file, of: device)
    merge.lines += lines.all.count
    for line in lines.all {
      countNumber(of: line.operation)
      if state.apply(line.operation) { merge.entries += 1 }
    }
  }

  /// The number of bytes reserved for this device in its own file: enough for about 100,000 notes.
  private static let ownRoom = 32 << 20

  private var hasRoomForDevice: Bool {
    files.keys.count { $0 != device } + 1 < JournalLimits.devices
  }

  private mutating func write(
    _ lines: JournalLines, after earlier: [UInt8], of device: String
  ) throws(GuideError) {
    guard device != self.device else { return try add(lines.all.map { Array($0.bytes) }) }
    let file = Self.file(of: device, in: path)
    var bytes = earlier.isEmpty ? JournalFile.header(of: device) + [0x0A] : earlier
    if bytes.last != 0x0A { bytes.append(0x0A) }
    for line in lines.all { bytes += line.bytes + [0x0A] }
    try GuideError.files { () throws(FileError) in
      if Directory.exists(file) {
        try FileAccess.write(bytes, to: file)
      } else {
        try FileAccess.createPrivate(bytes, at: file)
      }
    }
    let findings = files[device]?.findings ?? []
    files[device] = JournalFileState(
      bytes: bytes.count, identity: Directory.Identity(of: file), findings: findings)
  }
}

extension JournalMerge {
  mutating func reject(_ count: Int, of file: String, _ problem: String) {
    findings.append(.rejectedLines(file: file, count: count, problem: problem))
  }
}

/// The result of a merge.
public struct JournalMerge: Equatable, Sendable {
  var lines = 0
  /// The number of entries that were added, changed or deleted.
  public internal(set) var entries = 0
  package internal(set) var media = 0
  package internal(set) var findings: [JournalFinding] = []
}

struct JournalLines {
  struct Line {
    let operation: JournalOperation
    let bytes: ArraySlice<UInt8>
  }

  var file: [UInt8] = []
  /// The valid lines in order.
  private(set) var all: [Line] = []

  mutating func read(of device: String) throws(JournalDataError) -> JournalFile.Report {
    var lines: [Line] = []
    let file = file
    let report = try JournalFile.read(file, of: device) { operation, range in
      lines.append(Line(operation: operation, bytes: file[range]))
    }
    all = lines
    return report
  }

  /// Removes lines whose numbers or clocks are out of range.
  ///
  /// A number near the limit would leave too few numbers, and a clock far ahead would override all later changes. For
  /// this `device`, numbers have half the limit, because other devices must accept its later numbers.
  mutating func removeOutOfRange(to device: String, now: Double) -> Int {
    func isTooHigh(_ number: Int, of other: String) -> Bool {
      number > JournalLimits.foreignNumber / (other == device ? 2 : 1)
    }
    return remove { line in
      let stamp = line.operation.stamp
      return !stamp.clock.isAccepted(at: now) || isTooHigh(stamp.number, of: stamp.device)
        || isTooHigh(line.operation.id.number, of: line.operation.id.device)
    }
  }

  /// Replaces lines with deleted content by what remains of them.
  mutating func removeContent(of deletions: JournalDeletions) {
    all = all.map { line in
      guard let remains = deletions.remains(of: line.operation) else { return line }
      return Line(operation: remains, bytes: remains.line[...])
    }
  }

  /// Removes the lines that exceed a total number of bytes.
  mutating func removeExceeding(bytes: Int) -> Int {
    var rest = bytes
    return remove { line in
      guard line.bytes.count < rest else { return true }
      rest -= line.bytes.count + 1
      return false
    }
  }

  private mutating func remove(_ isRejected: (Line) -> Bool) -> Int {
    let before = all.count
    all.removeAll(where: isRejected)
    return before - all.count
  }

  /// Removes lines that also occur in another file.
  ///
  /// Compares whole lines, because a device that was restored from a backup may use a number twice.
  mutating func remove(linesOf other: JournalLines) {
    var known = Set(other.all.map(\.bytes))
    all.removeAll { !known.insert($0.bytes).inserted }
  }
}

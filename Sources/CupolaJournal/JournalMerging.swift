public import CupolaGuide
internal import CupolaSupport

// Merges the folder of another journal:
// 1. the lines of each of its devices are read;
// 2. lines that are here, or that nobody could believe, are left out;
// 3. the rest is written, and the media of entries are copied.

extension Journal {
  /// Takes in what another folder has: the lines of all its devices, and the media of the entries.
  ///
  /// Nothing of either is lost, the other folder stays as it is, and merging again changes nothing. Journals that have the
  /// same lines have the same entries, in whatever order they came. Lines that would use up what numbers and clocks can
  /// count, or whose clock is more than a year ahead, are not taken.
  ///
  /// - Parameters:
  ///   - other: the folder of another journal.
  ///   - now: seconds since 1970.
  /// - Throws: `GuideError.file(_:)`, `GuideError.busy(path:)`, `GuideError.badFile(path:problem:)`; what was
  ///   merged until then stays.
  public mutating func merge(
    from other: String, now: Double = LocalTime.secondsSince1970Now
  ) throws(GuideError) -> JournalMerge {
    guard Directory.isDirectory(other) else {
      throw .badFile(path: other, problem: "no folder of a journal")
    }
    return try locked { (journal) throws(GuideError) in
      var merge = JournalMerge()
      let devices = try Self.devices(in: other)
      guard devices.count <= JournalLimits.devices else {
        throw .badFile(path: other, problem: "more than \(JournalLimits.devices) devices")
      }
      for device in devices {
        guard
          var lines = try Self.lines(of: device, in: other, into: &merge.findings)
        else { continue }
        let refused = lines.removeUnbelievable(to: journal.device, now: now)
        if refused > 0 {
          merge.refuse(
            refused, of: JournalFile.name(of: device),
            "their numbers or clocks are beyond all that can be")
        }
        try journal.take(&lines, of: device, &merge)
      }
      try journal.copyMedia(from: other, &merge)
      return merge
    }
  }

  /// The lines of a device; `nil` where there are none that can be read.
  private static func lines(
    of device: String, in folder: String, into findings: inout [JournalFinding]
  ) throws(GuideError) -> JournalLines? {
    let name = JournalFile.name(of: device)
    var lines = JournalLines()
    do throws(FileError) {
      lines.file = try FileAccess.read(file(of: device, in: folder), limit: JournalLimits.file)
    } catch .tooLarge(let size, _) {
      findings.append(.badFile(file: name, problem: "\(size >> 20) MB are too much for a journal"))
      return nil
    } catch { throw .file(error) }
    do throws(JournalProblem) {
      let report = try lines.read(of: device)
      findings += report.findings(of: name)
      return lines
    } catch {
      findings.append(.badFile(file: name, problem: error.text))
      return nil
    }
  }

  private mutating func take(
    _ lines: inout JournalLines, of device: String, _ merge: inout JournalMerge
  ) throws(GuideError) {
    let name = JournalFile.name(of: device)
    var unused: [JournalFinding] = []
    // What cannot be read here was told when the journal was opened; nothing is added to it.
    guard files[device]?.problem == nil,
      let here = try files[device] == nil
        ? JournalLines() : Self.lines(of: device, in: path, into: &unused)
    else { return }
    lines.remove(thoseOf: here)
    guard !lines.all.isEmpty else { return }
    guard device == self.device || files[device] != nil || hasRoomForDevice else {
      merge.refuse(lines.all.count, of: name, "there are \(JournalLimits.devices) devices already")
      return
    }
    // A file too large could not be read at all.
    let room = JournalLimits.file - here.file.count - JournalFile.header(of: device).count - 2
    let beyond = lines.removeBeyond(bytes: room - (device == self.device ? Self.ownRoom : 0))
    if beyond > 0 { merge.refuse(beyond, of: name, "the file would be too large") }
    guard !lines.all.isEmpty else { return }
    try write(lines, after: here.file, of: device)
    merge.lines += lines.all.count
    for line in lines.all {
      note(line.operation)
      if state.apply(line.operation) { merge.entries += 1 }
    }
  }

  /// Bytes of this device's file that others leave to it: some 100,000 notes.
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
      if !Directory.exists(file) { try FileAccess.createPrivate(file) }
      try FileAccess.write(bytes, to: file)
    }
    // What was found before stands there as before.
    let findings = files[device]?.findings ?? []
    files[device] = JournalKnownFile(
      bytes: bytes.count, identity: Directory.Identity(of: file), findings: findings)
  }
}

extension JournalMerge {
  mutating func refuse(_ count: Int, of file: String, _ problem: String) {
    findings.append(.refusedLines(file: file, count: count, problem: problem))
  }
}

/// What came of merging a journal into another.
public struct JournalMerge: Equatable, Sendable {
  var lines = 0
  /// Entries that came, changed or went.
  public internal(set) var entries = 0
  /// Photos and voice files that came.
  package internal(set) var media = 0
  package internal(set) var findings: [JournalFinding] = []
}

/// The lines of a device's file, to be compared with those of another.
struct JournalLines {
  struct Line {
    let operation: JournalOperation
    let bytes: ArraySlice<UInt8>
  }

  /// The whole file.
  var file: [UInt8] = []
  /// Those that can be read, in their order.
  private(set) var all: [Line] = []

  mutating func read(of device: String) throws(JournalProblem) -> JournalFile.Report {
    var lines: [Line] = []
    let file = file
    let report = try JournalFile.read(file, of: device) { operation, range in
      lines.append(Line(operation: operation, bytes: file[range]))
    }
    all = lines
    return report
  }

  /// Leaves lines out with which somebody could use up what is left to count, and those of clocks that are far ahead,
  /// after which nobody's changes would count.
  ///
  /// - Parameters:
  ///   - device: who takes them. It goes on from its own numbers, which others are to accept too.
  mutating func removeUnbelievable(to device: String, now: Double) -> Int {
    func isTooHigh(_ number: Int, of other: String) -> Bool {
      number > JournalLimits.othersNumber / (other == device ? 2 : 1)
    }
    return remove { line in
      let stamp = line.operation.stamp
      return !stamp.clock.isAccepted(at: now) || isTooHigh(stamp.number, of: stamp.device)
        || isTooHigh(line.operation.id.number, of: line.operation.id.device)
    }
  }

  /// Leaves lines out that do not fit into so many bytes with their ends.
  mutating func removeBeyond(bytes: Int) -> Int {
    var rest = bytes
    return remove { line in
      guard line.bytes.count < rest else { return true }
      rest -= line.bytes.count + 1
      return false
    }
  }

  /// - Returns: how many are left out.
  private mutating func remove(_ isRefused: (Line) -> Bool) -> Int {
    let before = all.count
    all.removeAll(where: isRefused)
    return before - all.count
  }

  /// Leaves lines out that another file has to the last byte.
  ///
  /// Numbers are not enough: a device that was restored from a backup may have given one twice.
  mutating func remove(thoseOf other: JournalLines) {
    var known = Set(other.all.map(\.bytes))
    all.removeAll { !known.insert($0.bytes).inserted }
  }
}

internal import CupolaCampus

extension Journal {
  /// Takes in what another folder has: the lines of all its devices, and the media of the entries.
  ///
  /// Nothing of either is lost, the other folder stays as it is, and merging again changes nothing. Journals that have the
  /// same lines have the same entries, in whatever order they came. Lines that would use up what numbers and clocks can
  /// count, or whose clock is more than a year ahead, are not taken.
  ///
  /// - Parameter now: seconds since 1970.
  /// - Throws: ``GuideError/file(_:)``, ``GuideError/busy(path:)``, ``GuideError/badJournal(path:problem:)``; what was
  ///   merged until then stays.
  public mutating func merge(
    from other: String, now: Double = LocalTime.secondsSince1970Now
  ) throws(GuideError) -> JournalMerge {
    guard Directory.isDirectory(other) else {
      throw .badJournal(path: other, problem: "no folder of a journal")
    }
    return try locked { (journal) throws(GuideError) in
      var merge = JournalMerge()
      for device in try Self.devices(in: other) {
        guard
          var lines = try Self.lines(of: device, in: other, into: &merge.findings)
        else { continue }
        let refused = lines.removeUnbelievable(now: now)
        if refused > 0 {
          merge.findings.append(
            .refusedLines(
              file: JournalFile.name(of: device), count: refused,
              problem: "their numbers or clocks are beyond all that can be"))
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
    let file = Self.file(of: device, in: path)
    var findings: [JournalFinding] = []
    let here =
      Directory.exists(file)
      ? try Self.lines(of: device, in: path, into: &findings) : JournalLines()
    // What cannot be read here is told when the journal is opened; nothing is added to it.
    guard let here else { return }
    lines.remove(thoseOf: here)
    guard !lines.all.isEmpty else { return }
    if device == self.device {
      try add(lines.all.map { Array($0.bytes) })
    } else {
      try Self.write(lines, after: here.file, of: device, to: file)
    }
    merge.lines += lines.all.count
    for line in lines.all {
      own.note(line.operation, of: self.device)
      if state.apply(line.operation) { merge.entries += 1 }
    }
  }

  private static func write(
    _ lines: JournalLines, after bytes: [UInt8], of device: String, to file: String
  ) throws(GuideError) {
    var bytes = bytes.isEmpty ? JournalFile.header(of: device) + [0x0A] : bytes
    if bytes.last != 0x0A { bytes.append(0x0A) }
    for line in lines.all { bytes += line.bytes + [0x0A] }
    try GuideError.files { () throws(FileError) in
      if !Directory.exists(file) { try FileAccess.createPrivate(file) }
      try FileAccess.write(bytes, to: file)
    }
  }
}

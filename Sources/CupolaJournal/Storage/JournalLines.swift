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

  /// - Throws: as ``JournalFile/read(_:of:isWhole:unread:take:)``.
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
  ///   - now: seconds since 1970.
  /// - Returns: how many.
  mutating func removeUnbelievable(to device: String, now: Double) -> Int {
    func isTooHigh(_ number: Int, of other: String) -> Bool {
      number > JournalLimits.othersNumber / (other == device ? 2 : 1)
    }
    let before = all.count
    all.removeAll { line in
      let stamp = line.operation.stamp
      return !stamp.clock.isAccepted(at: now) || isTooHigh(stamp.number, of: stamp.device)
        || isTooHigh(line.operation.id.number, of: line.operation.id.device)
    }
    return before - all.count
  }

  /// Leaves lines out that do not fit into so many bytes with their ends.
  ///
  /// - Returns: how many.
  mutating func removeBeyond(bytes: Int) -> Int {
    var rest = bytes
    let before = all.count
    all.removeAll { line in
      guard line.bytes.count < rest else { return true }
      rest -= line.bytes.count + 1
      return false
    }
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

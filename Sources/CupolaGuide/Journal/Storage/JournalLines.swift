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

  /// - Throws: as `JournalFile.read(_:of:isWhole:take:)`.
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
  /// - Parameter now: seconds since 1970.
  /// - Returns: how many.
  mutating func removeUnbelievable(now: Double) -> Int {
    let latest = now.isFinite ? min(max(now, 0), 1e11) * 1000 + Double(JournalLimits.ahead) : 0
    let before = all.count
    all.removeAll { line in
      let stamp = line.operation.stamp
      return stamp.number > JournalLimits.othersNumber
        || stamp.clock.tick > JournalLimits.othersTick
        || Double(stamp.clock.milliseconds) > latest
        || line.operation.id.number > JournalLimits.othersNumber
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

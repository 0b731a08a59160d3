/// When and by whom a line of a journal was written: no two lines have the same.
struct JournalStamp: Hashable, Sendable {
  let clock: HybridClock
  /// Who wrote it.
  let device: String
  /// Counts the device's lines, from 1.
  let number: Int
}

extension JournalStamp: Comparable {
  static func < (a: JournalStamp, b: JournalStamp) -> Bool {
    a.clock != b.clock ? a.clock < b.clock : (a.device, a.number) < (b.device, b.number)
  }
}

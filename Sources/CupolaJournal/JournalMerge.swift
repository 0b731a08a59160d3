/// What came of merging a journal into another.
public struct JournalMerge: Equatable, Sendable {
  /// Lines that were new.
  public internal(set) var lines = 0
  /// Entries that came, changed or went.
  public internal(set) var entries = 0
  /// Photos and voice files that came.
  public internal(set) var media = 0
  /// What was not taken.
  public internal(set) var findings: [JournalFinding] = []
}

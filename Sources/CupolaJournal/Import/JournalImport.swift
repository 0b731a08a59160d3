/// What came of an import into a journal.
public struct JournalImport: Equatable, Sendable {
  /// Entries that were added.
  public internal(set) var entries = 0
  /// Entries that were there already, or were deleted here.
  public internal(set) var known = 0
  /// Photos and voice files that were added.
  public internal(set) var media = 0
  /// What was not taken.
  public internal(set) var findings: [JournalFinding] = []
}

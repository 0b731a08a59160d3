/// A line of a journal: an entry as it is from then on, or that it is deleted.
struct JournalOperation: Equatable, Sendable {
  let stamp: JournalStamp
  let id: JournalID
  /// `nil`: deleted.
  let entry: JournalEntry?
}

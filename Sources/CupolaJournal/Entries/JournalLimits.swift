/// What a journal accepts, so that no file of somebody else can fill a phone.
enum JournalLimits {
  /// Bytes of a label, name, title or address in UTF-8.
  static let name = 1000
  /// Bytes of the text of a note or question.
  static let text = 100_000
  /// Photos of one note.
  static let photos = 100
  /// Bytes of a line of a journal's file.
  static let line = 1 << 20
  /// Bytes of a journal's file, and of one to be imported.
  static let file = 256 << 20
  /// Files of devices in one journal.
  static let devices = 1000
  /// Bytes of a photo or voice file.
  static let media = 100 << 20
  /// Numbers of lines.
  static let numbers = 1...(1 << 52)
  /// Milliseconds and ticks of clocks; the milliseconds end in the year 4199.
  static let (milliseconds, ticks) = (0...(1 << 46), 0...(1 << 52))
  /// What is taken from another journal: below what can be read, so that it cannot use up what this device has
  /// left to count.
  static let (othersNumber, othersTick) = (1 << 40, 1 << 40)
  /// Milliseconds by which another's clock may be ahead of this one's: a year.
  static let ahead = 366 * 86_400_000
  /// Seconds since 1970 of entries: to the end of the year 9999.
  static let times = 0...253_402_300_799.0
}

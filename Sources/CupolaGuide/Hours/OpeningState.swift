/// Whether a place is open, and until when that stays so.
public enum OpeningState: Hashable, Sendable {
  /// It is open, until that time; `nil` when its closing is not given, or more than
  /// ``OpeningHours/horizon`` days away.
  case open(until: LocalTime?)
  /// It is closed, and the next time it is known to be open; `nil` when that is more than
  /// ``OpeningHours/horizon`` days away or never.
  case closed(opensAt: LocalTime?)
  /// Nobody can say from the text.
  case unknown
}

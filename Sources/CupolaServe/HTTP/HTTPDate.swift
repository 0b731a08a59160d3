#if Serve
  internal import CupolaCampus
  internal import CupolaGuide

  /// A moment as headers have it (RFC 9110, 5.6.7).
  enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter seconds: since 1970.
    /// - Returns: `nil` where a clock is far from any present.
    static func text(_ seconds: Double) -> String? {
      guard let whole = Int(exactly: seconds.rounded(.down)), whole >= 0,
        let date = LocalDate(dayNumber: whole / 86_400)
      else { return nil }
      let clock = [whole / 3600 % 24, whole / 60 % 60, whole % 60]
        .map { Digits.padded($0, to: 2) }.joined(separator: ":")
      let day = Digits.padded(date.day, to: 2)
      return "\(days[date.weekday]), \(day) \(months[date.month - 1]) \(date.year) \(clock) GMT"
    }
  }
#endif

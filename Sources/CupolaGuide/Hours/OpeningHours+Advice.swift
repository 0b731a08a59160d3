extension OpeningHours {
  /// What to mend in a text that can be read but hardly means what it says; `nil` for nothing.
  ///
  /// Said of nights that a rule after `;` ends at midnight, or about which readers differ: the hours
  /// after midnight belong to the next day, and a rule that is about that day takes their place.
  public var advice: String? {
    guard cutsNights else { return nil }
    return "a rule after a semicolon ends the night before its days at midnight; write commas "
      + "between the rules, as Fr-Sa 18:00-02:00, Su 18:00-23:00"
  }

  private var cutsNights: Bool {
    // A leap year that begins on a Monday has every kind of day.
    guard let first = LocalDate(year: 2024, month: 1, day: 1) else { return false }
    let nights = rules.indices.filter { index in
      rules[index].kind == .open && rules[index].spans.contains { $0.end > LocalTime.minutesPerDay }
    }
    guard !nights.isEmpty else { return false }
    return (1...366).contains { day in
      guard let date = first.adding(days: day), let evening = first.adding(days: day - 1) else {
        return false
      }
      let rulesOfDay = rules.indices.filter { rules[$0].days.contains(date, .none) }
      return nights.contains { night in
        rules[night].days.contains(evening, .none) && isCut(night, by: rulesOfDay)
      }
    }
  }

  private func isCut(_ night: Int, by rulesOfDay: [Int]) -> Bool {
    // The rule itself being about the next day keeps its night.
    guard !rulesOfDay.contains(night) else { return false }
    return rulesOfDay.contains { other in
      let later = rules[max(other, night)]
      return other != night && later.separator == .normal && rules[other].kind == .open
    }
  }
}

/// Days of the proleptic Gregorian calendar, numbered from 1 January 1970 on, which is 0.
///
/// Years are 1 or later. They begin in March here: then the leap day is the last of the year.
package enum GregorianCalendar {
  /// The years of which texts have dates.
  package static let years = 1...9999

  /// Whether there is such a day in ``years``.
  package static func has(year: Int, month: Int, day: Int) -> Bool {
    years.contains(year) && (1...12).contains(month) && day >= 1
      && day <= days(inMonth: month, of: year)
  }

  /// The number of a day.
  package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return 365 * marchYear + leapDays + (153 * marchMonth + 2) / 5 + day - 719_469
  }

  /// The day of a number.
  package static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
    let days = number + 719_468
    // An estimate of the year that is at most one too late.
    var year = days * 400 / 146_097 + 1
    func start(_ year: Int) -> Int { 365 * year + year / 4 - year / 100 + year / 400 }
    while start(year) > days { year -= 1 }
    let dayOfYear = days - start(year)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (month < 10 ? year : year + 1, month < 10 ? month + 3 : month - 9, day)
  }

  /// The number of days of a month, 1...12.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

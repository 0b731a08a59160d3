/// The proleptic Gregorian calendar. Day 0 is January 1, 1970. Calculations use years that start in March, so that the
/// leap day is the last day.
package enum GregorianCalendar {
  package static let years = 1...9999

  package static func has(year: Int, month: Int, day: Int) -> Bool {
    years.contains(year) && (1...12).contains(month) && day >= 1
      && day <= days(inMonth: month, of: year)
  }

  package static func dayNumber(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let marchMonth = (month + 9) % 12
    let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
    return 365 * marchYear + leapDays + (153 * marchMonth + 2) / 5 + day - 719_469
  }

  package static func date(ofDay number: Int) -> (year: Int, month: Int, day: Int) {
    let days = number + 719_468
    // This estimate can be one year too late, but not more.
    var year = days * 400 / 146_097 + 1
    func start(_ year: Int) -> Int { 365 * year + year / 4 - year / 100 + year / 400 }
    while start(year) > days { year -= 1 }
    let dayOfYear = days - start(year)
    let month = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * month + 2) / 5 + 1
    return (month < 10 ? year : year + 1, month < 10 ? month + 3 : month - 9, day)
  }

  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}

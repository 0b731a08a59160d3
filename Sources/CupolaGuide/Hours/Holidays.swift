/// The holidays of a place, which `PH` and `SH` in opening hours stand for.
///
/// No calendar of holidays is built in: who has one hands it over. A day outside of these dates is no
/// holiday, so with ``none`` what the text says of holidays never applies, and sentences say that they are not known.
public struct Holidays: Hashable, Sendable {
  /// The public holidays, `PH`.
  public let publicHolidays: Set<LocalDate>
  /// The days of school holidays, `SH`.
  public let schoolHolidays: Set<LocalDate>

  /// Holidays of the given dates.
  public init(publicHolidays: Set<LocalDate>, schoolHolidays: Set<LocalDate> = []) {
    self.publicHolidays = publicHolidays
    self.schoolHolidays = schoolHolidays
  }

  /// No holidays at all.
  public static let none = Holidays(publicHolidays: [])
}

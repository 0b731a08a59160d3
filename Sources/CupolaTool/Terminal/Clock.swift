import CupolaCampus
import CupolaTraining

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What time it is: the one place that is asked.
enum Clock {
  /// Whether digits are a date: whoever types 2026 or 20261123 does not mean a moment of the seventies.
  static func isDate(_ text: String) -> Bool {
    [4, 8].contains(text.utf8.count) && Digits.number(text) != nil
  }

  /// Now, or the moment that SOURCE_DATE_EPOCH names in seconds since 1970, so that what is made twice is the
  /// same.
  static var now: UTCDate? {
    let seconds = Console.environment("SOURCE_DATE_EPOCH").flatMap { Int($0) }
    return UTCDate(secondsSince1970: seconds ?? Int(Date().timeIntervalSince1970))
  }
}

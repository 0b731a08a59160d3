import ArgumentParser
import Cupola

/// `LAT,LON` on the command line.
struct Coordinates: ExpressibleByArgument {
  let latitude: Double
  let longitude: Double

  init?(argument: String) {
    let numbers = Coordinates.numbers(argument)
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      Position(latitude: latitude, longitude: longitude) != nil
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// What stands between commas, `nil` where it is no number.
  static func numbers(_ text: some StringProtocol) -> [Double?] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop { $0 == " " })
    }
  }

  func position(error: Double?) -> Position? {
    Position(latitude: latitude, longitude: longitude, horizontalError: error)
  }
}

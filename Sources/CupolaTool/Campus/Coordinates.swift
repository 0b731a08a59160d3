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

  /// From the command line, with what is wrong told.
  static func parsed(_ argument: String) throws -> Coordinates {
    if let coordinates = Coordinates(argument: argument) { return coordinates }
    let numbers = numbers(argument).compactMap(\.self)
    guard numbers.count == 2 else {
      throw ValidationError("it must be LAT,LON in degrees, such as 48.3000,10.9000")
    }
    if Position(latitude: numbers[1], longitude: numbers[0]) != nil {
      throw ValidationError(
        "latitude comes first and is at most 90 degrees; did you mean "
          + "\(Format.decimal(numbers[1], digits: 4)),\(Format.decimal(numbers[0], digits: 4))?")
    }
    throw ValidationError("latitudes are -90 to 90 degrees, longitudes -180 to 180")
  }

  /// The same with latitude and longitude exchanged; `nil` where that is no place.
  var exchanged: Coordinates? { Coordinates(argument: "\(longitude),\(latitude)") }

  /// - Throws: `ValidationError` unless a direction is one of a compass.
  static func checkHeading(_ degrees: Double) throws {
    guard degrees >= -180, degrees <= 360 else {
      throw ValidationError(
        "--heading must be 0 to 360 degrees clockwise from true north (90 is east), not \(degrees)."
      )
    }
  }

  func position(error: Double?) -> Position? {
    Position(latitude: latitude, longitude: longitude, horizontalError: error)
  }
}

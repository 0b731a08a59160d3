import ArgumentParser
import Cupola

/// Where photos or frames were taken, and whether that counts.
struct PlaceOptions: ParsableArguments {
  // Unconditional, because many a latitude begins with a minus sign.
  @Option(
    parsing: .unconditional, help: "Where it was taken, degrees LAT,LON.",
    transform: Coordinates.parsed)
  var at: Coordinates?

  @Option(help: "Meters within which positions are right that do not say so themselves.")
  var positionError: Double?

  @Option(
    parsing: .unconditional, help: "Where the camera looked, degrees clockwise from true north.")
  var heading: Double?

  @Flag(help: "Ignore all positions and headings.")
  var noPlace = false

  func validate() throws {
    if let heading { try Coordinates.checkHeading(heading) }
    guard positionError.map({ $0 >= 0 && $0.isFinite }) ?? true else {
      throw ValidationError("--position-error must be 0 or more meters.")
    }
  }

  /// The direction that was given.
  var givenHeading: Heading? { heading.flatMap { Heading(degrees: $0) } }

  /// The position that was given, or that of a photo's EXIF when it lacks the error that is given.
  func position(of photo: Photo?) -> Position? {
    guard at != nil || positionError != nil && !noPlace else { return nil }
    return position(else: photo?.metadata.position)
  }

  /// The position that was given, or else another one, with the error that is given where it lacks its own.
  func position(else other: Position?) -> Position? {
    if let at { return at.position(error: positionError) }
    return other.flatMap { $0.with(horizontalError: $0.horizontalError ?? positionError) }
  }
}

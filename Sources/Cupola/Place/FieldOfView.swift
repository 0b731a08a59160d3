#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// How much of the horizon a photo shows.
package struct FieldOfView: Equatable, Codable, Sendable {
  /// Degrees from the left edge to the right one.
  package let degrees: Double

  /// Millimeters of the sides of a picture of 3:4 whose diagonal is that of 35 mm film.
  private static let sides = (long: 34.6, short: 26.0)
  /// The focal length of phones that say none, in millimeters.
  private static let usualFocalLength = 27.0
  /// Millimeters beyond which lenses that people photograph buildings with do not go.
  private static let focalLengths = 8.0...400

  /// - Parameters:
  ///   - focalLength: what shows as much on 35 mm film, in millimeters; `nil` is that of a phone.
  ///   - width: columns of the upright picture.
  ///   - height: its rows.
  package init(focalLength: Double?, width: Int, height: Int) {
    let length = focalLength.flatMap { Self.focalLengths.contains($0) ? $0 : nil }
    let side = width < height ? Self.sides.short : Self.sides.long
    degrees = 2 * atan(side / 2 / (length ?? Self.usualFocalLength)) * (180 / .pi)
  }

  /// A phone held level: 65 degrees.
  package static let usual = FieldOfView(focalLength: nil, width: 4, height: 3)
}

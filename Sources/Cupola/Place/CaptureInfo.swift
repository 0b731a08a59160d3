#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The data about how a photo was taken that recognition uses in addition to the pixels.
package struct CaptureInfo: Equatable, Codable, Sendable {
  let position: Position?
  let heading: Heading?
  let view: FieldOfView
  let year: Double

  init(position: Position?, heading: Heading?, view: FieldOfView, year: Double) {
    (self.position, self.heading, self.view, self.year) = (position, heading, view, year)
  }

  /// If specified, the position and heading replace those in EXIF.
  package init(_ photo: Photo, at position: Position? = nil, heading: Heading? = nil) {
    let metadata = photo.metadata
    self.init(
      position: position ?? metadata.position, heading: heading ?? metadata.heading,
      view: FieldOfView(
        focalLength: metadata.focalLength, width: photo.width, height: photo.height),
      year: metadata.decimalYear ?? MagneticField.defaultYear)
  }

  init(
    of image: RGBImage, focalLength: Double? = nil, at position: Position?, heading: Heading?,
    year: Double
  ) {
    self.init(
      position: position, heading: heading,
      view: FieldOfView(focalLength: focalLength, width: image.width, height: image.height),
      year: year)
  }

  /// Uses the focal length and date from the metadata, if available.
  package init(
    of image: RGBImage, _ metadata: PhotoMetadata?, at position: Position?, heading: Heading?
  ) {
    self.init(
      of: image, focalLength: metadata?.focalLength, at: position, heading: heading,
      year: metadata?.decimalYear ?? MagneticField.defaultYear)
  }

  var placeQuery: PlaceGuide.Query? {
    position.map {
      PlaceGuide.Query(position: $0, heading: heading, view: view, year: year)
    }
  }
}

/// A photo's horizontal field of view.
package struct FieldOfView: Equatable, Codable, Sendable {
  /// The angle from the left to the right edge, in degrees.
  package let degrees: Double

  /// The sides, in millimeters, of a 3:4 image with the same diagonal as 35 mm film.
  private static let sides = (long: 34.6, short: 26.0)
  private static let usualFocalLength = 27.0
  /// The plausible focal lengths for photos of buildings, in millimeters.
  private static let focalLengths = 8.0...400

  /// - Parameter focalLength: The 35 mm equivalent focal length in millimeters; `nil` for that of a typical phone.
  package init(focalLength: Double?, width: Int, height: Int) {
    let length = focalLength.flatMap { Self.focalLengths.contains($0) ? $0 : nil }
    let side = width < height ? Self.sides.short : Self.sides.long
    degrees = 2 * atan(side / 2 / (length ?? Self.usualFocalLength)) * (180 / .pi)
  }

  /// The field of view of a phone in landscape orientation: 65 degrees.
  package static let usual = FieldOfView(focalLength: nil, width: 4, height: 3)
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `Shot` is where and how a picture was taken.
// 2. `FieldOfView` is how much of the horizon it shows.

/// Where a picture was taken, and how, as far as that is known: what an answer takes from a photo beside its pixels.
package struct Shot: Equatable, Codable, Sendable {
  let position: Position?
  let heading: Heading?
  let view: FieldOfView
  let year: Double

  init(position: Position?, heading: Heading?, view: FieldOfView, year: Double) {
    (self.position, self.heading, self.view, self.year) = (position, heading, view, year)
  }

  /// - Parameters:
  ///   - position: where the photo was taken, if known better than by its EXIF.
  ///   - heading: where the camera looked, likewise.
  package init(_ photo: Photo, at position: Position? = nil, heading: Heading? = nil) {
    let metadata = photo.metadata
    self.init(
      position: position ?? metadata.position, heading: heading ?? metadata.heading,
      view: FieldOfView(
        focalLength: metadata.focalLength, width: photo.width, height: photo.height),
      year: metadata.decimalYear ?? MagneticField.usualYear)
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

  /// The same with what its file says; `nil` for a frame of which nothing more is known.
  package init(
    of image: RGBImage, _ metadata: PhotoMetadata?, at position: Position?, heading: Heading?
  ) {
    self.init(
      of: image, focalLength: metadata?.focalLength, at: position, heading: heading,
      year: metadata?.decimalYear ?? MagneticField.usualYear)
  }

  var question: PlaceGuide.Question? {
    position.map {
      PlaceGuide.Question(position: $0, heading: heading, view: view, year: year)
    }
  }
}

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

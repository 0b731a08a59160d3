/// Where a picture was taken, and how, as far as that is known: what an answer takes from a photo beside its pixels.
package struct Shot: Equatable, Codable, Sendable {
  let position: Position?
  let heading: Heading?
  let view: FieldOfView
  /// When the heading was measured.
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

  /// Of an upright picture.
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

@_exported public import CupolaCampus

/// Names the building in a photo: the whole pipeline, one line a step.
public struct Recognizer: Sendable {
  /// What was trained.
  public let model: Model
  /// How photos are opened.
  public var decoder = PhotoDecoder()

  /// How sure an answer must be.
  public let point: OperatingPoint

  private let guide: PlaceGuide

  /// A recognizer for one campus.
  ///
  /// - Parameter maximumError: the share of wrong answers to be promised, more than 0, less than 1;
  ///   `nil` is the usual one. See ``OperatingPoint``.
  public init(model: Model, maximumError: Double? = nil) {
    self.model = model
    guide = PlaceGuide(model)
    point = OperatingPoint(model.calibration, maximumError: maximumError)
  }

  /// Recognizes the building in the bytes of an image file, such as `[UInt8]` or `Data`.
  ///
  /// - Parameters:
  ///   - photo: a whole file.
  ///   - position: where it was taken, if known better than by its EXIF.
  ///   - heading: where the camera looked, likewise.
  ///   - usingPlace: `false` ignores every position and heading.
  /// - Throws: ``CupolaError`` when the photo cannot be used.
  public func recognize(
    photo: some Sequence<UInt8>, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognize(decoder.open(photo), at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in a photo that ``PhotoDecoder/open(_:)`` opened; see
  /// ``recognize(photo:at:heading:usingPlace:)``.
  public func recognize(
    _ photo: Photo, at position: Position? = nil, heading: Heading? = nil, usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    var timing = photo.timing
    let metadata = photo.metadata
    let place = usingPlace ? position ?? metadata.position : nil
    let direction = usingPlace ? heading ?? metadata.heading : nil
    let fence = place.flatMap { place in timing.measure(.geofence) { side(of: place) } }
    var answer =
      if let place, fence == .outside {
        Recognition.outside(at: place, heading: direction)
      } else {
        try recognize(
          try timing.measure(.decode) { () throws(CupolaError) in
            try model.recipe.decode(photo)
          },
          place.map { place in
            PlaceGuide.Question(
              position: place, heading: direction,
              view: FieldOfView(
                focalLength: metadata.focalLength, width: photo.width, height: photo.height),
              year: metadata.decimalYear ?? MagneticField.usualYear)
          }, &timing)
      }
    (answer.position, answer.heading) = (place, direction)
    answer.fence = fence
    answer.faults = metadata.faults
    answer.timing = timing
    return answer
  }

  /// Recognizes the building in an upright picture, such as a camera frame.
  ///
  /// - Parameters:
  ///   - position: where it was taken; an error that is unknown is taken to be 15 m.
  ///   - year: when a magnetic heading was measured; see ``MagneticField``.
  /// - Throws: ``CupolaError`` when the recipe does not fit the picture.
  public func recognize(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.usualYear
  ) throws(CupolaError) -> Recognition {
    var timing = StageTiming()
    let fence = position.flatMap { position in timing.measure(.geofence) { side(of: position) } }
    var answer =
      if let position, fence == .outside {
        Recognition.outside(at: position, heading: heading)
      } else {
        try recognize(
          image,
          position.map { position in
            PlaceGuide.Question(
              position: position, heading: heading,
              view: FieldOfView(focalLength: nil, width: image.width, height: image.height),
              year: year)
          }, &timing)
      }
    (answer.position, answer.heading) = (position, heading)
    answer.fence = fence
    answer.timing = timing
    return answer
  }

  /// Whether a position is known to be off the campus: beyond doubt, where its error is known.
  package func isOutside(_ position: Position) -> Bool { side(of: position) == .outside }

  /// On which side of the fence a position lies; `nil` without a map.
  private func side(of position: Position) -> FenceSide? {
    model.campus?.geofence.side(of: position)
  }

  private func recognize(
    _ image: RGBImage, _ place: PlaceGuide.Question?, _ timing: inout StageTiming
  ) throws(CupolaError) -> Recognition {
    let recipe = model.recipe
    let input = timing.measure(.prepare) { recipe.prepare(image, geometry: recipe.geometry) }
    let features = try timing.measure(.features) { () throws(CupolaError) in
      try model.extractor.features(of: input)
    }
    return timing.measure(.classify) {
      let logits = model.classifier.logits(features)
      let temperature = model.calibration.temperature
      let image = Softmax.probabilities(logits, temperature: temperature)
      let placed = place.map { guide.answer($0, image: image) }
      return Judgment(model: model, point: point, image: image, logits: logits, place: placed)
        .recognition
    }
  }
}

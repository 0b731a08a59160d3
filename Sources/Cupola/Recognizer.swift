#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
@_exported public import CupolaCampus

/// Recognizes the building in a photo.
///
/// 1. Read the metadata. If the position is outside the fence, stop without decoding the image.
/// 2. Decode, crop, and resize the image to the input square that the recipe defines.
/// 3. Compute the features of the square and one logit per label.
/// 4. Combine image, position, and heading into an answer (`PlaceGuide`, `RecognitionBuilder`).
public struct Recognizer: Sendable {
  package let model: Model
  /// Reads and decodes photos.
  public var decoder = PhotoDecoder()

  package let point: Thresholds

  private let guide: PlaceGuide
  private let frames = WorkspacePool<FrameWorkspace>()

  /// Creates a recognizer for one campus.
  ///
  /// - Parameters:
  ///   - model: The trained model.
  ///   - maximumError: The maximum fraction of wrong names, of named non-building photos, and of named photos of unknown
  ///     buildings, between 0 and 1 (exclusive); `nil` limits only wrong names, to 5%. See <doc:HonestAnswers>.
  public init(model: Model, maximumError: Double? = nil) {
    self.init(model: model, point: Thresholds(model.calibration, maximumError: maximumError))
  }

  /// - Parameter mapsUntrained: Whether to recognize buildings that are on the map but have no training photos.
  package init(model: Model, point: Thresholds, mapsUntrained: Bool = true) {
    self.model = model
    self.point = point
    guide = PlaceGuide(model, mapsUntrained: mapsUntrained)
  }

  /// Classifies a generated image to allocate memory, so that the first photo is as fast as later ones.
  ///
  /// Call this method in the background, for example before the camera starts.
  public func warmUp() {
    let side = model.recipe.inputSide
    var noise = SplitMix64(seed: 0)
    let pixels = (0..<side * side * 3).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
    _ = try? look(at: RGBImage(width: side, height: side, pixels: pixels))
  }

  /// Recognizes the building in an image file; see ``recognize(photo:at:heading:usingPlace:)``.
  ///
  /// - Throws: ``CupolaError`` if the file cannot be read or the photo cannot be used.
  public func recognize(
    contentsOf url: URL, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognize(
      contentsOf: url.filePath, at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in the image file at a path; see ``recognize(photo:at:heading:usingPlace:)``.
  public func recognize(
    contentsOf path: String, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognize(
      decoder.open(path: path), at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in the bytes of an image file, such as `[UInt8]` or `Data`.
  ///
  /// - Parameters:
  ///   - photo: The bytes of the whole file.
  ///   - position: The camera's position; `nil` uses the EXIF position.
  ///   - heading: The camera's heading; `nil` uses the EXIF heading.
  ///   - usingPlace: Whether to use the position and heading, including those from EXIF.
  /// - Throws: ``CupolaError`` if the photo cannot be used.
  public func recognize(
    photo: some Sequence<UInt8>, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognize(decoder.open(photo), at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in a photo opened with ``PhotoDecoder/open(_:)``.
  ///
  /// - Throws: ``CupolaError`` if the image data is damaged or truncated.
  public func recognize(
    _ photo: Photo, at position: Position? = nil, heading: Heading? = nil, usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    let shot = usingPlace ? CaptureInfo(photo, at: position, heading: heading) : nil
    var answer = try answer(shot, photo.timing) { among, timing throws(CupolaError) in
      try logits(of: decoded(photo, &timing), among: among, &timing)
    }
    answer.faults = photo.metadata.faults
    return answer
  }

  /// Recognizes the building in an upright image, such as a camera frame.
  ///
  /// - Parameters:
  ///   - image: The upright image.
  ///   - position: The camera's position; an unknown accuracy counts as 15 m.
  ///   - heading: The camera's heading.
  ///   - year: The current date as a decimal year, which a magnetic heading requires; see `MagneticField`.
  /// - Throws: ``CupolaError`` if the image does not fit the recipe.
  public func recognize(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.defaultYear
  ) throws(CupolaError) -> Recognition {
    try recognize(image, taken: CaptureInfo(of: image, at: position, heading: heading, year: year))
  }

  package func recognize(
    _ image: RGBImage, taken shot: CaptureInfo
  ) throws(CupolaError) -> Recognition {
    try answer(shot, StageTiming()) { among, timing throws(CupolaError) in
      try logits(of: image, among: among, &timing)
    }
  }

  /// Returns the answer for logits that are already computed, one per label. Without `shot`, the position is ignored.
  package func recognize(
    logits: [Float], of shot: CaptureInfo?, after timing: StageTiming = StageTiming()
  ) -> Recognition {
    answer(shot, timing) { among, _ in Classifier.masked(logits, among: among) }
  }

  package func look(
    at photo: Photo
  ) throws(CupolaError) -> (image: RGBImage, logits: [Float], timing: StageTiming) {
    var timing = photo.timing
    let image = try decoded(photo, &timing)
    return (image, try logits(of: image, among: nil, &timing), timing)
  }

  package func look(at image: RGBImage) throws(CupolaError) -> [Float] {
    var logits: [Float] = []
    try look(at: image, into: &logits)
    return logits
  }

  /// Writes one logit per label into `logits`. Only the first images of each size allocate memory.
  func look(at image: RGBImage, into logits: inout [Float]) throws(CupolaError) {
    var timing = StageTiming()
    try write(logits: &logits, of: image, among: nil, &timing)
  }

  func locate(_ shot: CaptureInfo, in place: inout LivePlaceEvidence) {
    place.update(shot, guide: guide, model: model)
  }

  /// Whether the position is outside the fence by more than its accuracy, if the accuracy is known.
  package func isOutside(_ position: Position) -> Bool { side(of: position) == .outside }

  private func side(of position: Position) -> FenceSide? {
    model.campus?.geofence.side(of: position)
  }

  // MARK: - Pipeline

  /// Checks the fence, classifies the image, and combines the result with position and heading.
  private func answer<Failure: Error>(
    _ shot: CaptureInfo?, _ before: StageTiming,
    logits: (_ among: [Bool]?, inout StageTiming) throws(Failure) -> [Float]
  ) throws(Failure) -> Recognition {
    var timing = before
    let fence = shot?.position.flatMap { position in
      timing.measure(.geofence) { side(of: position) }
    }
    var answer: Recognition
    if let position = shot?.position, fence == .outside {
      answer = .outside(at: position, heading: shot?.heading)
    } else {
      let among = timing.measure(.classify) { guide.labelsInReach(of: shot?.position) }
      let logits = try logits(among, &timing)
      answer = timing.measure(.classify) {
        let image = Softmax.probabilities(logits, temperature: model.calibration.temperature)
        let place = shot?.placeQuery.map { guide.answer($0, image: image) }
        return RecognitionBuilder(
          model: model, point: point, image: image, logits: logits, place: place
        )
        .recognition
      }
    }
    (answer.position, answer.heading) = (shot?.position, shot?.heading)
    answer.fence = fence
    answer.timing = timing
    return answer
  }

  private func decoded(
    _ photo: Photo, _ timing: inout StageTiming
  ) throws(CupolaError) -> RGBImage {
    try timing.measure(.decode) { () throws(CupolaError) in try model.recipe.decode(photo) }
  }

  private func logits(
    of image: RGBImage, among: [Bool]?, _ timing: inout StageTiming
  ) throws(CupolaError) -> [Float] {
    var logits: [Float] = []
    try write(logits: &logits, of: image, among: among, &timing)
    return logits
  }

  private func write(
    logits: inout [Float], of image: RGBImage, among: [Bool]?, _ timing: inout StageTiming
  ) throws(CupolaError) {
    try frames.with(orMade: { FrameWorkspace(model.recipe) }) { frame throws(CupolaError) in
      timing.measure(.prepare) {
        model.recipe.prepare(image, with: &frame.resampler, into: &frame.square)
      }
      try frame.write(logits: &logits, by: model, among: among, &timing)
    }
  }
}

/// A recognizer that processes one photo at a time off the caller's thread.
///
/// Keeps the user interface responsive and limits memory to one photo.
public actor BackgroundRecognizer {
  package nonisolated let recognizer: Recognizer

  /// Creates a background recognizer.
  public init(_ recognizer: Recognizer) { self.recognizer = recognizer }

  /// Recognizes the building in the bytes of an image file; see ``Recognizer/recognize(photo:at:heading:usingPlace:)``.
  public func recognize(
    photo: some Sequence<UInt8> & Sendable, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      photo: photo, at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in an upright image; see ``Recognizer/recognize(_:at:heading:year:)``.
  public func recognize(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.defaultYear
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(image, at: position, heading: heading, year: year)
  }

  /// Recognizes the building in an image file.
  public func recognize(
    contentsOf url: URL, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      contentsOf: url, at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in the image file at a path.
  public func recognize(
    contentsOf path: String, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      contentsOf: path, at: position, heading: heading, usingPlace: usingPlace)
  }
}

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
@_exported public import CupolaCampus

/// Names the building in a photo.
///
/// 1. The file is opened, and its position compared with the fence: outside it the picture is not looked at.
/// 2. The picture is decoded, cropped and resized to the square of the recipe.
/// 3. The features of the square become one logit a label.
/// 4. Picture, position and heading together become an answer: `PlaceGuide` and `Judgment`.
public struct Recognizer: Sendable {
  /// What was trained.
  public let model: Model
  /// How photos are opened.
  public var decoder = PhotoDecoder()

  /// How sure an answer must be.
  package let point: OperatingPoint

  private let guide: PlaceGuide
  private let frames = WorkspacePool<FrameWorkspace>()

  /// A recognizer for one campus.
  ///
  /// - Parameters:
  ///   - model: what was trained.
  ///   - maximumError: the share of wrong answers to be promised, more than 0, less than 1; `nil` is the usual
  ///     one. See <doc:HonestAnswers>.
  public init(model: Model, maximumError: Double? = nil) {
    self.init(model: model, point: OperatingPoint(model.calibration, maximumError: maximumError))
  }

  /// - Parameter mapsUntrained: whether buildings of the map that no photo trained can be answers.
  package init(model: Model, point: OperatingPoint, mapsUntrained: Bool = true) {
    self.model = model
    self.point = point
    guide = PlaceGuide(model, mapsUntrained: mapsUntrained)
  }

  /// Works on a made-up picture, so that the first real one takes no longer than those after it: memory is asked for
  /// then.
  ///
  /// An app calls it beside other work, such as before the camera runs.
  public func warmUp() {
    let side = model.recipe.inputSide
    var noise = SplitMix64(seed: 0)
    let pixels = (0..<side * side * 3).map { _ in UInt8(truncatingIfNeeded: noise.next()) }
    _ = try? look(at: RGBImage(width: side, height: side, pixels: pixels))
  }

  /// Recognizes the building in an image file; see ``recognize(photo:at:heading:usingPlace:)``.
  ///
  /// - Throws: ``CupolaError`` as that does, and when it is no file or cannot be read.
  public func recognize(
    contentsOf url: URL, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognize(
      contentsOf: url.filePath, at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in the image file at a path.
  ///
  /// - Throws: ``CupolaError`` as for a URL.
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
  ///
  /// - Throws: ``CupolaError`` when its picture data are damaged or end early.
  public func recognize(
    _ photo: Photo, at position: Position? = nil, heading: Heading? = nil, usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    let shot = usingPlace ? Shot(photo, at: position, heading: heading) : nil
    var answer = try answer(shot, photo.timing) { among, timing throws(CupolaError) in
      try logits(of: decoded(photo, &timing), among: among, &timing)
    }
    answer.faults = photo.metadata.faults
    return answer
  }

  /// Recognizes the building in an upright picture, such as a camera frame.
  ///
  /// - Parameters:
  ///   - image: a picture that stands upright.
  ///   - position: where it was taken; an error that is unknown is taken to be 15 m.
  ///   - heading: where the camera looked.
  ///   - year: when a magnetic heading was measured; see `MagneticField`.
  /// - Throws: ``CupolaError`` when the recipe does not fit the picture.
  public func recognize(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.usualYear
  ) throws(CupolaError) -> Recognition {
    try recognize(image, taken: Shot(of: image, at: position, heading: heading, year: year))
  }

  /// The same of a picture of which is known how it was taken.
  package func recognize(
    _ image: RGBImage, taken shot: Shot
  ) throws(CupolaError) -> Recognition {
    try answer(shot, StageTiming()) { among, timing throws(CupolaError) in
      try logits(of: image, among: among, &timing)
    }
  }

  /// The answer to a picture whose logits, one a label of the model, are known.
  ///
  /// - Parameters:
  ///   - shot: `nil` ignores its place.
  ///   - timing: how long it took to come so far.
  package func recognize(
    logits: [Float], of shot: Shot?, after timing: StageTiming = StageTiming()
  ) -> Recognition {
    answer(shot, timing) { among, _ in Classifier.masked(logits, among: among) }
  }

  /// What the picture of a photo says wherever it was taken: one logit a label of the model.
  package func look(
    at photo: Photo
  ) throws(CupolaError) -> (image: RGBImage, logits: [Float], timing: StageTiming) {
    var timing = photo.timing
    let image = try decoded(photo, &timing)
    return (image, try logits(of: image, among: nil, &timing), timing)
  }

  /// One logit a label of the model for a picture, wherever it was taken.
  package func look(at image: RGBImage) throws(CupolaError) -> [Float] {
    var logits: [Float] = []
    try look(at: image, into: &logits)
    return logits
  }

  /// The same, written over what was there: after the first pictures of a size it allocates no memory.
  func look(at image: RGBImage, into logits: inout [Float]) throws(CupolaError) {
    var timing = StageTiming()
    try write(logits: &logits, of: image, among: nil, &timing)
  }

  /// Asks the map about where a frame is taken.
  func locate(_ shot: Shot, in place: inout LivePlace) {
    place.update(shot, guide: guide, model: model)
  }

  /// Whether a position is known to be off the campus: beyond doubt, where its error is known.
  package func isOutside(_ position: Position) -> Bool { side(of: position) == .outside }

  /// On which side of the fence a position lies; `nil` without a map.
  private func side(of position: Position) -> FenceSide? {
    model.campus?.geofence.side(of: position)
  }

  // MARK: - The flow

  /// Asks the fence, then the picture, then picture and place together.
  ///
  /// - Parameter logits: asked which labels compete, and for the time that it takes.
  private func answer<Failure: Error>(
    _ shot: Shot?, _ before: StageTiming,
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
        let place = shot?.question.map { guide.answer($0, image: image) }
        return Judgment(model: model, point: point, image: image, logits: logits, place: place)
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

/// A recognizer for apps: works beside the caller's thread, on one photo after the other, so that a screen
/// stays alive and memory is that of one photo.
public actor BackgroundRecognizer {
  /// What does the work.
  package nonisolated let recognizer: Recognizer

  /// Puts a recognizer to work in the background.
  public init(_ recognizer: Recognizer) { self.recognizer = recognizer }

  /// Recognizes the bytes of an image file, such as `[UInt8]` or `Data`; see
  /// ``Recognizer/recognize(photo:at:heading:usingPlace:)``.
  ///
  /// - Throws: ``CupolaError`` as that does.
  public func recognize(
    photo: some Sequence<UInt8> & Sendable, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      photo: photo, at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes an upright picture, such as a camera frame; see ``Recognizer/recognize(_:at:heading:year:)``.
  ///
  /// - Throws: ``CupolaError`` as that does.
  public func recognize(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.usualYear
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(image, at: position, heading: heading, year: year)
  }

  /// Recognizes the building in an image file; as ``Recognizer`` does.
  ///
  /// - Throws: ``CupolaError`` as that does.
  public func recognize(
    contentsOf url: URL, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      contentsOf: url, at: position, heading: heading, usingPlace: usingPlace)
  }

  /// Recognizes the building in the image file at a path.
  ///
  /// - Throws: ``CupolaError`` as for a URL.
  public func recognize(
    contentsOf path: String, at position: Position? = nil, heading: Heading? = nil,
    usingPlace: Bool = true
  ) throws(CupolaError) -> Recognition {
    try recognizer.recognize(
      contentsOf: path, at: position, heading: heading, usingPlace: usingPlace)
  }
}

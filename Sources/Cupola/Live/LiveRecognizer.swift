// Process each frame:
// 1. Skip frames outside the fence.
// 2. Sample the frame, measure its quality, and compute its logits.
// 3. Update the filter, the position, and the verdict. A cut starts a new scene.
// 4. If no building is named, choose a hint for the user.

/// Recognizes the building that a camera shows, with one steady answer instead of one answer per frame.
///
/// Use one instance per camera and pass its frames in order. Equal frames, positions, and times produce equal answers.
/// After the first frames, memory is allocated only if the position, heading, year, or size changes.
public struct LiveRecognizer: Sendable {
  package let recognizer: Recognizer
  package private(set) var frames = 0

  private var sampler: FrameSampler
  private var workspace: FrameWorkspace
  private var logits: [Float] = []
  private var quality: FrameQuality
  private var frameProbabilities: FrameProbabilities
  private var filter: LiveFilter
  private var placeEvidence = LivePlaceEvidence()
  private var combined: [Double]
  private var verdict = VerdictHysteresis()
  private var probe = FrameProbe()
  private var probeSampler: FrameSampler
  private var probeProbabilities: FrameProbabilities
  private var lastTime: Double?

  /// Creates a live recognizer with the same error limit as `recognizer`.
  public init(_ recognizer: Recognizer) {
    self.recognizer = recognizer
    let model = recognizer.model
    let side = model.recipe.inputSide
    sampler = FrameSampler(side: side)
    probeSampler = sampler
    workspace = FrameWorkspace(model.recipe)
    quality = FrameQuality(side: side)
    frameProbabilities = FrameProbabilities(model)
    probeProbabilities = frameProbabilities
    filter = LiveFilter(model, error: recognizer.point.maximumError)
    combined = filter.values
  }

  /// Resets all state, for example before a new recording.
  package mutating func reset() {
    (frames, lastTime, placeEvidence) = (0, nil, LivePlaceEvidence())
    forgetScene()
  }

  /// Processes the next frame, assuming the field of view of a phone's main camera.
  ///
  /// - Parameters:
  ///   - frame: The camera frame.
  ///   - position: The camera's position; an unknown accuracy counts as 15 m. Frames outside the fence are not
  ///     classified.
  ///   - heading: The camera's heading.
  ///   - year: The current date as a decimal year, which a magnetic heading requires; see `MagneticField`.
  ///   - time: The frame's time in seconds from any start, increasing; `nil` means 0.1 seconds after the previous
  ///     frame.
  /// - Throws: ``CupolaError`` if the image does not fit the recipe.
  public mutating func update(
    _ frame: borrowing CameraFrame, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.defaultYear, time: Double? = nil
  ) throws(CupolaError) -> LiveAnswer {
    let shot = CaptureInfo(
      position: position, heading: heading,
      view: FieldOfView(
        focalLength: nil, width: frame.uprightWidth, height: frame.uprightHeight), year: year)
    return try update(frame, taken: shot, time: time)
  }

  private mutating func update(
    _ frame: borrowing CameraFrame, taken shot: CaptureInfo, time: Double?
  ) throws(CupolaError) -> LiveAnswer {
    frames += 1
    let elapsed = elapsed(at: time)
    recognizer.locate(shot, in: &placeEvidence)
    if placeEvidence.fence == .outside {
      forgetScene()
      return outside
    }
    sampler.read(frame, geometry: recognizer.model.recipe.geometry, into: &workspace.square)
    quality.read(workspace.square)
    try readSquare()
    frameProbabilities.read(logits)
    if quality.isCut { cut() }
    filter.update(frameProbabilities, elapsed: elapsed)
    placeEvidence.write(&combined, from: filter)
    verdict.update(combined, contradicts: contradicts)
    let hint = try hint(for: frame)
    return answer(hint)
  }

  /// Processes the next frame as an upright image; see ``update(_:at:heading:year:time:)``.
  public mutating func update(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.defaultYear, time: Double? = nil
  ) throws(CupolaError) -> LiveAnswer {
    let shot = CaptureInfo(of: image, at: position, heading: heading, year: year)
    return try update(image, taken: shot, time: time)
  }

  package mutating func update(
    _ image: RGBImage, taken shot: CaptureInfo, time: Double?
  ) throws(CupolaError) -> LiveAnswer {
    let frame = CameraFrame(
      pixels: image.pixels.span, format: .rgb, width: image.width, height: image.height,
      bytesPerRow: 3 * image.width)
    return try update(frame, taken: shot, time: time)
  }

  /// Returns the most probable trained buildings with their probabilities, 0 to 1.
  ///
  /// - Returns: The buildings, or an empty array if no frame was classified last.
  public func candidates(_ count: Int = 3) -> [(label: String, probability: Double)] {
    guard frames > 0, placeEvidence.fence != .outside else { return [] }
    let labels = recognizer.model.labels
    let ranked = labels.buildings.indices.sorted { (combined[$0], $1) > (combined[$1], $0) }
    return ranked.prefix(count).map { (labels.names[labels.buildings[$0]], combined[$0]) }
  }

  // MARK: - Steps

  private mutating func elapsed(at time: Double?) -> Double {
    defer { lastTime = time }
    guard let time, let lastTime else { return LiveFilter.usualStep }
    return max(0, time - lastTime)
  }

  private mutating func forgetScene() {
    filter.reset()
    verdict.reset()
    probe.reset()
    quality.forget()
    placeEvidence.write(&combined, from: filter)
  }

  private var outside: LiveAnswer {
    var answer = LiveAnswer(.notOnCampus)
    answer.fence = placeEvidence.fence
    return answer
  }

  private mutating func readSquare() throws(CupolaError) {
    var timing = StageTiming()
    try workspace.write(logits: &logits, by: recognizer.model, among: placeEvidence.among, &timing)
  }

  private mutating func cut() {
    filter.reset(continuing: verdict.cut(frameProbabilities))
    probe.reset()
  }

  /// Whether the frames clearly show a building that position and heading make very improbable.
  private var contradicts: Bool {
    for building in 0..<filter.values.count - 1
    where filter.values[building] >= VerdictHysteresis.appearThreshold {
      return placeEvidence.contradicts(building)
    }
    return false
  }

  private mutating func hint(for frame: borrowing CameraFrame) throws(CupolaError) -> LiveHint? {
    if case .building = verdict.shown {
      probe.reset()
      return nil
    }
    if quality.isDark { return .moreLight }
    if quality.isBright { return .lessLight }
    if quality.isBlurred { return .holdStill }
    if quality.isFlat { return .stepBack }
    if let (part, geometry) = probe.next(whole: frameProbabilities.odds) {
      probeSampler.read(frame, geometry: geometry, into: &workspace.square)
      try readSquare()
      probeProbabilities.read(logits)
      probe.add(probeProbabilities.odds, part: part)
    }
    return probe.hint
  }

  private func answer(_ hint: LiveHint?) -> LiveAnswer {
    let model = recognizer.model
    var answer = LiveAnswer(.looking)
    switch verdict.shown {
    case .looking: break
    case .unsure: answer.verdict = .unsure
    case .other: answer.verdict = .notACampusBuilding
    case .building(let number):
      let label = model.labels.names[model.labels.buildings[number]]
      answer.verdict = .building
      answer.label = label
      answer.building = model.campus?.building(labeled: label)
      answer.probability = combined[number]
    }
    if !model.labels.buildings.isEmpty {
      answer.frameLabel = model.labels.names[model.labels.buildings[frameProbabilities.best]]
      answer.frameProbability = frameProbabilities.probability(frameProbabilities.best)
    }
    (answer.hint, answer.fence, answer.isCut) = (hint, placeEvidence.fence, quality.isCut)
    return answer
  }
}

/// The steady answer after a frame.
public struct LiveAnswer: Equatable, Sendable {
  /// The kind of answer.
  public enum Verdict: String, Codable, Sendable {
    /// No answer yet.
    case looking
    /// A campus building.
    case building
    /// Either of two buildings, or a conflict between image and position.
    case unsure
    /// Not a campus building.
    case notACampusBuilding = "not_a_campus_building"
    /// A position outside the fence; the frame was not classified.
    case notOnCampus = "not_on_campus"
  }

  /// The kind of answer.
  public internal(set) var verdict: Verdict
  /// The building's training label.
  public internal(set) var label: String?
  /// The building's map record, if there is one.
  public internal(set) var building: Building?
  /// The probability given all frames, 0 to 1.
  public internal(set) var probability: Double?
  /// The most probable building of this frame alone; `nil` if the frame was not classified.
  package internal(set) var frameLabel: String?
  package internal(set) var frameProbability: Double?
  /// A hint for the user; `nil` if no hint applies.
  public internal(set) var hint: LiveHint?
  /// Whether the position is inside or outside the fence; `nil` without a position or map.
  package internal(set) var fence: FenceSide?
  package internal(set) var isCut = false

  init(_ verdict: Verdict) { self.verdict = verdict }
}

/// A hint that can improve the answer.
public enum LiveHint: String, Codable, Sendable {
  /// The image is blurred.
  case holdStill = "hold_still"
  /// The image is too dark.
  case moreLight = "more_light"
  /// The image is too bright.
  case lessLight = "less_light"
  /// The image is featureless, such as a close-up of a wall.
  case stepBack = "step_back"
  /// The center of the image shows a building more clearly.
  case stepNearer = "step_nearer"
  /// The left part of the image shows a building more clearly.
  case moveLeft = "move_left"
  /// The right part of the image shows a building more clearly.
  case moveRight = "move_right"
}

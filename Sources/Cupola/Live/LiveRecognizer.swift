// Each frame takes these steps:
// 1. Off the campus it is not looked at.
// 2. It is sampled, its quality measured and its logits computed.
// 3. Belief, place and verdict are updated; a cut starts a new scene.
// 4. Without an answer, a hint says what would help.

/// Names the building before a camera, frame after frame: steady where single answers flicker.
///
/// Belongs to one camera: frames must come in order. The same frames, places and times have the same answers. After the
/// first frames none allocates memory, unless its position, heading, year or shape is new.
public struct LiveRecognizer: Sendable {
  /// What looks at the frames.
  package let recognizer: Recognizer
  /// How many frames there were.
  package private(set) var frames = 0

  private var sampler: FrameSampler
  private var workspace: FrameWorkspace
  private var logits: [Float] = []
  private var quality: FrameQuality
  private var picture: LivePicture
  private var belief: LiveBelief
  private var place = LivePlace()
  /// Beliefs with what the place says.
  private var placed: [Double]
  private var verdict = SteadyVerdict()
  private var probe = FrameProbe()
  private var probeSampler: FrameSampler
  private var probePicture: LivePicture
  private var lastTime: Double?

  /// Looks at frames as a recognizer would, by the error that it promises.
  public init(_ recognizer: Recognizer) {
    self.recognizer = recognizer
    let model = recognizer.model
    let side = model.recipe.inputSide
    sampler = FrameSampler(side: side)
    probeSampler = sampler
    workspace = FrameWorkspace(model.recipe)
    quality = FrameQuality(side: side)
    picture = LivePicture(model)
    probePicture = picture
    belief = LiveBelief(model, error: recognizer.point.maximumError)
    placed = belief.values
  }

  /// Forgets all frames, as before a new recording.
  public mutating func reset() {
    (frames, lastTime, place) = (0, nil, LivePlace())
    forgetScene()
  }

  /// Takes in the next frame, which is taken to show as much of the horizon as a phone's main camera does.
  ///
  /// - Parameters:
  ///   - frame: what the camera sees; the frames of one camera, in order.
  ///   - position: where it was taken; an error that is unknown is taken to be 15 m. Off the campus the frame
  ///     is not looked at.
  ///   - heading: where the camera looked.
  ///   - year: when a magnetic heading was measured; see `MagneticField`.
  ///   - time: seconds since any moment, growing; `nil` is a tenth of a second after the frame before.
  /// - Throws: ``CupolaError`` when the recipe does not fit the picture.
  public mutating func update(
    _ frame: borrowing CameraFrame, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.usualYear, time: Double? = nil
  ) throws(CupolaError) -> LiveAnswer {
    let shot = Shot(
      position: position, heading: heading,
      view: FieldOfView(
        focalLength: nil, width: frame.uprightWidth, height: frame.uprightHeight), year: year)
    return try update(frame, taken: shot, time: time)
  }

  private mutating func update(
    _ frame: borrowing CameraFrame, taken shot: Shot, time: Double?
  ) throws(CupolaError) -> LiveAnswer {
    frames += 1
    let elapsed = elapsed(at: time)
    recognizer.locate(shot, in: &place)
    if place.fence == .outside {
      forgetScene()
      return outside
    }
    sampler.read(frame, geometry: recognizer.model.recipe.geometry, into: &workspace.square)
    quality.read(workspace.square)
    try readSquare()
    picture.read(logits)
    if quality.isCut { cut() }
    belief.update(picture, elapsed: elapsed)
    place.write(&placed, from: belief)
    verdict.update(placed, contradicts: contradicts)
    let hint = try hint(for: frame)
    return answer(hint)
  }

  /// Takes in the next frame as an upright picture; see ``update(_:at:heading:year:time:)``.
  ///
  /// - Throws: ``CupolaError`` when the recipe does not fit the picture.
  public mutating func update(
    _ image: RGBImage, at position: Position? = nil, heading: Heading? = nil,
    year: Double = MagneticField.usualYear, time: Double? = nil
  ) throws(CupolaError) -> LiveAnswer {
    let shot = Shot(of: image, at: position, heading: heading, year: year)
    return try update(image, taken: shot, time: time)
  }

  /// The same of a picture of which is known how it was taken.
  package mutating func update(
    _ image: RGBImage, taken shot: Shot, time: Double?
  ) throws(CupolaError) -> LiveAnswer {
    let frame = CameraFrame(
      pixels: image.pixels.span, format: .rgb, width: image.width, height: image.height,
      bytesPerRow: 3 * image.width)
    return try update(frame, taken: shot, time: time)
  }

  /// The buildings that are believed in most, with how much, 0...1; buildings without photos are not among them.
  ///
  /// - Returns: none where the last frame was not looked at, or there was none: nothing puts one before another.
  public func candidates(_ count: Int = 3) -> [(label: String, probability: Double)] {
    guard frames > 0, place.fence != .outside else { return [] }
    let labels = recognizer.model.labels
    let ranked = labels.buildings.indices.sorted { (placed[$0], $1) > (placed[$1], $0) }
    return ranked.prefix(count).map { (labels.names[labels.buildings[$0]], placed[$0]) }
  }

  // MARK: - Steps

  private mutating func elapsed(at time: Double?) -> Double {
    defer { lastTime = time }
    guard let time, let lastTime else { return LiveBelief.usualStep }
    return max(0, time - lastTime)
  }

  private mutating func forgetScene() {
    belief.reset()
    verdict.reset()
    probe.reset()
    quality.forget()
    place.write(&placed, from: belief)
  }

  private var outside: LiveAnswer {
    var answer = LiveAnswer(.notOnCampus)
    answer.fence = place.fence
    return answer
  }

  /// From the square to logits.
  private mutating func readSquare() throws(CupolaError) {
    var timing = StageTiming()
    try workspace.write(logits: &logits, by: recognizer.model, among: place.among, &timing)
  }

  private mutating func cut() {
    belief.reset(continuing: verdict.cut(picture))
    probe.reset()
  }

  /// Whether the picture is sure of a building that can hardly be seen from here.
  private var contradicts: Bool {
    for building in 0..<belief.values.count - 1
    where belief.values[building] >= SteadyVerdict.appears {
      return place.contradicts(building)
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
    if let (part, geometry) = probe.next(whole: picture.odds) {
      probeSampler.read(frame, geometry: geometry, into: &workspace.square)
      try readSquare()
      probePicture.read(logits)
      probe.add(probePicture.odds, part: part)
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
      answer.probability = placed[number]
    }
    if !model.labels.buildings.isEmpty {
      answer.frameLabel = model.labels.names[model.labels.buildings[picture.best]]
      answer.frameProbability = picture.probability(picture.best)
    }
    (answer.hint, answer.fence, answer.isCut) = (hint, place.fence, quality.isCut)
    return answer
  }
}

/// The steady answer after a frame.
public struct LiveAnswer: Equatable, Sendable {
  /// What is said of the scene.
  public enum Verdict: String, Codable, Sendable {
    /// Nothing yet.
    case looking
    /// A building of the campus.
    case building
    /// One of two buildings, or place and picture say different ones.
    case unsure
    /// Nothing that the model knows.
    case notACampusBuilding = "not_a_campus_building"
    /// Taken outside the geofence; the frame was not looked at.
    case notOnCampus = "not_on_campus"
  }

  /// What is said of the scene.
  public internal(set) var verdict: Verdict
  /// The training label of the building.
  public internal(set) var label: String?
  /// Its record, if the map has it.
  public internal(set) var building: Building?
  /// How much it is believed in after all frames, 0...1.
  public internal(set) var probability: Double?
  /// The best building of the frame by itself; `nil` when the frame was not looked at.
  package internal(set) var frameLabel: String?
  /// Its probability by the frame's picture alone, 0...1.
  package internal(set) var frameProbability: Double?
  /// What a person can do for a better answer; `nil` when nothing helps, or nothing is needed.
  public internal(set) var hint: LiveHint?
  /// On which side of the fence it was taken; `nil` without a position or a map.
  public internal(set) var fence: FenceSide?
  /// Whether the frame began another scene.
  package internal(set) var isCut = false

  init(_ verdict: Verdict) { self.verdict = verdict }
}

/// What a person can do for a better answer.
public enum LiveHint: String, Codable, Sendable {
  /// The picture is blurred.
  case holdStill = "hold_still"
  /// The picture is too dark.
  case moreLight = "more_light"
  /// The picture is too bright.
  case lessLight = "less_light"
  /// There is nothing to see, such as a wall close up.
  case stepBack = "step_back"
  /// The middle of the picture says more than all of it.
  case stepNearer = "step_nearer"
  /// The left of the picture says more than all of it.
  case moveLeft = "move_left"
  /// The right of the picture says more than all of it.
  case moveRight = "move_right"
}

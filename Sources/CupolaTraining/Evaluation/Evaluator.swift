public import Cupola

/// Asks a model about photos whose answers are known.
public struct Evaluator: Sendable {
  /// What is asked.
  public var recognizer: Recognizer
  /// Use positions and headings from EXIF.
  public var usesPlace = true
  /// Which of the photos trained the model, where somebody looked.
  public var overlap: TrainingOverlap?
  /// Photos worked on at a time; the figures do not depend on it.
  public var threads = 1

  /// An evaluator for one model.
  ///
  /// - Parameter maximumError: the share of wrong answers to be promised, more than 0, less than 1;
  ///   `nil` is the usual one. See ``OperatingPoint``.
  public init(_ model: Model, maximumError: Double? = nil) {
    recognizer = Recognizer(model: model, maximumError: maximumError)
  }

  /// Asks about every photo; what cannot be read is listed and left out of the figures.
  ///
  /// - Parameter progress: told how many photos have been asked about.
  public func evaluate(
    _ photos: [LabeledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async -> Evaluation {
    let parts = PartialRecognizer.all(of: recognizer)
    let (answers, errors) = await photos.reading(threads: threads, progress: progress) {
      photo throws(CupolaError) in try ask(about: photo, parts)
    }
    return Evaluation(
      model: recognizer.model, answers: answers, errors: errors, point: recognizer.point)
  }

  private func ask(
    about photo: LabeledPhoto, _ parts: [PartialRecognizer]
  ) throws(CupolaError) -> Evaluation.Answer {
    let opened = try photo.opened(by: recognizer.decoder)
    let answer = try recognizer.recognize(opened, usingPlace: usesPlace)
    // The picture's own figures are reported whatever the place says, also off the campus, and of all labels.
    let isLimited = answer.place != nil && recognizer.model.classifierKind == .retrieval
    let seen =
      answer.verdict == .notOnCampus || isLimited
      ? try recognizer.recognize(opened, usingPlace: false) : answer
    return Evaluation.Answer(
      photo: photo, verdict: answer.verdict,
      candidates: seen.candidates.filter(\.isTrained)
        .sorted { $0.imageProbability > $1.imageProbability },
      odds: seen.imageOdds, bestWithPlace: answer.candidates.first?.label,
      familiarity: answer.familiarity,
      parts: Dictionary(
        uniqueKeysWithValues: parts.map {
          ($0.part, $0.answer(seen.logits, to: opened, usesPlace: usesPlace))
        }),
      facts: facts(photo, opened, answer))
  }

  private func facts(
    _ photo: LabeledPhoto, _ opened: Photo, _ answer: Recognition
  ) -> PhotoFacts {
    var facts = PhotoFacts()
    facts.digest = String(SHA256.hexadecimal(of: opened.bytes).prefix(16))
    (facts.width, facts.height) = (opened.width, opened.height)
    facts.captureTime = opened.metadata.captureTime ?? photo.attributes["time"]
    (facts.position, facts.heading) = (answer.position, answer.heading)
    facts.distance = answer.candidates.first { $0.label == photo.label }?.distance
    facts.leak = overlap?.kinds[photo.path]
    facts.isPlaced = answer.place != nil
    facts.milliseconds = answer.timing.milliseconds
    return facts
  }
}

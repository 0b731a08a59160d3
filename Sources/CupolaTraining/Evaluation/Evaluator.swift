public import Cupola

/// Asks a model about photos whose answers are known.
public struct Evaluator: Sendable {
  /// What is asked.
  public var recognizer: Recognizer
  /// Use positions and headings from EXIF.
  public var usesPlace = true
  /// Which of the photos trained the model, where somebody looked.
  public var overlap: TrainingOverlap?
  /// What else to look for in the photos while they are decoded.
  public var secondLook: SecondLook?
  /// Photos worked on at a time; the figures do not depend on it.
  public var threads = 1

  /// An evaluator for one model.
  ///
  /// - Parameters:
  ///   - model: what is asked.
  ///   - maximumError: the share of wrong answers to be promised, more than 0, less than 1; `nil` is the usual
  ///     one. See `OperatingPoint`.
  public init(_ model: Model, maximumError: Double? = nil) {
    recognizer = Recognizer(model: model, maximumError: maximumError)
  }

  /// Asks about every photo; what cannot be read is listed and left out of the figures.
  ///
  /// - Parameters:
  ///   - photos: what it is asked about.
  ///   - progress: told how many photos have been asked about.
  public func evaluate(
    _ photos: [LabeledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async -> Evaluation {
    await evaluate(await look(at: photos, progress: progress))
  }

  /// Shows the model every photo, once.
  ///
  /// - Parameters:
  ///   - photos: what it is asked about.
  ///   - progress: told how many photos have been read.
  public func look(
    at photos: [LabeledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async -> SeenPhotos {
    let (recognizer, secondLook) = (recognizer, secondLook)
    let seen = await photos.reading(threads: threads, progress: progress) {
      photo throws(CupolaError) in try SeenPhoto(photo, by: recognizer, secondLook)
    }
    return SeenPhotos(photos: seen.values, skipped: seen.skipped)
  }

  /// The figures of photos that the model has seen.
  public func evaluate(_ seen: SeenPhotos) async -> Evaluation {
    let parts = PartialRecognizer.all(of: recognizer)
    let answers = await parallelMap(seen.photos, threads: threads) { answer(to: $0, parts) }
    return Evaluation(
      model: recognizer.model, answers: answers, errors: seen.skipped, point: recognizer.point)
  }

  private func answer(to seen: SeenPhoto, _ parts: [PartialRecognizer]) -> Evaluation.Answer {
    let shot = usesPlace ? seen.shot : nil
    let answer = recognizer.recognize(logits: seen.logits, of: shot, after: seen.timing)
    // The picture's own figures are reported whatever the place says, also off the campus, and of all labels.
    let isLimited = answer.place != nil && recognizer.model.classifierKind == .retrieval
    let pictured =
      answer.verdict == .notOnCampus || isLimited
      ? recognizer.recognize(logits: seen.logits, of: nil) : answer
    var candidates = pictured.candidates.filter(\.isTrained)
    if isLimited {
      let placed = Dictionary(
        answer.candidates.filter(\.isTrained).map { ($0.label, $0.probability) },
        // A map may have a label twice.
        uniquingKeysWith: { first, _ in first })
      candidates = candidates.map { $0.with(probability: placed[$0.label] ?? 0) }
    }
    return Evaluation.Answer(
      photo: seen.photo, verdict: answer.verdict,
      candidates:
        candidates
        .sorted { $0.imageProbability > $1.imageProbability },
      odds: pictured.imageOdds, bestWithPlace: answer.candidates.first?.label,
      familiarity: answer.familiarity,
      parts: Dictionary(
        uniqueKeysWithValues: parts.map { ($0.part, $0.answer(seen.logits, to: shot)) }),
      facts: facts(seen, answer))
  }

  private func facts(_ seen: SeenPhoto, _ answer: Recognition) -> PhotoFacts {
    let traits = seen.traits
    var facts = PhotoFacts()
    facts.digest = String(traits.digest.prefix(16))
    (facts.width, facts.height) = (seen.width, seen.height)
    facts.captureTime = seen.photo.metadata(traits.metadata).captureTime
    (facts.position, facts.heading) = (answer.position, answer.heading)
    facts.distance = answer.candidates.first { $0.label == seen.photo.label }?.distance
    facts.leak = overlap?.found[seen.photo.file]
    facts.isPlaced = answer.place != nil
    facts.milliseconds = answer.timing.milliseconds
    // What an app would not have done.
    if answer.verdict == .notOnCampus {
      for stage in [StageTiming.Stage.decode, .prepare, .features, .classify] {
        facts.milliseconds[stage] = nil
      }
    }
    return facts
  }
}

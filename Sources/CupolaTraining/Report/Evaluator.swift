public import Cupola

// 1. Decode each photo once and keep what the metrics require (ScoredPhoto).
// 2. Recognize from the stored logits, with the whole model and with its parts.
// 3. Collect the answers in an Evaluation.

/// Evaluates a model on photos with known labels.
public struct Evaluator: Sendable {
  /// The recognizer to evaluate.
  public var recognizer: Recognizer
  /// Whether to use positions and headings from EXIF.
  public var usesPlace = true
  package var overlap: TrainingOverlap?
  package var preparation: ReportPreparation?
  /// The number of photos processed in parallel; results do not depend on it.
  public var threads = 1

  /// Creates an evaluator for a model.
  ///
  /// - Parameters:
  ///   - model: The model to evaluate.
  ///   - maximumError: The target fraction of wrong answers, more than 0 and less than 1; `nil` uses the default.
  public init(_ model: Model, maximumError: Double? = nil) {
    recognizer = Recognizer(model: model, maximumError: maximumError)
  }

  /// Evaluates the photos; unreadable photos are listed and excluded from the metrics.
  ///
  /// - Parameters:
  ///   - photos: The labeled photos.
  ///   - progress: Called with the number of photos processed so far.
  public func evaluate(
    _ photos: [LabeledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async -> Evaluation {
    await evaluate(await look(at: photos, progress: progress))
  }

  package func look(
    at photos: [LabeledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async -> ScoredPhotos {
    let (recognizer, preparation) = (recognizer, preparation)
    let seen = await photos.reading(threads: threads, progress: progress) {
      photo throws(CupolaError) in try ScoredPhoto(photo, by: recognizer, preparation)
    }
    return ScoredPhotos(photos: seen.values, skipped: seen.skipped)
  }

  package func evaluate(_ seen: ScoredPhotos) async -> Evaluation {
    let parts = PartialRecognizer.all(of: recognizer)
    let answers = await parallelMap(seen.photos, threads: threads) { answer(to: $0, parts) }
    var evaluation = Evaluation(
      model: recognizer.model, answers: answers, errors: seen.skipped, point: recognizer.point)
    evaluation.trainedDays = overlap?.trainedDays
    return evaluation
  }

  private func answer(to seen: ScoredPhoto, _ parts: [PartialRecognizer]) -> Evaluation.Answer {
    let shot = usesPlace ? seen.shot : nil
    let answer = recognizer.recognize(logits: seen.logits, of: shot, after: seen.timing)
    // Metrics of the image alone cover all labels and off-campus photos, regardless of position.
    let isLimited = answer.place != nil && recognizer.model.classifierKind == .retrieval
    let pictured =
      answer.verdict == .notOnCampus || isLimited
      ? recognizer.recognize(logits: seen.logits, of: nil) : answer
    var candidates = pictured.candidates.filter(\.isTrained)
    if isLimited {
      let placed = Dictionary(
        answer.candidates.filter(\.isTrained).map { ($0.label, $0.probability) },
        uniquingKeysWith: { first, _ in first })
      candidates = candidates.map { $0.with(probability: placed[$0.label] ?? 0) }
    }
    var found = Evaluation.Answer(
      photo: seen.photo, verdict: answer.verdict,
      candidates: candidates.sorted { $0.imageProbability > $1.imageProbability },
      odds: pictured.imageOdds, bestWithPlace: answer.candidates.first?.label,
      familiarity: answer.familiarity,
      parts: Dictionary(
        uniqueKeysWithValues: parts.map { ($0.part, $0.answer(seen.logits, to: shot)) }),
      facts: facts(seen, answer))
    if recognizer.model.labels.buildings.count > ConfusionMatrix.mostLabelsInFull {
      found.keepBest()
    }
    return found
  }

  private func facts(_ seen: ScoredPhoto, _ answer: Recognition) -> PhotoFacts {
    let traits = seen.traits
    var facts = PhotoFacts()
    facts.digest = String(traits.digest.prefix(16))
    (facts.width, facts.height) = seen.size
    facts.captureTime = seen.photo.metadata(traits.metadata).captureTime
    (facts.position, facts.heading) = (answer.position, answer.heading)
    facts.distance = answer.candidates.first { $0.label == seen.photo.label }?.distance
    facts.leak = overlap?.found[seen.photo.file]
    facts.isPlaced = answer.place != nil
    let campus = recognizer.model.campus
    facts.isRejectedByPlace = answer.isRejectedByPlace
    facts.answer = [answer.text(in: campus).line, answer.imageNote(in: campus)]
      .compactMap(\.self).joined(separator: "; ")
    facts.shot = Grouping.Shot(seen.photo.metadata(traits.metadata), label: seen.photo.label)
    facts.milliseconds = answer.timing.milliseconds
    // An app skips these stages off campus.
    if answer.verdict == .notOnCampus {
      for stage in [StageTiming.Stage.decode, .prepare, .features, .classify] {
        facts.milliseconds[stage] = nil
      }
    }
    return facts
  }
}

/// The model's output for a photo, and the traits that metrics require, so that the photo is decoded only once.
struct ScoredPhoto: Sendable {
  var traits: PhotoTraits
  let shot: CaptureInfo
  let size: (width: Int, height: Int)
  var logits: [Float]
  let timing: StageTiming
  var second: (checked: CheckedPhoto, baseline: [Float]?)?

  var photo: LabeledPhoto { traits.photo }
  var width: Int { size.width }
  var height: Int { size.height }

  var ofBaseline: ScoredPhoto? {
    second?.baseline.map {
      var seen = self
      (seen.logits, seen.second) = ($0, nil)
      return seen
    }
  }

  func found(as photo: LabeledPhoto) -> ScoredPhoto {
    var seen = self
    seen.traits = PhotoTraits(
      photo: photo, digest: traits.digest, metadata: traits.metadata, thumbnail: traits.thumbnail)
    seen.second = nil
    return seen
  }
}

extension ScoredPhoto {
  init(
    _ photo: LabeledPhoto, by recognizer: Recognizer, _ preparation: ReportPreparation?
  ) throws(CupolaError) {
    let opened = try photo.opened(by: recognizer.decoder)
    let look = try recognizer.look(at: opened)
    let traits = PhotoTraits(
      photo: photo, digest: SHA256.hexadecimal(of: opened.bytes),
      metadata: photo.metadata(of: opened), thumbnail: LumaThumbnail(look.image))
    self.init(
      traits: traits, shot: CaptureInfo(opened), size: (opened.width, opened.height),
      logits: look.logits, timing: look.timing,
      second: try preparation?.look(photo, opened, look.image, for: recognizer.model.recipe))
  }
}

/// Photos with the model's outputs, and a list of unreadable photos.
public struct ScoredPhotos: Sendable {
  let photos: [ScoredPhoto]
  package let skipped: [SkippedFile]

  var ofBaseline: ScoredPhotos? {
    let photos = photos.compactMap(\.ofBaseline)
    return photos.count == self.photos.count ? ScoredPhotos(photos: photos, skipped: skipped) : nil
  }

  var checked: [[UInt8]: CheckedPhoto] {
    Dictionary(
      photos.compactMap { seen in seen.second.map { (seen.photo.file, $0.checked) } }
    ) { first, _ in first }
  }

  package var count: Int { photos.count + skipped.count }
  package var listed: [LabeledPhoto] { photos.map(\.photo) }
}

/// Facts about a photo other than its label, and the time that recognition took.
package struct PhotoFacts: Equatable, Sendable {
  /// The first 16 hexadecimal digits of the file's SHA-256, to find the photo in another report.
  package var digest = ""
  package var width = 0
  package var height = 0
  /// `YYYY:MM:DD HH:MM:SS` in local time, from EXIF or the `time` column of `split.csv`.
  package var captureTime: String?
  package var position: Position?
  package var heading: Heading?
  /// Meters from the camera to the photographed building; `nil` if the photo has no position or the building is not on
  /// the map.
  package var distance: Double?
  package var isPlaced = false
  /// Whether only the position led to a rejection.
  package var isRejectedByPlace = false
  /// The answer in one line, as `cupola classify` prints it.
  package var answer = ""
  /// When and where the photo was taken, which determines its session if it has no group.
  package var shot: Grouping.Shot?
  package var leak: TrainingOverlap.Kind?
  package var milliseconds: [StageTiming.Stage: Double] = [:]
}

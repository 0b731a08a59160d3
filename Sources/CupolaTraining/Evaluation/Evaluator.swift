public import Cupola

/// Asks a model about photos whose answers are known.
public struct Evaluator: Sendable {
  /// What is asked.
  public var recognizer: Recognizer
  /// Use positions and headings from EXIF.
  public var usesPlace = true
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
    _ photos: [LabelledPhoto], progress: (@Sendable (Int) -> Void)? = nil
  ) async -> Evaluation {
    let results = await parallelMap(photos, threads: threads, progress: progress) { photo in
      ask(about: photo)
    }
    var answers: [Evaluation.Answer] = []
    var errors: [SkippedFile] = []
    for (photo, result) in zip(photos, results) {
      switch result {
      case .success(let answer): answers.append(answer)
      case .failure(let error):
        errors.append(SkippedFile(name: photo.name, reason: .unusable(error)))
      }
    }
    return Evaluation(model: recognizer.model, answers: answers, errors: errors)
  }

  private func ask(about photo: LabelledPhoto) -> Result<Evaluation.Answer, CupolaError> {
    do throws(CupolaError) {
      let bytes = try FileAccess.read(photo.path, limit: recognizer.decoder.limits.bytes)
      // The picture alone first: its figures are reported whatever the place says.
      let byImage = try recognizer.recognize(photo: bytes, usingPlace: false)
      let position =
        usesPlace ? try recognizer.decoder.metadata(of: bytes).position : nil
      let outside = position.map { recognizer.isOutside($0) } ?? false
      return .success(
        Evaluation.Answer(
          photo: photo, verdict: outside ? .notOnCampus : byImage.verdict,
          candidates: byImage.candidates, odds: byImage.odds))
    } catch {
      return .failure(error)
    }
  }
}

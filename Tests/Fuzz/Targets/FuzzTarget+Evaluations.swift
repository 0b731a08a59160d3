@testable import Cupola
@testable import CupolaTraining

/// Targets for files of earlier evaluations and recorded sessions.
extension FuzzTarget {
  static let evaluations: [FuzzTarget] = [
    FuzzTarget("history") { bytes in
      let folder = FuzzFolder()
      defer { folder.remove() }
      // Each input is tried as both kinds of files.
      try folder.fill(["history.csv": bytes, "report.json": bytes])
      if let history = try? EvaluationHistory(folder: folder.path) {
        try check(history, in: folder)
      } else if let other = try? OtherReport(contentsOf: folder.path + "/report.json") {
        try check(other)
      }
    },
    FuzzTarget("sequence") { bytes in
      let model = try FuzzModel.model()
      let folder = FuzzFolder()
      defer { folder.remove() }
      // The raw frame has 48 bytes, which fits each layout, such as `rgb24 4x4`, `rgba 4x3` and `nv12 8x4`.
      try folder.fill(["session.jsonl": bytes, "a.jpg": picture, "a.raw": Array(16..<64)])
      guard let session = try? SessionFolder.all(in: folder.path).first else { return }
      guard (try? session.finish()) != nil else {
        throw FuzzFailure("the session cannot be written again")
      }
      try FuzzFailure.unless(
        (try? SessionFolder(reading: folder.path))?.frames == session.frames,
        "the frames changed after writing and reading")
      guard session.frames.count <= 16 else { return }
      var evaluation = SequenceEvaluation()
      evaluation.add(session, by: Recognizer(model: model))
      _ = evaluation.failures.map(\.error.message)
      try FuzzFailure.unless(
        (try? JSONObject.text(evaluation.figures.json)) != nil, "the results cannot be written")
    },
  ]

  private static func check(
    _ history: EvaluationHistory, in folder: FuzzFolder
  ) throws(FuzzFailure) {
    var history = history
    guard (try? history.write()) != nil, let again = try? EvaluationHistory(folder: folder.path)
    else { throw FuzzFailure("a history cannot be written and read again") }
    try FuzzFailure.unless(
      again.csv == history.csv, "the history changed after writing and reading")
    try show(try report(), history)
  }

  private static func check(_ other: OtherReport) throws(FuzzFailure) {
    var report = try report()
    guard let comparison = try? ModelComparison(report.evaluation, with: other) else { return }
    report.comparisons = [comparison]
    try FuzzFailure.unless((try? report.bytes()) != nil, "a comparison cannot be written")
    _ = EvaluationText(report, width: 80).text
    try show(report, nil)
  }

  private static func show(
    _ report: EvaluationReport, _ history: EvaluationHistory?
  ) throws(FuzzFailure) {
    var page = ReportPage(report, of: Recognizer(model: try FuzzModel.model()))
    page.history = history
    let shown = FuzzTask.result { [page] in try await page.html() }
    try FuzzFailure.unless(shown != nil, "the page cannot be created")
  }

  /// Returns a report of one photo that is recognized correctly.
  private static func report() throws(FuzzFailure) -> EvaluationReport {
    let model = try FuzzModel.model()
    let evaluation = FuzzTask.result {
      let photo = LabeledPhoto(
        path: "/nowhere", name: "1.jpg", label: "a", split: .test, group: nil)
      let seen = ScoredPhoto(
        traits: PhotoTraits(
          photo: photo, digest: FuzzModel.digest, metadata: PhotoMetadata(), thumbnail: nil),
        shot: CaptureInfo(position: nil, heading: nil, view: .usual, year: 2026), size: (64, 48),
        logits: [0, 2, 1], timing: StageTiming())
      return await Evaluator(model).evaluate(ScoredPhotos(photos: [seen], skipped: []))
    }
    guard let evaluation else { throw FuzzFailure("the photo was not evaluated") }
    return EvaluationReport(evaluation)
  }

  private static let picture: [UInt8] = {
    let pixels = (0..<3 * 32 * 24).map { UInt8(truncatingIfNeeded: $0 * $0 / 5) }
    return (try? JPEGEncoder.encode(RGBImage(width: 32, height: 24, pixels: pixels))) ?? []
  }()
}

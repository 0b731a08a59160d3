import ArgumentParser
import Cupola
import CupolaTraining

/// What to do about photos to measure with that trained the model.
struct LeakOptions: ParsableArguments {
  @Flag(help: "Measure also with photos that trained the model, and show what that does.")
  var allowLeaks = false

  /// - Throws: ``TrainingError/leaks(path:photos:asked:example:)`` unless they are allowed.
  func check(
    _ asked: [LabelledPhoto], in path: String, against model: Model, _ common: CommonOptions
  ) async throws -> TrainingOverlap {
    let progress = Progress("looking for leaks", total: asked.count, quiet: common.quiet)
    let overlap = await TrainingOverlap(
      of: asked, with: model.provenance, decoder: common.decoder, threads: common.threads
    ) { progress.update($0) }
    if !overlap.isKnown {
      Console.note(
        "note: the model does not say which photos trained it; such photos would flatter it")
    }
    if let example = (overlap.same + overlap.copies).first, !allowLeaks {
      throw TrainingError.leaks(
        path: path, photos: overlap.same.count + overlap.copies.count, asked: overlap.asked,
        example: example)
    }
    return overlap
  }

  /// The figures with and without leaks, to be added to others; empty without leaks.
  func text(_ overlap: TrainingOverlap, _ evaluation: Evaluation) -> String {
    guard !overlap.isEmpty else { return "" }
    let shares = overlap.top1(in: evaluation)
    let interval = shares.leakFree.interval
    return """


      LEAKS: \(overlap.same.count) of \(FigureText.count(overlap.asked, "photo")) trained the model, \
      \(overlap.copies.count) more are copies of such photos; all figures above count them
      top-1 without leaks         \(FigureText.percent(shares.leakFree.value)) of \(shares.leakFree.asked) \
      (95 % interval \(FigureText.percent(interval.lower)) to \(FigureText.percent(interval.upper)))
      top-1 of the leaks          \(FigureText.percent(shares.leaking.value)) of \(shares.leaking.asked)
      """
  }
}

import ArgumentParser
import Cupola
import CupolaTraining

/// What to do about photos to measure with that trained the model.
struct LeakOptions: ParsableArguments {
  @Flag(help: "Measure also with photos that trained the model, and show what that does.")
  var allowLeaks = false

  /// - Parameter training: photos that perhaps trained the model, to find crops of them.
  /// - Throws: ``TrainingError/leaks(path:photos:asked:example:)`` unless they are allowed.
  func check(
    _ asked: [LabelledPhoto], in path: String, beside training: [LabelledPhoto],
    against model: Model, _ common: CommonOptions
  ) async throws -> TrainingOverlap {
    let progress = Progress(
      "looking for leaks", total: asked.count + training.count, quiet: common.quiet)
    let overlap = await TrainingOverlap(
      of: asked, beside: training, with: model.provenance, decoder: common.decoder,
      threads: common.threads
    ) { progress.update($0) }
    if !overlap.isKnown {
      Console.note(
        "note: the model does not say which photos trained it; such photos would flatter it")
    }
    if let example = overlap.example, !allowLeaks {
      throw TrainingError.leaks(
        path: path, photos: overlap.kinds.count, asked: overlap.asked, example: example)
    }
    return overlap
  }

  /// The figures with and without leaks, to be added to others; empty without leaks.
  static func text(_ leaks: LeakReport?, asked: Int) -> String {
    guard let leaks else { return "" }
    func row(_ title: String, _ share: Double?, _ photos: Int, _ interval: [Double]) -> String {
      title + FigureText.percent(share) + " of \(photos) (95 % interval "
        + interval.map(FigureText.percent).joined(separator: " to ") + ")"
    }
    var lines = [
      "LEAKS: \(leaks.same) of \(FigureText.count(asked, "photo")) trained the model, \(leaks.copies) more "
        + "are copies and \(leaks.crops) crops of such photos; all figures above count them",
      row(
        "top-1 without leaks         ", leaks.top1LeakFree, leaks.photosLeakFree,
        leaks.top1LeakFreeInterval),
      row(
        "top-1 of the leaks          ", leaks.top1Leaking, leaks.photosLeaking,
        leaks.top1LeakingInterval),
    ]
    if let difference = leaks.top1Difference, let interval = leaks.top1DifferenceInterval {
      let ends = interval.map { Format.decimal(100 * $0, digits: 1) }.joined(separator: " to ")
      lines.append(
        "leaks less the others       \(Format.decimal(100 * difference, digits: 1)) points "
          + "(95 % interval \(ends))")
    }
    return "\n\n" + lines.joined(separator: "\n")
  }
}

import ArgumentParser
import Cupola
import CupolaTraining

/// What to do about photos to measure with that trained the model.
struct LeakOptions: ParsableArguments {
  @Flag(help: "Measure also with photos that trained the model, and show what that does.")
  var allowLeaks = false

  /// - Parameters:
  ///   - path: where the photos are, for the message.
  ///   - training: photos that perhaps trained the model, to find crops of them.
  /// - Throws: ``TrainingError/leaks(path:photos:asked:example:)`` unless they are allowed.
  func check(
    _ seen: SeenPhotos, in path: String, beside training: [LabeledPhoto],
    against model: Model, _ common: CommonOptions
  ) async throws -> TrainingOverlap {
    let progress = Progress(
      "looking for leaks", total: training.count, quiet: common.quiet || training.isEmpty)
    let overlap = await TrainingOverlap(
      of: seen, beside: training, with: model, decoder: common.decoder,
      threads: common.threads
    ) { progress.update($0) }
    if !overlap.isKnown {
      Console.note(
        "note: the model does not say which photos trained it; such photos would flatter it")
    } else if !overlap.knowsPictures {
      let place = training.isEmpty ? "not looked for" : "looked for only beside those in \(path)"
      Console.note(
        "note: the model has no hashes of the photos that trained it; their copies and crops are \(place), and would "
          + "flatter it")
    }
    if let example = overlap.doubtful.first {
      Console.note(
        "note: \(FigureText.count(overlap.doubtful.count, "photo")) of \(overlap.asked), such as \(example), "
          + "may be a crop of a training photo, or taken from the very same spot; look at it")
    }
    if let example = overlap.example, !allowLeaks {
      throw TrainingError.leaks(
        path: path, photos: overlap.found.count, asked: overlap.asked, example: example)
    }
    return overlap
  }
}

import ArgumentParser
import CupolaTraining

/// What a table of photos may list.
struct TableOptions: ParsableArguments {
  @Flag(help: "Accept a split.csv that lists photos outside of its folder.")
  var allowOutside = false

  /// The photos of a folder of `--negatives`.
  ///
  /// - Throws: ``TrainingError/noPhotos(path:)`` where it has nothing: whoever named it would not learn that it adds none.
  func negatives(in folder: String) throws -> PhotoSet {
    let set = try PhotoSet(negatives: folder, allowOutside: allowOutside)
    guard !(set.photos.isEmpty && set.skipped.isEmpty) else {
      throw TrainingError.noPhotos(path: folder)
    }
    return set
  }
}

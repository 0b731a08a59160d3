import ArgumentParser
import Cupola
import CupolaTraining

// 1. List the new photos: in folders by building, or in any other folders.
// 2. Compare them with the held-out training photos of the model.
// 3. Print the result.

extension Check {
  /// Compares new photos with a model (`cupola check --model`).
  func compare(with path: String) async throws {
    let model = try await ExitStatus.reporting(about: path) { try Model(contentsOf: path) }
    var set = try PhotoSet(root: photos, splitFile: split, allowOutside: tables.allowOutside)
    if set.photos.isEmpty {
      set = try PhotoSet(negatives: photos, allowOutside: tables.allowOutside)
    }
    guard !set.photos.isEmpty else { throw set.noPhotos(in: photos) }
    let progress = Progress("checking", total: set.photos.count, quiet: common.quiet)
    let check = try await DriftCheck(
      of: set, model: model, decoder: common.decoder, threads: common.threads,
      progress: { progress.update($0) })
    if json {
      try Console.print(json: check.json(folder: photos, model: path))
    } else {
      Console.print(check.text(folder: photos))
    }
    for file in check.skipped { Console.error("\(file.name): \(file.message)") }
    if !check.skipped.isEmpty { throw ExitStatus.someFailed }
  }
}

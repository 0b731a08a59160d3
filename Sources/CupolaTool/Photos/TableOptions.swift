import ArgumentParser
import Cupola
import CupolaTraining

/// What a table of photos may list.
struct TableOptions: ParsableArguments {
  @Flag(help: "Accept a split.csv that lists photos outside of its folder.")
  var allowOutside = false

  /// The photos of a folder, and those of a folder of `--negatives`; tells what is left out of them.
  ///
  /// - Parameter split: the table of `--split`, which may well list some of the photos.
  /// - Throws: `ValidationError` where all photos are negatives, too, and what listing throws.
  func sets(
    in folder: String, split: String?, negatives: String?
  ) throws -> (photos: PhotoSet, negatives: PhotoSet?) {
    let all = try PhotoSet(root: folder, splitFile: split, allowOutside: allowOutside)
    if split == nil { tellUnlisted(of: all, but: negatives) }
    guard let negatives else { return (all, nil) }
    var others = try self.negatives(in: negatives)
    let set = all.without(photosIn: negatives)
    let left = all.photos.count - set.photos.count
    guard left == 0 || !set.photos.isEmpty else {
      throw ValidationError("All photos of \(folder) lie in --negatives \(negatives).")
    }
    if left > 0 {
      // Else test photos would train because they are no buildings.
      others = others.divided(as: all)
      Console.note(
        "note: \(FigureText.count(left, "photo")) of \(folder) in \(negatives) count as negatives only"
      )
    }
    return (set, others)
  }

  /// The photos of a folder of `--negatives`.
  ///
  /// - Throws: ``TrainingError/noPhotos(path:)`` where it has nothing: whoever named it would not learn that it adds none.
  private func negatives(in folder: String) throws -> PhotoSet {
    let set = try PhotoSet(negatives: folder, allowOutside: allowOutside)
    guard !(set.photos.isEmpty && set.skipped.isEmpty) else {
      throw TrainingError.noPhotos(path: folder)
    }
    return set
  }

  private static let flag = "--allow-outside"

  /// A table that was written once does not know what came later.
  private func tellUnlisted(of set: PhotoSet, but negatives: String?) {
    let table = set.root + "/split.csv"
    guard Directory.exists(table) else { return }
    let photos = set.unlisted(but: negatives)
    guard !photos.isEmpty else { return }
    let folders = Set(photos.map { $0.name.split(separator: "/").dropLast() }).count
    let words = [set.root, "-o", table].map(ShellWord.quoted) + (allowOutside ? [Self.flag] : [])
    // What somebody wrote by hand, cupola split would only replace by force, and deal anew.
    let cure =
      SplitTable.mayReplace(table)
      ? "cupola split \(words.joined(separator: " ")) takes them in" : "add a row for each"
    Console.note(
      "warning: \(FigureText.count(photos.count, "photo")) of \(FigureText.count(folders, "folder")) "
        + "\(photos.count == 1 ? "is" : "are") not in \(table), which rules here; \(cure)")
  }

  /// What to say of a building of which no photo trained a model.
  static func onlyTested(_ label: String, _ model: Model) -> String {
    let start = "\(label) has only test photos: "
    guard let other = meant(by: label, model) else {
      return start + "it counts as an unknown building"
    }
    return start
      + "cupola evaluate takes it for a misspelled \(other), unless they have the split test_unknown"
  }

  /// The building that ``TrainingError/check(_:in:against:)`` takes a label for.
  static func meant(by label: String, _ model: Model) -> String? {
    let buildings = model.labels.buildings.map { model.labels.names[$0] }
    return MisspelledLabel.all(of: [label], known: buildings).first?.meant
  }
}

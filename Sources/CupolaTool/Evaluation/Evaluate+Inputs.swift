import ArgumentParser

/// Options that say nothing to what is measured.
extension Evaluate {
  /// Whether no option says which photos of a folder are meant.
  private var choosesNothing: Bool {
    split == nil && negatives == nil && part == .test && !tables.allowOutside
  }

  /// Refuses what is not about recorded frames, which are looked at one after the other.
  ///
  /// - Throws: `ValidationError`.
  func checkSequences() throws {
    guard photos == nil, predictions == nil, shards.isEmpty, reports.isEmpty, choosesNothing,
      !leaks.allowLeaks, !matrix, common.threadsAsked == nil
    else {
      throw ValidationError(
        "--sequences has figures of its own: no photos, parts, shards, leaks, reports and what they compute, --threads or "
          + "--matrix.")
    }
  }

  /// Refuses what is about a folder of photos, where there is none.
  ///
  /// - Throws: `ValidationError`.
  func checkPredictions() throws {
    guard choosesNothing, !common.lenient, reports.cacheOptions.folder == nil else {
      throw ValidationError(
        "Shards say of which photos they are, and none is read: leave out --split, --part, --negatives, --allow-outside, "
          + "--lenient and --cache, or name PHOTOS.")
    }
  }
}

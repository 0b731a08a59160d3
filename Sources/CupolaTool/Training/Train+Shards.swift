import ArgumentParser

extension Train {
  /// Refuses a training without photos and shards, and what says nothing to shards.
  ///
  /// - Throws: `ValidationError`.
  func checkShards() throws {
    guard shards != nil else {
      throw ValidationError("Name the folder of photos, or that of shards with --features.")
    }
    if preset != nil || seed != nil || split != nil || negatives != nil || common.lenient
      || tables.allowOutside
    {
      throw ValidationError(
        "Shards have their photos, recipe and seed: leave out --preset, --seed, --split, --negatives, "
          + "--allow-outside and --lenient.")
    }
  }
}

import ArgumentParser

extension Preset {
  /// Refuses a size of features that have none, rather than to pass it over.
  static func check(_ preset: Preset?, of kind: FeatureKind?) throws {
    guard preset == nil || kind != .hog else {
      throw ValidationError("--preset is of fisher: leave it out with --features hog.")
    }
  }
}

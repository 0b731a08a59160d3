import ArgumentParser
import Cupola
import CupolaTraining

/// Where features are kept between trainings.
struct CacheOptions: ParsableArguments {
  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp(
      "Where features are kept for the next training (default: ~/.cache/cupola).",
      valueName: "folder"))
  var folder: String?

  @Flag(help: "Compute all features anew and keep none.")
  var noCache = false

  // Else the current folder would be filled.
  func validate() throws { try PhotoArguments.checkPaths([folder]) }

  /// The cache asked for; `nil` when none is wanted or there is no place for one.
  ///
  /// A folder that cannot be written is no reason to fail: it is told, and what is there is used.
  func cache() -> FeatureCache? {
    guard !noCache, let folder = folder ?? Self.usualFolder else { return nil }
    let cache = FeatureCache(folder: folder)
    do {
      try cache.prepare()
    } catch {
      Console.note("warning: no features are kept: \(error)")
    }
    return cache
  }

  /// Tells that not all features were kept, as where a disk is full, once the work is done.
  static func tellFailure(of cache: FeatureCache?) {
    // What could not even be begun was told then.
    guard let cache, let failure = cache.failure, (try? cache.prepare()) != nil else { return }
    Console.note("warning: not all features are kept in \(cache.folder): \(failure.problem)")
  }

  /// By the XDG base directory specification, which has relative paths ignored.
  private static var usualFolder: String? {
    func folder(_ name: String) -> String? {
      Console.environment(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return folder("XDG_CACHE_HOME").map { $0 + "/cupola" }
      ?? folder("HOME").map { $0 + "/.cache/cupola" }
  }
}

import ArgumentParser
import Cupola
import CupolaTraining

// 1. Delete the least recently used files, or all of them, if requested.
// 2. Print the folder, its size and its limit.

struct CacheCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cache",
    abstract: "Show or clear the feature cache.",
    discussion: """
      Training, evaluation and cupola features store the features of photos in a cache, so that the next run is faster. \
      They delete the least recently used files if the cache is larger than its limit. Models do not depend on the cache.

      EXAMPLES
        cupola cache
        cupola cache --shrink 500
        cupola cache --clear
      """)

  @Option(
    name: .customLong("cache"),
    help: ArgumentHelp("Feature cache folder. (default: ~/.cache/cupola)", valueName: "folder"))
  var folder: String?

  @Option(
    help: ArgumentHelp(
      "Delete the least recently used files beyond this size, in MB.", valueName: "size"))
  var shrink: Int?

  @Flag(help: "Delete all cached files.")
  var clear = false

  func validate() throws {
    try PhotoArguments.checkPaths([folder])
    try reject(if: clear && shrink != nil, "use --clear or --shrink, not both")
    if let shrink, !(0...1_000_000_000).contains(shrink) {
      throw ValidationError("--shrink must be 0 to 1000000000 MB, not \(shrink)")
    }
  }

  func run() throws {
    guard let folder = folder ?? CacheOptions.usualFolder else {
      throw ValidationError("no cache folder: HOME is not set; use --cache")
    }
    let cache = FeatureCache(folder: folder)
    let before = cache.usage
    if clear || shrink != nil {
      var smaller = cache
      smaller.limit = (shrink ?? 0) * Self.megabyte
      smaller.trim()
    }
    let now = cache.usage
    if before.files > now.files {
      let files = FigureText.count(before.files - now.files, "file")
      Console.print(line: "deleted \(files), \(Self.size(before.bytes - now.bytes))")
    }
    Console.print(
      line: "\(folder): \(FigureText.count(now.files, "file")), \(Self.size(now.bytes)) "
        + "(limit \(Self.size(Double(cache.limit))))")
  }

  private static let megabyte = 1_000_000

  static func size(_ bytes: Double) -> String {
    let megabytes = bytes / Double(megabyte)
    return megabytes < 1000
      ? FigureText.decimal(megabytes, digits: 1) + " MB"
      : FigureText.decimal(megabytes / 1000, digits: 1) + " GB"
  }
}

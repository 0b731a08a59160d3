import ArgumentParser
import Cupola
import CupolaTraining

// 1. Group photos that are nearly identical.
// 2. Assign each group to training or test.
// 3. Write the table, and warn about buildings with too few sessions.

struct SplitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Split photos into training and test photos.",
    discussion: """
      Writes a table (path,label,split,group) in which no test photo is nearly identical to a training photo. The \
      following photos stay together: identical files, copies (re-encoded, resized, mirrored, or cropped to 80% or \
      more), bursts, and photos taken from the same position in the same direction. The photos are not changed. If the \
      table exists, its labels, groups, test_unknown photos and additional columns are kept, and new photos are added.

      EXAMPLE
        cupola split photos -o photos/split.csv
      """)

  @Argument(help: "Photo folder.", completion: .directory)
  var photos: String

  @Option(name: .shortAndLong, help: "Table to write.", completion: .file(extensions: ["csv"]))
  var output: String

  @Option(help: "Fraction of each building's photos to use for testing.")
  var test = 0.2

  @Option(help: "Random seed.")
  var seed: UInt64 = 0

  @Flag(help: "Replace a table that cupola split did not write.")
  var force = false

  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, output])
    try OutputFile.checkIsFile(output, for: "tables")
    try ensure(test > 0 && test < 1, "--test must be more than 0 and less than 1, not \(test)")
  }

  func run() async throws {
    try FileAccess.checkFolder(of: output)
    let table = try SplitTable(replacing: output, force: force)
    let set = try PhotoSet(
      dividing: photos, replacing: output, allowOutside: tables.allowOutside)
    guard !set.photos.isEmpty else { throw set.noPhotos(in: photos) }
    TableOptions.warnOfLayout(set)
    try OutputFile.check(output, isNotAmong: set.photos.map { $0.path })
    let reading = Progress("reading", total: set.photos.count, quiet: common.quiet)
    let comparing = Progress("comparing", total: set.photos.count, quiet: common.quiet)
    let split = await AutomaticSplit(
      of: set.photos, share: test, seed: seed, decoder: common.decoder, threads: common.threads,
      progress: { reading.update($0) }, comparing: { comparing.update($0) })
    guard split.skipped.count < set.photos.count else {
      throw TrainingError.noUsablePhotos(path: photos, failures: set.photos.count)
    }
    try FileAccess.write(Array(table.text(of: split).utf8), to: output)
    Console.print(line: summary(split))
    for label in split.undivided {
      Console.note(
        "warning: \(label) has no test photos, because all of its photos are in one group; "
          + "take some on another day")
    }
    if let scarcity = scarcity(split) { Console.note("warning: " + scarcity) }
    if split.kept > 0 {
      Console.note(
        "note: kept \(FigureText.count(split.kept, "row")) of unreadable photos; delete the rows of photos that no "
          + "longer exist")
    }
    let skipped = set.skipped + split.skipped
    for file in skipped { Console.error("\(file.name): \(file.message)") }
    if !skipped.isEmpty { throw ExitStatus.someFailed }
  }

  private func scarcity(_ split: AutomaticSplit) -> String? {
    let few = split.oneSession
    guard !few.isEmpty else { return nil }
    let buildings = Set(split.photos.map(\.label)).count { !Labels.isBackground($0) }
    return "\(few.count) of \(FigureText.count(buildings, "building")) "
      + "\(few.count == 1 ? "has" : "have") only one session left for training: \(Format.list(few)); take photos "
      + "on another day, or train without the table if you do not need test photos"
  }

  private func summary(_ split: AutomaticSplit) -> String {
    let tests = split.photos.count { $0.split != .train }
    let groups = Set(split.photos.compactMap(\.group)).count
    return "\(output): \(FigureText.count(split.photos.count - tests, "training photo")), "
      + "\(FigureText.count(tests, "test photo")), in \(FigureText.count(groups, "group"))"
  }
}

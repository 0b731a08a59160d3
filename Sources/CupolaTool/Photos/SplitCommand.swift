import ArgumentParser
import Cupola
import CupolaTraining

// 1. Group photos that show nearly the same.
// 2. Assign whole groups to training or test.
// 3. Write the table, and warn of buildings with too few sessions.

struct SplitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Divides photos into those to train and those to measure with.",
    discussion: """
      Writes a table path,label,split,group in which no test photo is nearly a training photo: equal \
      files, copies (saved again, made smaller, mirrored, cropped to 80 % or more), bursts and photos \
      from one place in one direction stay together. Photos are only read. Where a \
      table is written anew, its labels, its groups, its test_unknown photos and columns that others added \
      stay, and new photos are taken in.

      EXAMPLE
        cupola split photos -o photos/split.csv
      """)

  @Argument(help: "The folder of photos.", completion: .directory)
  var photos: String

  @Option(name: .shortAndLong, help: "The table to write.", completion: .file(extensions: ["csv"]))
  var output: String

  @Option(help: "The share of each building's photos to measure with.")
  var test = 0.2

  @Option(help: "Seed of which photos these are.")
  var seed: UInt64 = 0

  @Flag(help: "Replace a table that cupola split did not write.")
  var force = false

  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, output])
    try OutputFile.checkIsNoStream(output, for: "tables")
    try ensure(test > 0 && test < 1, "--test must be more than 0 and less than 1, not \(test).")
  }

  func run() async throws {
    try FileAccess.checkFolder(of: output)
    let table = try SplitTable(replacing: output, force: force)
    let set = try PhotoSet(
      dividing: photos, replacing: output, allowOutside: tables.allowOutside)
    guard !set.photos.isEmpty else { throw TrainingError.noLabelFolders(path: photos) }
    try OutputFile.check(output, isNoneOf: set.photos.map { $0.path })
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
        "warning: all photos of \(label) train: nothing parts them; take some on another day")
    }
    if let scarcity = scarcity(split) { Console.note("warning: " + scarcity) }
    if split.kept > 0 {
      Console.note(
        "note: \(FigureText.count(split.kept, "row")) of photos that cannot be read stayed; delete those of "
          + "photos that are gone")
    }
    let skipped = set.skipped + split.skipped
    for file in skipped { Console.error("\(file.name): \(file.message)") }
    if !skipped.isEmpty { throw ExitStatus.someFailed }
  }

  /// Which buildings have too few sessions for training and test, if any.
  private func scarcity(_ split: AutomaticSplit) -> String? {
    let few = split.oneSession
    guard !few.isEmpty else { return nil }
    let buildings = Set(split.photos.map(\.label)).count { !Labels.isBackground($0) }
    return "one session only is left to train \(few.count) of "
      + "\(FigureText.count(buildings, "building")) with: \(Format.list(few)); take photos on one more day, or "
      + "train without the table where no test is needed"
  }

  private func summary(_ split: AutomaticSplit) -> String {
    let tests = split.photos.count { $0.split != .train }
    let groups = Set(split.photos.compactMap(\.group)).count
    return "\(output): \(split.photos.count - tests) to train, \(tests) to measure with; "
      + "\(FigureText.count(groups, "group")) kept together"
  }
}

import ArgumentParser
import Cupola
import CupolaTraining

// 1. Group photos that are nearly identical, and assign each group to training or test.
// 2. Write the table, and warn about buildings with too few sessions.
// 3. Do the same with the folder of non-building photos.

struct SplitCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "split",
    abstract: "Split photos into training and test photos.",
    discussion: """
      Writes a table (path,label,split,group) in which no test photo is nearly identical to a training photo. The \
      photos of a session stay together: photos of a building without a pause of more than five minutes, identical \
      files, copies (re-encoded, resized, mirrored, or cropped to 80% or more), and photos taken from the same position \
      in the same direction. The column group contains the sessions. The photos are not changed.

      If the table exists, its rows are kept as you edited them, and new photos are added. Rows follow photos that were \
      moved, and are removed with photos that were deleted. If related photos are then both in training and in test, \
      they are assigned again. With --test or --seed, all test photos are chosen again.

      With --negatives, the same is done for a folder of non-building photos; its table is DIR/split.csv. Without --test \
      and --seed, its test photos are those that cupola train sets aside if there is no table.

      With --unknown, all photos of a building are test photos, to measure how the model answers photos of a building \
      that it was not trained on. The table keeps this.

      EXAMPLES
        cupola split photos -o photos/split.csv
        cupola split photos -o photos/split.csv --unknown chapel
        cupola split photos -o photos/split.csv --negatives streets
      """)

  @Argument(help: "Photo folder.", completion: .directory)
  var photos: String

  @Option(name: .shortAndLong, help: "Table to write.", completion: .file(extensions: ["csv"]))
  var output: String

  @Option(
    help: ArgumentHelp("Folder of non-building photos to split as well.", valueName: "dir"),
    completion: .directory)
  var negatives: String?

  @Option(
    help: ArgumentHelp(
      "Building to use only for testing, as an unknown building (test_unknown).", valueName: "label"
    ))
  var unknown: [String] = []

  @Option(help: "Fraction of each building's photos to use for testing. (default: 0.2)")
  var test: Double?

  @Option(help: "Random seed. (default: 0)")
  var seed: UInt64?

  @Flag(help: "Replace a file that is not a split table.")
  var force = false

  @OptionGroup var tables: TableOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    try PhotoArguments.checkPaths([photos, output, negatives])
    try OutputFile.checkIsFile(output, for: "tables")
    if let negatives {
      try reject(
        if: OutputFile.areSame(output, negatives + "/split.csv"),
        "--output is the table of --negatives \(negatives); choose another file")
    }
    if let test {
      try ensure(test > 0 && test < 1, "--test must be more than 0 and less than 1, not \(test)")
    }
  }

  func run() async throws {
    try FileAccess.checkFolder(of: output)
    let table = try SplitTable(replacing: output, force: force)
    var all = try PhotoSet(
      dividing: photos, replacing: output, allowOutside: tables.allowOutside, anew: isAnew)
    for label in unknown {
      try ensure(
        all.testAsUnknown(label), "--unknown \(label): no building of \(photos) has this label")
    }
    let set = negatives.map(all.without(photosIn:)) ?? all
    guard !set.photos.isEmpty else { throw set.noPhotos(in: photos) }
    TableOptions.warnOfLayout(set)
    let others = try negatives.map { try OtherPhotos($0, self) }
    for path in [output, others?.path].compactMap(\.self) {
      let inputs = (set.photos + (others?.photos.photos ?? [])).map { $0.path }
      try OutputFile.check(path, isNotAmong: inputs)
    }
    var tasks = [(set: set, table: table, path: output)]
    if let others { tasks.append((others.photos, others.table, others.path)) }
    var splits: [AutomaticSplit] = []
    for (number, task) in tasks.enumerated() {
      splits.append(try await split(task.set, asTraining: number > 0 && !isAnew))
    }
    for (task, split) in zip(tasks, splits) {
      let text = task.table.text(of: split, missing: task.set.missing)
      try FileAccess.write(Array(text.utf8), to: task.path)
      report(split, to: task.path, task.set.missing)
    }
    let skipped = tasks.flatMap(\.set.skipped) + splits.flatMap(\.skipped)
    for file in skipped { Console.error("\(file.name): \(file.message)") }
    if !skipped.isEmpty { throw ExitStatus.someFailed }
  }

  /// A folder of non-building photos and its table.
  private struct OtherPhotos {
    let photos: PhotoSet
    let table: SplitTable
    var path: String { photos.root + "/split.csv" }

    init(_ folder: String, _ command: SplitCommand) throws {
      photos = try PhotoSet(
        dividingNegatives: folder, allowOutside: command.tables.allowOutside, anew: command.isAnew)
      guard !photos.photos.isEmpty else { throw TrainingError.noPhotos(path: folder) }
      table = try SplitTable(replacing: photos.root + "/split.csv", force: command.force)
    }
  }

  /// Whether to choose the test photos again instead of keeping those of the table.
  private var isAnew: Bool { test != nil || seed != nil }

  private func split(_ set: PhotoSet, asTraining: Bool) async throws -> AutomaticSplit {
    let reading = Progress("reading", total: set.photos.count, quiet: common.quiet)
    let comparing = Progress("comparing", total: set.photos.count, quiet: common.quiet)
    let split = await AutomaticSplit(
      of: set.photos, share: test ?? 0.2, seed: seed ?? 0, asTraining: asTraining,
      decoder: common.decoder, threads: common.threads,
      progress: { reading.update($0) }, comparing: { comparing.update($0) })
    guard split.skipped.count < set.photos.count else {
      throw TrainingError.noUsablePhotos(path: set.root, failures: set.photos.count)
    }
    return split
  }

  private func report(_ split: AutomaticSplit, to path: String, _ missing: MissingPhotos) {
    Console.print(line: summary(split, path))
    if let changes = missing.text { Console.note("note: " + changes) }
    if let untimed = untimed(split, path) { Console.note("note: " + untimed) }
    if let single = single(split) { Console.note("warning: " + single) }
    if let scarcity = scarcity(split) { Console.note("warning: " + scarcity) }
    if let advice = advice(split, path) { Console.note("  -> " + advice) }
    if let example = split.moved.first {
      Console.note(
        "note: moved \(FigureText.count(split.moved.count, "photo")) between training and test, such as \(example): "
          + "related photos stay together, and each label needs both")
    }
    if split.kept > 0 {
      Console.note("note: kept \(FigureText.count(split.kept, "row")) of unreadable photos")
    }
  }

  /// Labels that cannot be tested, because `cupola split` never divides a group.
  private func single(_ split: AutomaticSplit) -> String? {
    let labels = split.undivided
    guard !labels.isEmpty else { return nil }
    let all = Set(split.photos.filter { $0.split != .testUnknown }.map(\.label))
    let noun = all.contains(where: Labels.isBackground) ? "label" : "building"
    return
      "\(labels.count) of \(FigureText.count(all.count, noun)) cannot be tested, because a split would separate "
      + "related photos: \(labels.text)"
  }

  private func scarcity(_ split: AutomaticSplit) -> String? {
    let few = split.oneSession
    guard !few.isEmpty else { return nil }
    let known = split.photos.filter { $0.split != .testUnknown }
    let buildings = Set(known.map(\.label)).count { !Labels.isBackground($0) }
    return "\(few.count) of \(FigureText.count(buildings, "building")) "
      + "\(few.count == 1 ? "has" : "have") training photos from too few sessions or days, so training may be unable to "
      + "calibrate the percentages: \(few.text)"
  }

  private func advice(_ split: AutomaticSplit, _ path: String) -> String? {
    let scarce = split.undivided + split.oneSession
    guard !scarce.isEmpty else { return nil }
    return scarce.advice(deleting: path)
      + (split.oneSession.isEmpty
        ? ""
        : "; until then, you can have either a test or calibrated percentages: to calibrate, delete \(path)")
  }

  private func untimed(_ split: AutomaticSplit, _ path: String) -> String? {
    let all = split.photos.count { !Labels.isBackground($0.label) }
    guard split.untimed > 0 else { return nil }
    let photos = FigureText.count(all, "building photo")
    let lack = AutomaticSplit.lackOfTime(hasNamedSessions: split.hasNamedSessions)
    let count =
      split.untimed == all
      ? "none of \(photos) has a capture time" : "\(split.untimed) of \(photos) have \(lack)"
    return "\(count): " + AutomaticSplit.adviceForUntimed(table: path)
  }

  /// The numbers of test photos of the buildings; empty if there are none.
  private func perBuilding(_ split: AutomaticSplit) -> String {
    let tests = split.photos.filter { $0.split == .test && !Labels.isBackground($0.label) }
    let counts = Dictionary(grouping: tests, by: \.label).values.map(\.count)
    guard let least = counts.min(), let most = counts.max() else { return "" }
    return ", \(least == most ? "\(least)" : "\(least) to \(most)") of each building"
  }

  private func summary(_ split: AutomaticSplit, _ path: String) -> String {
    let tests = split.photos.count { $0.split != .train }
    func sessions(_ isTest: Bool) -> String {
      let own = split.photos.filter { ($0.split != .train) == isTest }
      return FigureText.count(Set(own.compactMap(\.group)).count, "session")
    }
    return
      "\(path): \(FigureText.count(split.photos.count - tests, "training photo")) in \(sessions(false)), "
      + "\(FigureText.count(tests, "test photo")) in \(sessions(true))\(perBuilding(split))"
  }
}

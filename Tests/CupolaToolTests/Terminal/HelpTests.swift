import CupolaTestSupport
import Testing

@testable import CupolaTool

@Suite("Help")
struct HelpTests {
  private let folder: TemporaryFolder

  private static let commands = [
    "", "import", "check", "split", "features", "train", "classify", "watch", "serve", "studio",
    "explain",
    "evaluate", "export", "verify", "campus", "campus contains", "campus check",
    "campus nearby", "campus search", "model", "cache", "benchmark", "guide", "guide build",
    "guide check",
    "guide route", "guide poi", "guide graph",
    "guide update", "guide stops", "guide departures", "guide trips", "guide tour",
    "guide tour check", "guide tour show", "guide tour simulate", "guide tour keys",
    "guide tour redeem", "journal", "journal add", "journal list", "journal delete",
    "journal confirm", "journal merge", "journal import", "journal export", "journal photos",
    "journal check", "journal compact",
  ]

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "Every command prints its help on stdout",
    arguments: commands)
  func help(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    let arguments = words + ["--help"]
    let output = try Tool.run(arguments, in: folder)
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    try expectSnapshot(output.stdout, (["help"] + words).joined(separator: "-"))
  }

  @Test("Examples fit 80 columns or continue after a backslash", arguments: commands)
  func examples(command: String) throws {
    let arguments = command.split(separator: " ").map(String.init) + ["--help"]
    let output = try Tool.run(arguments, in: folder, environment: ["COLUMNS": "80"])
    let lines = output.stdout.split(separator: "\n", omittingEmptySubsequences: false)
    let examples = lines.drop { !$0.hasPrefix("EXAMPLE") }.dropFirst().prefix { !$0.isEmpty }
    #expect(!examples.isEmpty)
    for line in examples { #expect(line.hasPrefix("  ") && line.count <= 80) }
  }

  @Test("Descriptions are wrapped to the terminal", arguments: commands)
  func wrapping(command: String) throws {
    let arguments = command.split(separator: " ").map(String.init) + ["--help"]
    let output = try Tool.run(arguments, in: folder, environment: ["COLUMNS": "80"])
    let lines = output.stdout.split(separator: "\n", omittingEmptySubsequences: false)
      .prefix { !$0.hasPrefix("USAGE: ") }
    for (line, next) in zip(lines, lines.dropFirst()) where !line.isEmpty && next.first != " " {
      let word = next.prefix { $0 != " " }
      #expect(next.isEmpty || line.count + 1 + word.count >= 80, "\(line)\n\(next)")
    }
    #expect(!lines.contains { $0.hasPrefix("  ") && $0.count > 80 })
  }

  @Test("Completions include files, folders and labels", arguments: ["bash", "zsh", "fish"])
  func completions(shell: String) throws {
    let output = try Tool.run(["--generate-completion-script", shell], in: folder)
    expectSuccess(output)
    #expect(output.stdout.contains("safetensors") && output.stdout.contains("geojson"))
    #expect(output.stdout.contains("---completion"))
  }

  @Test("Prints its version")
  func version() throws {
    let output = try Tool.run(["--version"], in: folder)
    expectSuccess(output)
    #expect(output.stdout.wholeMatch(of: /\d+\.\d+\.\d+( \([0-9a-f]+\))?\n/) != nil)
  }

  @Test(
    "Rejects invalid arguments by name",
    arguments: [
      (["train", "photos", "-o", "m", "--bogus"], "--bogus"),
      (["train", "photos"], "--output"),
      (["train", "photos", "-o", "m", "--seed", "x"], "--seed"),
      (["train", "photos", "-o", "m", "--features", "x"], "--features"),
      (["train", "photos", "-o", "m", "--weights", "int4"], "--weights"),
      (["train", "-o", "m"], "--features"),
      (["train", "-o", "m", "--features", "hog"], "--features"),
      (["train", "-o", "m", "--features", "shards", "--seed", "1"], "--seed"),
      (["features", "photos"], "--output"),
      (["features", "photos", "-o", "d", "--shard", "4/3"], "4/3"),
      (["features", "photos", "-o", "d", "--shard", "3"], "3 is not a part"),
      (["features", "photos", "--mixture", "m", "--shard", "1/2"], "require --output"),
      (["features", "photos", "--mixture", "m", "--name", "x"], "require --output"),
      (["features", "photos", "--mixture", "m", "--json"], "require --output"),
      (["features", "photos", "-o", "d", "--name", "x"], "--mixture"),
      (["features", "photos", "-o", "d", "--mixture", "m", "--name", "a/b"], "--name"),
      (
        ["features", "photos", "-o", "d", "--mixture", "m", "--name", "a", "--shard", "1/2"],
        "--shard"
      ),
      (["train", "photos", "-o", "m", "--threads", "0"], "--threads"),
      (["train", "photos", "-o", "m", "--regularization", "0"], "--regularization"),
      (["train", "photos", "-o", "m", "--regularisation", "nan"], "--regularization"),
      (["classify", "model"], "<photos>"),
      (["classify", "", "a.jpg"], "empty path"), (["classify", "m", ""], "empty path"),
      (["watch", "m", "a.jpg", ""], "empty path"), (["explain", "m", ""], "empty path"),
      (["export", "", "--format", "c", "-o", "x"], "empty path"),
      (["export", "m", "--format", "c", "-o", ""], "empty path"),
      (["train", "photos", "-o", "m", "--cache", ""], "empty path"),
      (["verify", ""], "empty path"), (["verify", "x", ""], "empty path"),
      (["train", "photos", "-o", ""], "empty path"),
      (["train", "", "-o", "m"], "empty path"),
      (["train", "photos", "-o", "m", "--negatives", ""], "empty path"),
      (["split", "photos", "-o", ""], "empty path"),
      (["check", "photos", "--campus", ""], "empty path"),
      (["import", "", "-o", "x"], "empty path"),
      (["features", "photos", "-o", ""], "empty path"),
      (["evaluate", "m", "photos", "--report", ""], "empty path"),
      (["evaluate", "m", "photos", "--compare", ""], "empty path"),
      (["explain", "m", "a.jpg", "-o", ""], "empty path"),
      (["classify", "m", "--list", ""], "empty path"),
      (["campus", "search", "", "x"], "empty path"),
      (["benchmark", ""], "empty path"),
      (["model", ""], "empty path"), (["model", "m", "-o", ""], "empty path"),
      (["classify", "m", "a.jpg", "--top", "-1"], "--top must be 0 or more, not -1"),
      (["classify", "m", "a.jpg", "--heading", "nan"], "--heading"),
      (["classify", "m", "a.jpg", "--position-error", "-1"], "--position-error must be 0 or more"),
      (
        ["explain", "m", "a.jpg", "-o", "b.jpg", "--size", "-3"],
        "--size must be 64 to 4096, not -3"
      ),
      (["classify", "m", "a.jpg", "--max-error", "0"], "--max-error must be between 0 and 1"),
      (["classify", "m", "a.jpg", "--max-error", "1"], "--max-error must be between 0 and 1"),
      (["classify", "m", "a.jpg", "--max-error", "5"], "--max-error must be between 0 and 1"),
      (["classify", "m", "a.jpg", "--max-error=-0.1"], "--max-error must be between 0 and 1"),
      (["classify", "m", "a.jpg", "--max-error", "nan"], "--max-error must be between 0 and 1"),
      (["classify", "m", "a.jpg", "--max-error", "inf"], "--max-error must be between 0 and 1"),
      (["classify", "m", "a.jpg", "--max-error", "few"], "--max-error"),
      (["classify", "m", "a.jpg", "--max-error"], "--max-error"),
      (["explain", "m", "a.jpg", "--max-error", "2"], "--max-error must be between 0 and 1"),
      (["explain", "m", "a.jpg", "--size", "300"], "--size requires --output"),
      (["classify", "m", "a.jpg", "--json", "--jsonl"], "not both"),
      (["campus", "search", "m", "x", "--json", "--jsonl"], "not both"),
      (["campus", "contains", "m", "--json", "--jsonl"], "not both"),
      (["campus", "nearby", "m", "--at", "48,10", "--json", "--jsonl"], "not both"),
      (
        ["export", "m", "--format", "c", "-o", "x", "--lenient"],
        "require --photos"
      ),
      (["export", "m", "--format", "c", "-o", "x", "--threads", "2"], "--threads, --lenient and"),
      (["campus", "check", "m", "--allow-outside"], "require --photos"),
      (
        ["train", "-o", "m", "--features", "shards", "--allow-outside"],
        "--allow-outside, --track and"
      ),
      (["evaluate", "m", "photos", "--max-error", "2"], "--max-error must be between 0 and 1"),
      (["train", "photos", "-o", "m", "--max-error", "0.1"], "--max-error"),
      (["evaluate", "m", "photos", "--part", "some"], "--part"),
      (["benchmark", "--repetitions", "0"], "--repetitions"),
      (["campus", "contains"], "<campus>"), (["campus", "contains", "m", "--at", "91,0"], "--at"),
      (["campus", "contains", "m", "--position-error", "inf"], "--position-error"),
      (["campus", "check"], "<campus>"),
      (["clasify", "m", "a.jpg"], "clasify"), (["clasify", "m"], "Did you mean cupola classify?"),
      (["guide", "bild"], "Did you mean cupola guide build?"),
      (["campus", "serch", "m", "x"], "Did you mean cupola campus search?"),
      (["journal", "lst", "visit"], "Did you mean cupola journal list?"),
      (["guide", "tour", "chek", "t"], "Did you mean cupola guide tour check?"),
      (["classify", "m", "a.jpg", "--heading", "400"], "0 to 360 degrees clockwise"),
      (["classify", "m", "a.jpg", "--at", "48.3,110.9,1"], "LAT,LON in degrees"),
      (["classify", "m", "a.jpg", "--at", "110.9,48.3"], "did you mean 48.3000,110.9000?"),
      (["benchmark", "a", "b", "c"], "not 3"),
    ])
  func usage(arguments: [String], words: String) throws {
    expectUsageError(try Tool.run(arguments, in: folder), words)
  }

  @Test(
    "Rejects invalid positions",
    arguments: ["91,0", "0,181", "48", "48,10,3", "", "48;10", "nan,0", "north,east", "inf,0", ","])
  func badPosition(at: String) throws {
    expectUsageError(try Tool.run(["classify", "m", "a.jpg", "--at", at], in: folder), "--at")
  }
}

@Suite("Negative numbers")
struct NegativeNumbersTests {
  @Test(
    "A negative number is joined to the option before it",
    arguments: [
      (["classify", "m", "--top", "-1", "x"], ["classify", "m", "--top=-1", "x"]),
      (["--noise", "-.5", "--seed", "-1e3"], ["--noise=-.5", "--seed=-1e3"]),
      (["--at", "-33.9,18.4"], ["--at", "-33.9,18.4"]), (["--top", "1"], ["--top", "1"]),
      (["--top=3", "-1"], ["--top=3", "-1"]), (["-o", "-1"], ["-o", "-1"]),
      (["--json", "-q"], ["--json", "-q"]), (["--", "--top", "-1"], ["--", "--top", "-1"]),
      (["---completion", "--top", "-1"], ["---completion", "--top", "-1"]), ([], []),
    ])
  func joined(words: [String], expected: [String]) {
    #expect(NegativeNumbers.joined(to: words) == expected)
  }
}

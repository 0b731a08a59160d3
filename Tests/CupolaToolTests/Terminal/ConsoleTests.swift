import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTool

@Suite("Console")
struct ConsoleTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 90), to: "new/arch.jpg")
    try folder.write(TinyCampus.map, to: "campus.geojson")
  }

  /// Runs a shell line in which `cupola` is the command.
  private func shell(_ line: String) throws -> Tool.Output {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", line.replacing("cupola ", with: try Tool.executable().path + " ")]
    process.currentDirectoryURL = URL(filePath: folder.path)
    process.standardInput = FileHandle.nullDevice
    return try Tool.output(of: process)
  }

  private static let commands = [
    "cupola --help", "cupola --version", "cupola help train", "cupola model m.safetensors",
    "cupola classify m.safetensors new", "cupola classify m.safetensors new --jsonl",
    "cupola campus search campus.geojson arch --json", "cupola campus check campus.geojson",
  ]

  @Test(
    "Output that cannot be written exits with 74",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"),
    arguments: commands)
  func full(command: String) throws {
    expectFailure(try shell(command + " > /dev/full"), 74, "stdout: ", "No space left on device")
  }

  @Test("A closed stdout exits with 74", arguments: commands)
  func closed(command: String) throws {
    expectFailure(try shell(command + " >&-"), 74, "stdout: ", "Bad file descriptor")
  }

  @Test("A closed pipe ends the command silently")
  func closedPipe() throws {
    for start in ["", "trap '' PIPE; "] {
      let output = try shell("(\(start)cupola help train; echo ended >&2) | true; sleep 1")
      #expect(!output.stderr.contains("cupola:"))
      #expect(output.status == 0)
    }
  }

  @Test("Ctrl-C does not end background commands")
  func ignoredInterrupt() throws {
    // The command waits for its photo when the signal arrives.
    let output = try shell(
      "mkfifo in; cupola classify m.safetensors - < in & exec 3> in; sleep 1; kill -INT $!; "
        + "cat new/arch.jpg >&3; exec 3>&-; wait $!")
    expectSuccess(output)
    #expect(output.stdout.hasPrefix("stdin: Old Arch"))
  }

  @Test(
    "Arguments that are not UTF-8 are rejected",
    arguments: [
      "cupola model m.safetensors -o $word", "cupola model m.safetensors --output=$word",
      "cupola journal add visit --text $word", "cupola watch m.safetensors new --record $word",
      "cupola classify $word new/arch.jpg",
    ])
  func invalidUTF8Arguments(command: String) throws {
    let before = try folder.contents()
    let output = try shell("word=$(printf 'B\\344cker'); " + command)
    #expect(output.status == 64 && output.stdout.isEmpty)
    #expect(output.stderr.contains("B\u{FFFD}cker\" is not valid UTF-8"), "\(output.stderr)")
    #expect(try folder.contents() == before)
  }

  @Test(
    "Photo names that are not UTF-8 are reported, others answered",
    arguments: ["$word new/arch.jpg", "new/arch.jpg $word", "-- new/arch.jpg $word"])
  func brokenPhotos(photos: String) throws {
    let output = try shell("word=$(printf '\\344.jpg'); cupola classify m.safetensors " + photos)
    #expect(output.status == 1 && output.stdout.hasPrefix("new/arch.jpg: "))
    #expect(
      output.messages == [
        "cupola: \u{FFFD}.jpg: its name is not valid UTF-8; rename it",
        "2 photos: 1 named, 1 not readable",
      ])
  }

  @Test("Usage errors are printed on stderr")
  func usage() throws {
    let output = try shell("cupola $(printf '\\033')bogus > /dev/full")
    #expect(output.status == 64)
    #expect(output.stderr.contains(#"\u{1b}"#) && !output.stderr.contains("\u{1B}"))
  }

  @Test("A rewritten line ends before the last column", arguments: [1, 2, 9, 10, 40])
  func rewriting(columns: Int) {
    for text in ["Unsure: 図書館 or 図書館", "Looking", "図書館 (90.0%)"] {
      let line = Console.rewriting(text, columns: columns).dropFirst().dropLast(3)
      #expect(WrappedText.width(line) < columns)
      #expect(text.hasPrefix(line))
    }
    #expect(Console.rewriting("図書館", columns: 6) == "\r図書\u{1B}[K")
  }

  @Test(
    "A message after a rewritten line is on its own line",
    .enabled(if: script != nil, "needs the script of util-linux"))
  func messageBehindRewritten() throws {
    try folder.write("no photo", to: "new/damaged.jpg")
    let watch = "cupola watch m.safetensors new"
    let output = try shell("TERM=xterm \(Self.script ?? "") -qec '\(watch)' /dev/null")
    let lines = output.stdout.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4 && lines.last == "", "\(output.stdout)")
    #expect(lines.first?.hasSuffix("\u{1B}[K") ?? false, "\(output.stdout)")
    #expect(lines.contains { $0.hasPrefix("cupola: new/damaged.jpg: ") }, "\(output.stdout)")
    #expect(lines.contains { $0.hasPrefix("1 frame, ") }, "\(output.stdout)")
  }

  /// The `script` command of util-linux, which provides a terminal.
  private static var script: String? {
    #if os(Linux)
      let path = "/usr/bin/script"
      return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    #else
      return nil
    #endif
  }

  @Test("Names never control the terminal")
  func hostile() throws {
    let name = "\u{1B}[2J\n\u{202E}\u{9B}"
    let shown = #"\u{1b}[2J\u{a}\u{202e}\u{9b}"#
    try folder.write(try TinyCampus.jpeg(.arch, seed: 9), to: "evil/\(name)/\(name).jpg")
    try folder.write(try TinyCampus.jpeg(.barn, seed: 8), to: "evil/barn 👩\u{200D}🔬/1.jpg")
    try folder.write("text", to: "evil/\(name)/2.jpg")
    let map = TinyCampus.map
      .replacing("Old Arch", with: #"Old\u001b[31m \u202eArch\nTwo"#)
    try folder.write(map, to: "evil.geojson")
    let model = ["train", "evil", "-o", name, "--features", "hog", "-q"]
    let runs: [(arguments: [String], words: String)] = [
      (["classify", "m.safetensors", "evil", "-q"], "evil/\(shown)/\(shown).jpg: "),
      (["classify", "m.safetensors", "\(name).jpg"], shown), (model, shown),
      (model + ["--json"], #"\u001b[2J\n\u202e\u009b"#), (["model", name], shown),
      (["evaluate", "m.safetensors", "evil", "-q"], "(did you mean \"barn\"?)"),
      (["check", "evil", "-q"], shown),
      (["split", "evil", "-o", "s\(name).csv", "-q"], shown),
      (["campus", "search", "evil.geojson", "old"], #"Old\u{1b}[31m \u{202e}Arch\u{a}Two"#),
      (["campus", "nearby", "evil.geojson", "--at", "48.005,10.01"], #"Old\u{1b}[31m"#),
      (["campus", "search", "evil.geojson", "old", "--json"], #"Old\u001b[31m \u202eArch\nTwo"#),
      (["campus", "check", "evil.geojson", "--photos", "evil", "-q"], shown),
      (["train", "evil", "-o", "e", "--features", "hog", "-q", "--campus", "evil.geojson"], shown),
      (["campus", "contains", name], shown),
      (["classify", "m.safetensors", "evil", "--top", name], shown), ([name], #"\u{1b}[2J"#),
    ]
    for (arguments, words) in runs {
      let output = try Tool.run(arguments, in: folder)
      let said = output.stdout + output.stderr
      #expect(said.contains(words), "\(arguments): \(said)")
      let steering = said.unicodeScalars.filter { scalar in
        scalar != "\n" && scalar != "\u{200D}"
          && [.control, .format].contains(scalar.properties.generalCategory)
      }
      #expect(steering.isEmpty, "\(arguments): \(said)")
      #expect(!said.split(separator: "\n").contains { $0.hasPrefix("Two") }, "\(arguments)")
    }
    let check = try Tool.run(["check", "evil", "-q"], in: folder)
    #expect(check.stdout.contains("barn 👩\u{200D}🔬"))
  }
}

@Suite("Progress bar")
struct ProgressBarTests {
  private let titles = ["classifying", "step 2 of 5, describing photos", "étapes"]

  @Test("The bar fits the terminal", arguments: [40, 60, 80, 100, 200])
  func fits(columns: Int) {
    for title in titles {
      for total in [1, 60, 3156, 1_000_000] {
        let bar = ProgressBar(title: title, total: total, columns: columns)
        for done in [0, total / 2, total] {
          for left in ["", ", 1 s left", ", 59 min 59 s left"] {
            let line = bar.line(done, left)
            #expect(line.count < columns)
            #expect(line.hasPrefix(title) && line.contains("\(done)/\(total)") || columns == 40)
          }
        }
      }
    }
  }

  @Test("The bar ends before the last column of a narrow terminal", arguments: [0, 1, 2, 20, 30])
  func narrow(columns: Int) {
    for title in titles + ["図書館図書館図書館"] {
      let bar = ProgressBar(title: title, total: 3156, columns: columns)
      #expect(WrappedText.width(bar.line(60, ", 3 s left")) <= max(0, columns - 1))
    }
  }

  @Test("The bar length depends on the terminal width")
  func width() {
    let wide = ProgressBar(title: "classifying", total: 10, columns: 100)
    #expect(
      wide.line(5, ", 3 s left")
        == "classifying [###############...............] 5/10, 3 s left")
    let usual = ProgressBar(title: "step 2 of 5, describing photos", total: 3156, columns: 80)
    #expect(
      usual.line(1578, ", 34 s left")
        == "step 2 of 5, describing photos [############.............] 1578/3156, 34 s left")
    let narrow = ProgressBar(title: "step 2 of 5, describing photos", total: 3156, columns: 50)
    #expect(narrow.line(1578, "") == "step 2 of 5, describing photos [###...] 1578/3156")
  }
}

@Suite("Remaining time")
struct RemainingTimeTests {
  private let start = ContinuousClock.now

  private func left(_ steps: [(seconds: Double, done: Int)], of total: Int) -> Duration? {
    var remaining = RemainingTime()
    for step in steps { remaining.note(step.done, at: start + .seconds(step.seconds)) }
    guard let last = steps.last else { return nil }
    return remaining.left(of: total, done: last.done, at: start + .seconds(last.seconds))
  }

  @Test("Time before the first item does not count")
  func startsLate() {
    #expect(left([(60, 1), (61, 11)], of: 111) == .seconds(10))
  }

  @Test("The estimate adapts quickly to slower work")
  func slower() throws {
    // 1,000 cached items within one second, then one per second.
    let steps = [(0.0, 1), (1.0, 1_000)] + (1...40).map { (1.0 + Double($0), 1_000 + $0) }
    #expect(try #require(left(steps, of: 1_140)) == .seconds(100))
  }

  @Test("There is no estimate in the first second or at the end")
  func silent() {
    #expect(left([], of: 10) == nil)
    #expect(left([(5, 1)], of: 10) == nil)
    #expect(left([(0, 1), (0.5, 2)], of: 10) == nil)
    #expect(left([(0, 1), (2, 1)], of: 10) == nil)
    #expect(left([(0, 1), (2, 10)], of: 10) == nil)
  }
}

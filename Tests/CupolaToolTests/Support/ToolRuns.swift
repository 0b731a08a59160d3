import CupolaTestSupport
import Foundation
import Testing

/// Runs the `cupola` executable that was built with the tests.
enum Tool {
  struct Output {
    /// The exit code or the signal that ended the process.
    let status: Int32
    let wasKilled: Bool
    let stdout: String
    let stderr: String

    var messages: [String] { stderr.split(separator: "\n").map(String.init) }

    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(stdout.utf8)) }
    func jsonLines() throws -> [[String: Any]] {
      try stdout.split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
    }
  }

  /// A cache of features and fits shared by all tests; tests that need fresh results use `--no-cache`.
  private static let cache = Result { try TemporaryFolder() }

  private final class Marker {}

  static func executable() throws -> URL {
    let folders = [
      URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent(),
      Bundle(for: Marker.self).bundleURL.deletingLastPathComponent(), Bundle.main.bundleURL,
      Bundle.main.bundleURL.deletingLastPathComponent(),
    ]
    let tools = folders.map { $0.appending(path: "cupola") }
    return try #require(
      tools.first { FileManager.default.isExecutableFile(atPath: $0.path) },
      "cupola is missing next to the tests; build it with: swift build -c release --product cupola")
  }

  /// A process that has not started, with empty stdin and 100 columns.
  static func process(
    _ arguments: [String], in folder: TemporaryFolder, environment others: [String: String] = [:]
  ) throws -> Process {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    environment["COLUMNS"] = "100"
    environment["HOME"] = nil
    environment["XDG_CACHE_HOME"] = try cache.get().path
    process.environment = environment.merging(others) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Background processes of scripts inherit an ignored SIGINT.
    signal(SIGINT, SIG_DFL)
    return process
  }

  static func run(
    _ arguments: [String], in folder: TemporaryFolder, input: String? = nil,
    environment: [String: String] = [:]
  ) throws -> Output {
    let process = try process(arguments, in: folder, environment: environment)
    let place = try TemporaryFolder()
    defer { withExtendedLifetime(place) {} }
    if let input {
      let file = try place.write(input, to: "stdin")
      process.standardInput = try FileHandle(forReadingFrom: URL(filePath: file))
    }
    return try output(of: process)
  }

  static func output(of process: Process) throws -> Output {
    let (data, messages) = (Pipe(), Pipe())
    process.standardOutput = data
    process.standardError = messages
    try process.run()
    // Messages fit the pipe's buffer, so the pipes can be read one after the other.
    let stdout = data.fileHandleForReading.readDataToEndOfFile()
    let stderr = messages.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Output(
      status: process.terminationStatus,
      wasKilled: process.terminationReason == .uncaughtSignal,
      stdout: String(decoding: stdout, as: UTF8.self),
      stderr: String(decoding: stderr, as: UTF8.self))
  }
}

/// Expects a failure with an exit code and a one-line message that contains some words.
func expectFailure(
  _ output: Tool.Output, _ status: Int32, _ words: String...,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(!output.wasKilled, "killed by signal \(output.status)", sourceLocation: sourceLocation)
  #expect(output.status == status, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(output.messages.count == 1, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(output.stderr.hasPrefix("cupola: "), sourceLocation: sourceLocation)
  for word in words {
    #expect(
      output.stderr.contains(word), "\"\(word)\" in \(output.stderr)",
      sourceLocation: sourceLocation)
  }
}

func expectSuccess(
  _ output: Tool.Output, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(output.status == 0, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(!output.wasKilled, sourceLocation: sourceLocation)
}

/// Expects a usage error.
func expectUsageError(
  _ output: Tool.Output, _ words: String, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(output.status == 64, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(output.stdout.isEmpty, sourceLocation: sourceLocation)
  #expect(output.stderr.contains(words), "\(output.stderr)", sourceLocation: sourceLocation)
}

/// Expects that only `stray.jpg` was skipped, with exit code 1 and in JSON.
func expectStray(
  _ output: Tool.Output, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  #expect(output.status == 1, sourceLocation: sourceLocation)
  #expect(output.messages.count == 1, "\(output.stderr)", sourceLocation: sourceLocation)
  #expect(
    output.stderr.hasPrefix("skipped: stray.jpg: not in a label folder"),
    sourceLocation: sourceLocation)
  let summary = try #require(
    try output.json() as? [String: Any], sourceLocation: sourceLocation)
  let skipped = summary["skipped"] as? [[String: String]]
  #expect(skipped?.map { $0["photo"] } == ["stray.jpg"], sourceLocation: sourceLocation)
}

/// Compares a text with a file in Snapshots; `RECORD_SNAPSHOTS=1` records it instead, and the test fails.
func expectSnapshot(
  _ text: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Snapshots/\(name).txt")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try Data(text.utf8).write(to: file)
    Issue.record("recorded \(file.path)", sourceLocation: sourceLocation)
    return
  }
  let expected = try? String(contentsOf: file, encoding: .utf8)
  #expect(
    text == expected, "differs from \(file.path); RECORD_SNAPSHOTS=1 records it again",
    sourceLocation: sourceLocation)
}

/// A partial clone with some scripts and a fake `swift`.
struct ScriptFolder {
  let folder: TemporaryFolder

  init(scripts: [String]) throws {
    folder = try TemporaryFolder()
    for name in scripts {
      let script = Repository.root.appending(path: name)
      try program(String(contentsOf: script, encoding: .utf8), "a clone/\(name)")
    }
    let swift = #"""
      #!/bin/sh
      echo "${SWIFT_DETERMINISTIC_HASHING-}" >>hashing
      case "$*" in *--show-bin-path) echo "$PWD/programs" ;; esac
      """#
    try program(swift, "bin/swift")
    try program("#!/bin/sh\n", "bin/pkg-config")
  }

  func program(_ text: String, _ name: String) throws {
    try folder.write(program: text, to: name)
  }

  func run(
    _ script: String, _ arguments: [String], environment others: [String: String] = [:]
  ) throws -> Tool.Output {
    let process = Process()
    process.executableURL = URL(filePath: folder.path("a clone/\(script)"))
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = folder.path("bin") + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["SWIFT_DETERMINISTIC_HASHING"] = nil
    process.environment = environment.merging(others) { $1 }
    return try Tool.output(of: process)
  }

  /// The hashing setting of each `swift` call.
  var hashing: Set<String> {
    let told = FileManager.default.contents(atPath: folder.path("a clone/hashing")) ?? Data()
    return Set(String(decoding: told, as: UTF8.self).split(separator: "\n").map(String.init))
  }
}

enum SampleMap {
  static func path() -> String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "TrainingData/campus.geojson").path
  }
}

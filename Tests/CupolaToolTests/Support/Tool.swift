import CupolaTestSupport
import Foundation
import Testing

/// Runs the command `cupola` that was built beside the tests.
enum Tool {
  /// What a run of the command left.
  struct Output {
    /// The exit code, or the number of the signal that ended it.
    let status: Int32
    let wasKilled: Bool
    /// Data.
    let stdout: String
    /// Messages.
    let stderr: String

    /// The messages line by line.
    var messages: [String] { stderr.split(separator: "\n").map(String.init) }

    /// The data as JSON: one value, or one a line.
    func json() throws -> Any { try JSONSerialization.jsonObject(with: Data(stdout.utf8)) }
    func jsonLines() throws -> [[String: Any]] {
      try stdout.split(separator: "\n").map { line in
        try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
    }
  }

  private final class Marker {}

  /// The executable: beside the test bundle, whatever runs the bundle.
  static func executable() throws -> URL {
    let folders = [
      URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent(),
      Bundle(for: Marker.self).bundleURL.deletingLastPathComponent(), Bundle.main.bundleURL,
      Bundle.main.bundleURL.deletingLastPathComponent(),
    ]
    let tools = folders.map { $0.appending(path: "cupola") }
    return try #require(
      tools.first { FileManager.default.isExecutableFile(atPath: $0.path) },
      "cupola is not beside the tests; build with: swift build -c release --product cupola")
  }

  /// A run that has not begun; stdin is empty, the terminal has 100 columns.
  static func process(
    _ arguments: [String], in folder: TemporaryFolder, environment others: [String: String] = [:]
  ) throws -> Process {
    let process = Process()
    process.executableURL = try executable()
    process.arguments = arguments
    process.currentDirectoryURL = URL(filePath: folder.path)
    var environment = ProcessInfo.processInfo.environment
    environment["COLUMNS"] = "100"
    // Without a home nothing is cached unless a test asks for it.
    environment["HOME"] = nil
    environment["XDG_CACHE_HOME"] = nil
    process.environment = environment.merging(others) { $1 }
    process.standardInput = FileHandle.nullDevice
    // Where the tests run in the background of a script, they and what they run ignore Ctrl-C.
    signal(SIGINT, SIG_DFL)
    return process
  }

  /// Runs the command in a folder until it ends.
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

  /// Runs a process until it ends.
  static func output(of process: Process) throws -> Output {
    let (data, messages) = (Pipe(), Pipe())
    process.standardOutput = data
    process.standardError = messages
    try process.run()
    // Messages fit the pipe's buffer, so that one can be read after the other.
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

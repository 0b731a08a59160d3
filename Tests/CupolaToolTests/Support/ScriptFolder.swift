import CupolaTestSupport
import Foundation

/// A clone with nothing but some scripts, and with a `swift` that builds nothing: its programs are those of the test.
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

  /// Writes a program.
  func program(_ text: String, _ name: String) throws {
    let path = try folder.write(text, to: name)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
  }

  /// Runs a script of the clone from another folder.
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

  /// What `swift` was told of hashing, call by call.
  var hashing: Set<String> {
    let told = FileManager.default.contents(atPath: folder.path("a clone/hashing")) ?? Data()
    return Set(String(decoding: told, as: UTF8.self).split(separator: "\n").map(String.init))
  }
}

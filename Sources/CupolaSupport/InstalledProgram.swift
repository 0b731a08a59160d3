#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Find programs in the folders of PATH.
// 2. Run a program without a shell and without input, in its own process group.
// 3. Wait until it ends, and kill it after a time limit.

/// Programs that may be installed on this computer.
package enum InstalledProgram {
  /// Returns the path of a program; ignores relative folders in PATH.
  package static func find(_ name: String) -> String? { all([name]).first }

  /// Returns the paths of all programs with the names, in the order of PATH and then of other folders.
  package static func all(_ names: [String], beyondPath others: [String] = []) -> [String] {
    let folders = (variable("PATH")?.split(separator: ":").map(String.init) ?? []) + others
    return folders.filter { $0.hasPrefix("/") }
      .flatMap { folder in names.map { "\(folder)/\($0)" } }
      .filter { unsafe access($0, X_OK) == 0 && !Directory.isDirectory($0) }
  }

  package static func variable(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The environment variables for programs.
  package static var variables: [String] {
    ["PATH", "HOME", "LANG", "LD_LIBRARY_PATH"].compactMap { name in
      variable(name).map { "\(name)=\($0)" }
    }
  }

  /// Runs a program; returns whether it succeeded.
  ///
  /// - Parameters:
  ///   - command: The program's path and its arguments.
  ///   - messages: The path of the file for its messages.
  ///   - seconds: The time limit.
  ///   - started: Receives the number of the process.
  package static func run(
    _ command: [String], environment: [String] = variables, messages: String, seconds: Int,
    started: (Int32) -> Void = { _ in }
  ) -> Bool {
    #if os(tvOS) || os(watchOS)
      return false  // these systems start no other programs
    #else
      // swift-subprocess 1.0.2 would save 7 lines but add two packages to every build.
      let texts = unsafe command.map { unsafe strdup($0) } + [nil]
      let environment = unsafe environment.map { unsafe strdup($0) } + [nil]
      defer { unsafe (texts + environment).forEach { unsafe free($0) } }
      #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        var attributes: posix_spawnattr_t?
      #else
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
      #endif
      unsafe posix_spawnattr_init(&attributes)
      defer { unsafe posix_spawnattr_destroy(&attributes) }
      unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      for (file, mode) in [(STDIN_FILENO, O_RDONLY), (STDOUT_FILENO, O_WRONLY)] {
        unsafe posix_spawn_file_actions_addopen(&actions, file, "/dev/null", mode, 0)
      }
      unsafe posix_spawn_file_actions_addopen(
        &actions, STDERR_FILENO, messages, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      var process: pid_t = 0
      guard let program = command.first,
        unsafe posix_spawn(&process, program, &actions, &attributes, texts, environment) == 0
      else {
        return false
      }
      started(process)
      return wait(for: process, seconds: seconds)
    #endif
  }

  private static func wait(for process: pid_t, seconds: Int) -> Bool {
    var status: Int32 = 0
    for _ in 0..<seconds * 100 {
      let ended = unsafe waitpid(process, &status, WNOHANG)
      if ended == process { return status == 0 }
      if ended < 0, errno != EINTR { return false }
      usleep(10_000)
    }
    kill(-process, SIGKILL)
    _ = unsafe waitpid(process, &status, 0)
    return false
  }

  /// The first line of a program's messages, after ": "; empty if there is none.
  package static func firstLine(of messages: String) -> String {
    guard let size = try? FileAccess.size(of: messages),
      let bytes = try? FileAccess.read(messages, bytes: 0..<min(size, 4096)),
      let line = bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }).first
    else { return "" }
    return ": " + String(String(decoding: line, as: UTF8.self).prefix(200))
  }
}

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
  package static func run(_ command: [String], messages: String, seconds: Int) -> Bool {
    let process = start(command, environment: variables, messages: messages)
    return process.map { wait(for: $0, seconds: seconds) } ?? false
  }

  /// Starts a program in its own process group, with the default reactions to signals.
  ///
  /// - Parameters:
  ///   - command: The program's path and its arguments.
  ///   - output: The path of the file for its output.
  ///   - messages: The path of the file for its messages.
  /// - Returns: The number of the process; `nil` if it cannot be started.
  package static func start(
    _ command: [String], environment: [String], output: String = "/dev/null", messages: String
  ) -> Int32? {
    #if os(tvOS) || os(watchOS)
      return nil  // these systems start no other programs
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
      unsafe posix_spawnattr_setflags(
        &attributes, Int16(POSIX_SPAWN_SETPGROUP) | Int16(POSIX_SPAWN_SETSIGDEF))
      unsafe posix_spawnattr_setpgroup(&attributes, 0)
      // Servers ignore these signals and handle them otherwise; programs would inherit that.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      for number in [SIGINT, SIGTERM, SIGPIPE] { unsafe sigaddset(&signals, number) }
      unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
      unsafe posix_spawn_file_actions_init(&actions)
      defer { unsafe posix_spawn_file_actions_destroy(&actions) }
      unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
      for (file, path) in [(STDOUT_FILENO, output), (STDERR_FILENO, messages)] {
        unsafe posix_spawn_file_actions_addopen(
          &actions, file, path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      }
      closeFilesWhenProgramsStart()
      var process: pid_t = 0
      guard let program = command.first,
        unsafe posix_spawn(&process, program, &actions, &attributes, texts, environment) == 0
      else {
        return nil
      }
      return process
    #endif
  }

  /// Programs would otherwise keep the sockets of a server open after it has ended.
  private static func closeFilesWhenProgramsStart() {
    for file in STDERR_FILENO + 1..<1024 { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
  }

  /// The exit code of a program that was started, or 128 plus the signal that ended it; `nil` while it runs.
  package static func exitCode(of process: Int32) -> Int32? {
    var status: Int32 = 0
    let ended = unsafe waitpid(process, &status, WNOHANG)
    if ended == 0 || ended < 0 && errno == EINTR { return nil }
    guard ended == process else { return 127 }
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Sends a signal to a program and the programs that it started.
  package static func signal(_ process: Int32, _ number: Int32) { kill(-process, number) }

  /// Waits for a program, and kills it after the time limit; returns whether it succeeded.
  package static func wait(for process: Int32, seconds: Int) -> Bool {
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

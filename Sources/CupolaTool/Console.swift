#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What the command says: data on stdout, messages on stderr.
enum Console {
  /// Writes data, with a line feed.
  static func print(_ text: String) { write(text + "\n", to: STDOUT_FILENO) }

  /// Writes a message for people.
  static func note(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

  /// Writes what went wrong.
  static func error(_ text: String) { note("cupola: " + text) }

  /// Writes to stderr as it is, for progress.
  static func progress(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Whether people watch stderr in a terminal that can redraw a line.
  static var showsProgressBar: Bool {
    isatty(STDERR_FILENO) == 1 && environment("TERM") != "dumb"
  }

  /// Columns of the terminal; 100 where the output goes elsewhere.
  static var width: Int {
    var size = winsize()
    if unsafe ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return max(40, Int(size.ws_col))
    }
    return environment("COLUMNS").flatMap { Int($0) }.map { max(40, $0) } ?? 100
  }

  /// Ctrl-C ends the command at once with code 130; files are only ever replaced whole.
  static func exitOnInterrupt() { signal(SIGINT) { _ in _exit(130) } }

  /// A variable of the environment, if it is set.
  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  private static func write(_ text: String, to file: Int32) {
    let bytes = Array(text.utf8)
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = unsafe buffer.baseAddress.map { unsafe $0 + written }
        #if canImport(Darwin)
          let part = unsafe Darwin.write(file, rest, buffer.count - written)
        #else
          let part = unsafe Glibc.write(file, rest, buffer.count - written)
        #endif
        if part < 0, errno != EINTR { return }
        written += max(0, part)
      }
    }
  }
}

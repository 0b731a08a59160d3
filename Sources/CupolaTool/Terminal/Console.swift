import ArgumentParser
import Cupola
import CupolaExport
import CupolaGuide
internal import CupolaGuideBuilder
import CupolaTraining
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Write data to stdout and messages to stderr. Escape control characters.
// 2. End the command if a write fails, and with code 130 on Ctrl-C.
// 3. Print an error as one line that includes the file's path, and return its exit code.

enum Console {
  /// Prints text and a line feed, with control characters escaped.
  static func print(_ text: String) { output(VisibleText.lines(text)) }

  /// Prints text. If nothing could be written, calls `undo` before the command ends.
  static func print(_ text: String, orUndo undo: () -> Void) {
    // Otherwise, a closed pipe would end the process before `undo` is called.
    signal(SIGPIPE, SIG_IGN)
    output(VisibleText.lines(text), orUndo: undo)
  }

  /// Prints text on one line, with line feeds escaped.
  static func print(line: String) { output(VisibleText.line(line)) }

  /// Prints records as a JSON array, as JSON lines, or as lines of text.
  static func print<Record>(
    _ records: [Record], json: Bool, jsonl: Bool = false, object: (Record) -> JSONObject,
    line: (Record) -> String
  ) throws {
    if json, !jsonl { return try print(json: records.map(object)) }
    for record in records {
      if jsonl { print(try JSONObject.text(object(record))) } else { print(line: line(record)) }
    }
  }

  static func print(json value: some Encodable) throws {
    print(try JSONObject.text(value, pretty: true))
  }

  /// Replaces the terminal's current line with text truncated to its width. Requires ``redrawsOutput``.
  static func rewrite(_ text: String) {
    output(rewriting(text, columns: columns(of: STDOUT_FILENO)), end: "")
    isLineOpen.withLock { $0 = true }
  }

  static func endLine() {
    let wasOpen = isLineOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { output("") }
  }

  private static let isLineOpen = Locked(false)

  static func rewriting(_ text: String, columns: Int) -> String {
    // A line that fills the last column would wrap, and could not be replaced.
    "\r" + WrappedText.beginning(of: VisibleText.line(text), columns: columns - 1) + "\u{1B}[K"
  }

  static var redrawsOutput: Bool { redraws(STDOUT_FILENO) }

  /// Prints a message to stderr on a separate line.
  static func note(_ text: String) {
    endLine()
    write(VisibleText.line(text) + "\n", to: STDERR_FILENO)
  }

  static func error(_ text: String) { note("cupola: " + text) }

  static func progress(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Prints help or a usage error. Help that the user requested goes to stdout, everything else to stderr.
  static func usage(_ text: String, asked: Bool) {
    let text = UsageText.wrapped(text, to: helpColumns)
    // Completion scripts contain tabs, which must not be escaped.
    if asked { output(text) } else { write(VisibleText.lines(text) + "\n", to: STDERR_FILENO) }
  }

  /// Opens `/dev/null` for each closed standard stream, so that no other file gets its descriptor.
  static func reserveStandardStreams() {
    for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(file, F_GETFD) < 0 {
      // Open it read-only, so that writing to a closed stdout still fails.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  static var showsProgressBar: Bool { redraws(STDERR_FILENO) }

  private static func redraws(_ file: Int32) -> Bool {
    isatty(file) == 1 && environment("TERM") != "dumb"
  }

  static var width: Int { max(40, columns(of: STDOUT_FILENO)) }

  /// Returns a terminal's width in columns; `COLUMNS` if it is not a terminal; otherwise 100.
  static func columns(of file: Int32) -> Int {
    windowColumns(of: file) ?? environmentColumns ?? 100
  }

  /// The width in columns to which ArgumentParser wraps help.
  private static var helpColumns: Int {
    environmentColumns ?? windowColumns(of: STDOUT_FILENO) ?? 80
  }

  private static var environmentColumns: Int? {
    environment("COLUMNS").flatMap { Int($0) }.map { max(1, $0) }
  }

  private static func windowColumns(of file: Int32) -> Int? {
    var size = winsize()
    guard unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// Makes Ctrl-C end the command with code 130. No cleanup is needed, because writes are atomic.
  static func exitOnInterrupt() {
    if !ignores(SIGINT) { signal(SIGINT) { _ in _exit(130) } }
  }

  /// Makes Ctrl-C and SIGTERM run `undo` and end the command with code 130 or 143.
  static func exitOnInterrupt(after undo: @escaping @Sendable () -> Void) {
    onInterrupt { number in
      undo()
      _exit(128 + number)
    }
  }

  /// Calls `body` with the signal's number on Ctrl-C and SIGTERM, also as the first process of a container.
  static func onInterrupt(_ body: @escaping @Sendable (Int32) -> Void) {
    // A queue of its own gets a thread even if all threads of the global queue are busy.
    let queue = DispatchQueue(label: "signals")
    for number in [SIGINT, SIGTERM] where !ignores(number) {
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler { withExtendedLifetime(source) { body(number) } }
      source.resume()
    }
  }

  /// Ignores a signal. Returns whether it was already ignored, as in background jobs.
  private static func ignores(_ number: Int32) -> Bool {
    let before = signal(number, SIG_IGN)
    return unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// The arguments that are not valid UTF-8, with invalid bytes replaced as in `CommandLine.arguments`.
  static var invalidUTF8Arguments: [String] {
    (0..<Int(CommandLine.argc)).compactMap { number in
      guard let word = unsafe CommandLine.unsafeArgv[number],
        unsafe String(validatingCString: word) == nil
      else { return nil }
      return unsafe String(cString: word)
    }
  }

  private static func output(_ text: String, end: String = "\n", orUndo undo: () -> Void = {}) {
    let (written, failure) = write(text + end, to: STDOUT_FILENO)
    if failure == 0 { return }
    if written == 0 { undo() }
    // The reader closed the pipe, so end like the default SIGPIPE handler.
    if failure == EPIPE {
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    } else {
      error("\(FileError.cannotWrite(path: "stdout", code: failure))")
    }
    exit(ExitStatus.inputOutput.rawValue)
  }

  /// - Returns: The number of bytes written, and 0 or `errno`.
  @discardableResult
  private static func write(_ text: String, to file: Int32) -> (written: Int, failure: Int32) {
    let bytes = Array(text.utf8)
    return unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let rest = unsafe buffer.baseAddress.map { unsafe $0 + written }
        #if canImport(Darwin)
          let part = unsafe Darwin.write(file, rest, buffer.count - written)
        #else
          let part = unsafe Glibc.write(file, rest, buffer.count - written)
        #endif
        if part < 0, errno == EAGAIN {
          wait(for: file)
        } else if part < 0, errno != EINTR {
          return (written, errno)
        }
        written += max(0, part)
      }
      return (written, 0)
    }
  }

  /// Waits until a non-blocking terminal can accept more bytes.
  private static func wait(for file: Int32) {
    var place = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&place, 1, -1)
  }
}

enum Format {
  static func entries(_ number: Int) -> String { number == 1 ? "1 entry" : "\(number) entries" }

  static func meters(_ meters: Double) -> String {
    meters < 10_000
      ? FigureText.decimal(meters, digits: 1) + " m"
      : FigureText.decimal(meters / 1000, digits: 1) + " km"
  }
}

/// The command's exit codes, based on sysexits.h.
enum ExitStatus {
  static let someFailed = ExitCode(1)
  static let gateFailed = ExitCode(2)
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let cannotWrite = ExitCode(73)
  static let inputOutput = ExitCode(74)

  static func code(of error: any Error) -> ExitCode {
    switch error {
    case CupolaError.file(let file), TrainingError.file(let file), ExportError.file(let file),
      GuideError.file(let file), MapReadError.unreadable(let file):
      code(of: file)
    case FileError.cannotRead(_, let code):
      [ENOENT, EACCES, EPERM, EISDIR, ENOTDIR, ELOOP, EINVAL].contains(code)
        ? noInput : inputOutput
    case FileError.notAFile, FileError.nameNotUTF8, FileError.notDownloaded: noInput
    case FileError.cannotWrite, FileError.notReplaceable, FileError.noFolder: cannotWrite
    case FileError.tooLarge, is CampusError, is MapFile.Failure: badData
    case CupolaError.unknownLabel, CupolaError.noOtherLabel: .validationFailure
    case CupolaError.missingLibrary, TrainingError.unusable(.missingLibrary),
      ExportError.webCompiler:
      inputOutput
    case is CupolaError: badData
    case is ValidationError: .validationFailure
    case TrainingError.nothingFound, ExportError.notAnExport: noInput
    case ExportError.inTheWay, TrainingError.blocked, is JournalExportFolder.NotAnExport:
      cannotWrite
    case ExportError.model(let error): code(of: error)
    case GuideError.noGuide: noInput
    case GuideError.inTheWay, GuideError.busy: cannotWrite
    case GuideError.nothingFits, GuideError.nothingNear, GuideError.noWay,
      GuideError.passkeyRefused:
      someFailed
    case GuideError.fetchFailed, GuideError.canceled: inputOutput
    case is TrainingError, is ExportError, is GuideError, is MapReadError: badData
    default: inputOutput
    }
  }

  /// Runs `body`. If it throws, prints the error as one line and throws its exit code instead.
  static func reporting<Result>(
    about subject: String?, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch { throw reported(error, about: subject) }
  }

  static func reported(_ error: any Error, about subject: String? = nil) -> any Error {
    // Exit codes for errors that are already printed, and requests for help.
    if error is ExitCode || CupolaTool.exitCode(for: error).isSuccess { return error }
    Console.error(line(error, about: subject))
    return code(of: error)
  }

  static func line(_ error: any Error, about subject: String?) -> String {
    switch error {
    case CupolaError.file(let file), TrainingError.file(let file), ExportError.file(let file),
      GuideError.file(let file), MapReadError.unreadable(let file):
      line(file, about: subject)
    case ExportError.model(let error): line(error, about: subject)
    case FileError.cannotRead, FileError.cannotWrite, FileError.notAFile,
      FileError.nameNotUTF8, FileError.notReplaceable, FileError.noFolder, FileError.notDownloaded,
      CupolaError.unknownLabel, CupolaError.noOtherLabel, CupolaError.missingLibrary,
      is TrainingError, ExportError.inTheWay, ExportError.notAnExport:
      "\(error)"
    default: subject.map { "\($0): \(error)" } ?? "\(error)"
    }
  }
}

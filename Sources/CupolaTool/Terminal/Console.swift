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

// 1. Data goes to stdout, messages go to stderr, both with control characters made visible.
// 2. Failed writes end the command; Ctrl-C ends it with code 130.
// 3. An error becomes one line that names its file, and an exit code.

/// What the command says: data on stdout, messages on stderr.
enum Console {
  /// Writes data, with a line feed; what would steer a terminal stands there as its number.
  static func print(_ text: String) { output(VisibleText.lines(text)) }

  /// The same of data that are nowhere else: when none of it arrives, something is undone before the command ends.
  static func print(_ text: String, orUndo undo: () -> Void) {
    // Else who closed the other end of a pipe would end the command before.
    signal(SIGPIPE, SIG_IGN)
    output(VisibleText.lines(text), orUndo: undo)
  }

  /// Writes data on one line, whatever is in it.
  static func print(line: String) { output(VisibleText.line(line)) }

  /// Writes records: an array of JSON, a line of JSON each, or a line of text each.
  static func print<Record>(
    _ records: [Record], json: Bool, jsonl: Bool = false, object: (Record) -> JSONObject,
    line: (Record) -> String
  ) throws {
    if json, !jsonl { return try print(json: records.map(object)) }
    for record in records {
      if jsonl { print(try JSONObject.text(object(record))) } else { print(line: line(record)) }
    }
  }

  /// Writes JSON over several lines.
  static func print(json value: some Encodable) throws {
    print(try JSONObject.text(value, pretty: true))
  }

  /// Writes a line of data over the one before, as much of it as the terminal has room for; only for a terminal, see
  /// ``redrawsOutput``.
  static func rewrite(_ text: String) {
    output(rewriting(text, columns: columns(of: STDOUT_FILENO)), end: "")
    isLineOpen.withLock { $0 = true }
  }

  /// Ends the line of ``rewrite(_:)``, where one stands there without its end.
  static func endLine() {
    let wasOpen = isLineOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { output("") }
  }

  /// Whether the cursor stands behind a line of ``rewrite(_:)``.
  private static let isLineOpen = Locked(false)

  /// What writes a line over the one before in a terminal of so many columns.
  static func rewriting(_ text: String, columns: Int) -> String {
    // A line that reached the last column could not be written over.
    "\r" + WrappedText.beginning(of: VisibleText.line(text), columns: columns - 1) + "\u{1B}[K"
  }

  /// Whether people watch stdout in a terminal that can redraw a line.
  static var redrawsOutput: Bool { redraws(STDOUT_FILENO) }

  /// Writes a message for people, on a line of its own.
  static func note(_ text: String) {
    endLine()
    write(VisibleText.line(text) + "\n", to: STDERR_FILENO)
  }

  static func error(_ text: String) { note("cupola: " + text) }

  /// Writes to stderr as it is, for progress.
  static func progress(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Writes how the command is used: to stdout, if that was asked for.
  static func usage(_ text: String, asked: Bool) {
    // Our own words, and scripts for shells, which have tabs.
    if asked { output(text) } else { write(VisibleText.lines(text) + "\n", to: STDERR_FILENO) }
  }

  /// Sees to it that no file that is opened later takes the place of a closed stdin, stdout or stderr.
  static func holdPlaces() {
    for file in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(file, F_GETFD) < 0 {
      // It cannot be written: who closed stdout is told so when there is something to say.
      _ = unsafe open("/dev/null", O_RDONLY)
    }
  }

  /// Whether people watch stderr in a terminal that can redraw a line.
  static var showsProgressBar: Bool { redraws(STDERR_FILENO) }

  private static func redraws(_ file: Int32) -> Bool {
    isatty(file) == 1 && environment("TERM") != "dumb"
  }

  /// Columns for tables, which need some, however narrow the terminal is.
  static var width: Int { max(40, columns(of: STDOUT_FILENO)) }

  /// Columns of the terminal that stdout or stderr is; 100 where the output goes elsewhere.
  static func columns(of file: Int32) -> Int {
    var size = winsize()
    if unsafe ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
      return Int(size.ws_col)
    }
    return environment("COLUMNS").flatMap { Int($0) }.map { max(1, $0) } ?? 100
  }

  /// Ctrl-C ends the command at once with code 130; files are only ever replaced whole.
  static func exitOnInterrupt() {
    if !ignores(SIGINT) { signal(SIGINT) { _ in _exit(130) } }
  }

  /// The same after something that no handler of a signal may do; SIGTERM ends it likewise, with 143 as shells tell it.
  static func exitOnInterrupt(after undo: @escaping @Sendable () -> Void) {
    for number in [SIGINT, SIGTERM] where !ignores(number) {
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        undo()
        // It lives as long as the command.
        withExtendedLifetime(source) { _exit(128 + number) }
      }
      source.resume()
    }
  }

  /// Has a signal ignored, and tells whether it was so already: shells have what scripts run in the background go on when
  /// Ctrl-C ends something else.
  private static func ignores(_ number: Int32) -> Bool {
    let before = signal(number, SIG_IGN)
    // Functions cannot be compared.
    return unsafe unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }

  static func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
  }

  /// Words of the command line that are no UTF-8, as Swift reads them.
  static var brokenWords: [String] {
    (0..<Int(CommandLine.argc)).compactMap { number in
      guard let word = unsafe CommandLine.unsafeArgv[number],
        unsafe String(validatingCString: word) == nil
      else { return nil }
      return unsafe String(cString: word)
    }
  }

  /// Data that do not arrive are no success: the command ends.
  private static func output(_ text: String, end: String = "\n", orUndo undo: () -> Void = {}) {
    let (written, failure) = write(text + end, to: STDOUT_FILENO)
    if failure == 0 { return }
    if written == 0 { undo() }
    // Whoever read has seen enough: the command ends as if nothing had kept the signal from it.
    if failure == EPIPE {
      signal(SIGPIPE, SIG_DFL)
      raise(SIGPIPE)
    } else {
      error("\(FileError.cannotWrite(path: "stdout", code: failure))")
    }
    exit(ExitStatus.inputOutput.rawValue)
  }

  /// - Returns: how many bytes arrived, and 0 or the system's error number.
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

  /// Until a terminal that is shared with a program that does not wait takes more.
  private static func wait(for file: Int32) {
    var place = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
    _ = unsafe poll(&place, 1, -1)
  }
}

enum Format {
  /// `1 entry`, `2 entries`.
  static func entries(_ number: Int) -> String { number == 1 ? "1 entry" : "\(number) entries" }

  /// The first three of some names, and how many more there are.
  static func list(_ names: [String]) -> String {
    let rest = names.count - listed
    return names.prefix(listed).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static let listed = 3

  /// A distance: meters below 10 km, then kilometers.
  static func meters(_ meters: Double) -> String {
    meters < 10_000
      ? FigureText.decimal(meters, digits: 1) + " m"
      : FigureText.decimal(meters / 1000, digits: 1) + " km"
  }
}

/// The exit codes of the command, after sysexits.h.
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
    case FileError.notAFile, FileError.nameNotUTF8: noInput
    case FileError.cannotWrite, FileError.notReplaceable, FileError.noFolder: cannotWrite
    case FileError.tooLarge, is CampusError, is MapFile.Failure: badData
    case CupolaError.unknownLabel, CupolaError.noOtherLabel: .validationFailure
    case CupolaError.missingLibrary, TrainingError.unusable(.missingLibrary): inputOutput
    case is CupolaError: badData
    case is ValidationError: .validationFailure
    case TrainingError.nothingFound, ExportError.noExport: noInput
    case ExportError.inTheWay, TrainingError.blocked, is JournalExportFolder.InTheWay: cannotWrite
    case ExportError.model(let error): code(of: error)
    case GuideError.noGuide: noInput
    case GuideError.inTheWay, GuideError.busy: cannotWrite
    case GuideError.nothingFits: .validationFailure
    case GuideError.nothingNear, GuideError.noWay, GuideError.passkeyRefused: someFailed
    case GuideError.fetchFailed, GuideError.canceled: inputOutput
    case is TrainingError, is ExportError, is GuideError, is MapReadError: badData
    default: inputOutput
    }
  }

  /// Runs a part of a command's work; an error becomes one line on stderr and its exit code.
  static func reporting<Result>(
    about subject: String?, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch { throw told(error, about: subject) }
  }

  /// Tells an error and returns its code.
  static func told(_ error: any Error, about subject: String? = nil) -> any Error {
    // Codes of errors that were told already, and help that was asked for.
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
      FileError.nameNotUTF8, FileError.notReplaceable, FileError.noFolder,
      CupolaError.unknownLabel, CupolaError.noOtherLabel, CupolaError.missingLibrary,
      is TrainingError, ExportError.inTheWay, ExportError.noExport:
      "\(error)"
    default: subject.map { "\($0): \(error)" } ?? "\(error)"
    }
  }
}

import ArgumentParser
import CBuild
import CMemory
import Cupola
import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Check the process limits and the encoding of the arguments.
// 2. Parse the arguments into a command.
// 3. Run the command. Print an error as one line on stderr, and set the exit code.

@main
struct CupolaTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cupola",
    abstract: "Train and use a model that recognizes the buildings on a campus.",
    discussion: """
      EXAMPLES
        cupola import DCIM -o photos
        cupola train photos -o campus.safetensors --campus campus.geojson
        cupola evaluate campus.safetensors photos
        cupola classify campus.safetensors visit.jpg

      EXIT CODES
        0    success
        1    some inputs failed; the others were processed
        2    a --require threshold was not met
        64   invalid arguments
        65   invalid data
        66   missing or unreadable input
        73   output cannot be written
        74   input or output error
        130  interrupted
      """,
    version: version,
    groupedSubcommands: [
      CommandGroup(
        name: "Train",
        subcommands: [
          Import.self, Check.self, SplitCommand.self, Train.self, Evaluate.self,
        ]),
      CommandGroup(
        name: "Use", subcommands: [Classify.self, Explain.self, Watch.self] + serverCommands),
      CommandGroup(name: "Ship", subcommands: [Export.self, Verify.self, ShowModel.self]),
      CommandGroup(
        name: "Guide", subcommands: [CampusCommand.self, GuideCommand.self, JournalCommand.self]),
      CommandGroup(
        name: "Advanced", subcommands: [Features.self, CacheCommand.self, Benchmark.self]),
    ])

  private static var serverCommands: [any ParsableCommand.Type] {
    #if Serve
      [Serve.self, Studio.self]
    #else
      []
    #endif
  }

  private static var version: String {
    let commit = unsafe String(cString: cbuild_commit())
    return commit.isEmpty ? cupolaVersion : "\(cupolaVersion) (\(commit))"
  }

  /// The existing command that is most similar to a misspelled command; `nil` if none is similar.
  private static var suggestedCommand: String? {
    var command: any ParsableCommand.Type = CupolaTool.self
    var known = "cupola"
    for word in CommandLine.arguments.dropFirst().prefix(while: { !$0.hasPrefix("-") }) {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0._commandName == word }) else {
        return closestName(to: word, subcommands.map { $0._commandName })
          .map { "\(known) \($0)" }
      }
      command = next
      known += " " + word
    }
    return nil
  }

  /// Returns the name that matches a word with the fewest typing errors (at most 2).
  private static func closestName(to word: String, _ names: [String]) -> String? {
    var errors = TypingErrors()
    let typed = word.unicodeScalars.map(\.value)
    let found = names.compactMap { name in
      errors.count(typed: typed, word: name.unicodeScalars.map(\.value), limit: 2).whole
        .map { (name: name, errors: $0) }
    }
    return found.min { $0.errors < $1.errors }?.name
  }

  private static func escapingArguments(_ message: String) -> String {
    CommandLine.arguments.filter { $0.contains(where: \.isNewline) }.reduce(message) {
      $0.replacing($1, with: VisibleText.line($1))
    }
  }

  /// Runs the command like ArgumentParser's `main()`, but prints through ``Console``.
  static func main() async {
    Console.reserveStandardStreams()
    cmemory_keep_freed()
    SystemLimits.checkFiles()
    SystemLimits.checkMemory()
    SystemLimits.checkStack()
    BLAS.startNoThreads()
    do {
      let arguments = Array(CommandLine.arguments.dropFirst())
      try InvalidUTF8Arguments.check(arguments)
      let words = NegativeNumbers.joined(to: arguments)
      var command = try await asyncParseAsRoot(words)
      if let computing = command as? any ComputingCommand {
        SystemLimits.checkMemory(
          threads: computing.computingThreads, and: computing.pictureBytes)
        if command is any FittingCommand { SystemLimits.loadLibrary() }
      }
      Console.exitOnInterrupt()
      ParentProcess.watch()
      do {
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch {
        throw ExitStatus.reported(error)
      }
    } catch {
      let code = exitCode(for: error)
      let text = escapingArguments(fullMessage(for: error))
      if !text.isEmpty { Console.usage(text, asked: code.isSuccess) }
      if code == .validationFailure, let suggestedCommand {
        Console.note("Did you mean \(suggestedCommand)?")
      }
      exit(withError: code)
    }
  }
}

/// Checks for arguments that are not valid UTF-8.
///
/// Swift replaces invalid bytes with U+FFFD, so output files would have different names.
enum InvalidUTF8Arguments {
  static let all = Set(Console.invalidUTF8Arguments)

  static func check(_ words: [String]) throws {
    // Shells pass incomplete words when they request completions.
    guard !all.isEmpty, words.first?.hasPrefix("---") != true else { return }
    for (number, word) in words.enumerated()
    where all.contains(word) && !isPhoto(number, of: words) {
      throw ValidationError(
        "\"\(word)\" is not valid UTF-8; rename the file, or use a UTF-8 terminal and locale")
    }
  }

  /// Whether an argument can be a photo: it is not the model, an option, or an option's value.
  private static func isPhoto(_ number: Int, of words: [String]) -> Bool {
    guard number > 1, [Classify._commandName, Watch._commandName].contains(words[0]) else {
      return false
    }
    return !words[number].hasPrefix("-")
      && (!words[number - 1].hasPrefix("-") || ["-", "--"].contains(words[number - 1]))
  }
}

enum NegativeNumbers {
  /// Replaces `--top` and `-1`, which ArgumentParser treats as two options, with `--top=-1`.
  static func joined(to words: [String]) -> [String] {
    // Completion requests use the positions of arguments, which joining would change.
    guard words.first?.hasPrefix("---") != true else { return words }
    var joined: [String] = []
    for (number, word) in words.enumerated() {
      if word == "--" { return joined + words[number...] }
      if let option = joined.last, option.hasPrefix("--"), !option.contains("="),
        word.hasPrefix("-"), Double(word) != nil
      {
        joined[joined.count - 1] = option + "=" + word
      } else {
        joined.append(word)
      }
    }
    return joined
  }
}

protocol ComputingCommand: AsyncParsableCommand {
  var computingThreads: Int { get }
  /// The memory for the image that the command draws, in bytes.
  var pictureBytes: Int { get }
}

extension ComputingCommand {
  var pictureBytes: Int { 0 }
}

/// A command that may train a model, and therefore loads OpenBLAS on Linux.
protocol FittingCommand: ComputingCommand {}

extension Benchmark: FittingCommand {
  var computingThreads: Int { threads ?? CommonOptions.cores }
}
extension Check: FittingCommand { var computingThreads: Int { common.threads } }
extension Classify: ComputingCommand { var computingThreads: Int { common.threads } }
extension Evaluate: FittingCommand {
  var computingThreads: Int { sequences == nil ? common.threads : 1 }
}
extension Explain: ComputingCommand {
  var computingThreads: Int { 1 }
  var pictureBytes: Int {
    output == nil ? 0 : Self.pictureBytes(side: drawnSide, photos: photos == nil ? 1 : 2)
  }

  /// Three bytes per pixel, in up to six copies: the decoded, resized and drawn photo, the rows and chunk of a PNG, and
  /// the file. The most similar training photo is drawn next to the photo.
  static func pictureBytes(side: Int, photos: Int) -> Int { 18 * side * side * photos }
}
extension Export: ComputingCommand {
  var computingThreads: Int { photos == nil ? 1 : common.threads }
}
extension Features: FittingCommand { var computingThreads: Int { common.threads } }
extension Train: FittingCommand { var computingThreads: Int { common.threads } }
extension Watch: ComputingCommand { var computingThreads: Int { 1 } }
#if Serve
  extension Serve: ComputingCommand { var computingThreads: Int { CommonOptions.cores } }
  extension Studio: ComputingCommand { var computingThreads: Int { CommonOptions.cores } }
#endif

/// Ends a command when Studio, which started it, was killed.
enum ParentProcess {
  static func watch() {
    guard let parent = Console.environment("CUPOLA_STUDIO").flatMap({ Int32($0) }) else { return }
    let timer = DispatchSource.makeTimerSource(queue: .global())
    timer.schedule(deadline: .now(), repeating: 1)
    timer.setEventHandler {
      withExtendedLifetime(timer) { if getppid() != parent { _exit(130) } }
    }
    timer.resume()
  }
}

/// Checks the process limits (`ulimit`). Below these values, libraries crash or hang without an error.
enum SystemLimits {
  /// Dispatch needs 3 files for events and otherwise crashes; the command reads 1 file at a time.
  private static let minimumFiles = 4
  /// OpenBLAS requests 128 MB per thread and retries until it succeeds.
  private static let bytesPerThread = 128 << 20
  private static let baseBytes = 128 << 20
  /// The JSON reader uses about 2 kB of stack per level and allows up to 128 levels.
  private static let stackBytes = 512 << 10

  static func checkFiles() {
    let files = (0..<minimumFiles).map { _ in dup(STDERR_FILENO) }
    for file in files where file >= 0 { close(file) }
    guard files.contains(where: { $0 < 0 }) else { return }
    end("the limit for open files is too low; raise it, for example with: ulimit -n 64")
  }

  static func checkMemory(threads: Int = 0, and more: Int = 0) {
    let threads = min(threads, 64)
    let room = baseBytes + threads * bytesPerThread + more
    if !cmemory_has_room(room) {
      let fewer =
        threads > 1 ? ", or use --threads 1" : more > 0 ? ", or reduce --size" : ""
      end(
        "less than \(room >> 20) MB of address space is available; raise the limit, for example with: "
          + "ulimit -v unlimited" + fewer)
    }
  }

  static func checkStack() {
    guard !cmemory_has_stack(stackBytes) else { return }
    end(
      "the stack limit is below \(stackBytes >> 10) kB; raise it, for example with: ulimit -s 8192")
  }

  static func loadLibrary() {
    do { try BLAS.load() } catch { end(error.message) }
  }

  /// Exits without running exit handlers, which would wait for library threads that retry forever.
  private static func end(_ problem: String) -> Never {
    Console.error(problem)
    _exit(ExitStatus.inputOutput.rawValue)
  }
}

import ArgumentParser
import CBuild
import CMemory
import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Check the limits of the process and the encoding of the arguments.
// 2. Parse the arguments into a command.
// 3. Run it; an error becomes one line on stderr and an exit code.

@main
struct CupolaTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "cupola",
    abstract: "Learns to name the buildings of a campus from photos, and names them.",
    discussion: """
      EXAMPLES
        cupola import DCIM -o photos
        cupola train photos -o campus.safetensors --campus campus.geojson
        cupola classify campus.safetensors visit.jpg
        cupola evaluate campus.safetensors photos

      EXIT CODES
        0 answered
        1 some inputs failed, the rest were processed
        2 a figure that --require asks for was missed
        64 usage
        65 bad data
        66 no input
        73 cannot write
        74 input or output error
        130 interrupted
      """,
    version: version,
    subcommands: [
      Import.self, Check.self, SplitCommand.self, Features.self, Train.self, Classify.self,
      Watch.self,
    ] + serving + [
      Explain.self, Evaluate.self, Export.self, Verify.self, CampusCommand.self,
      GuideCommand.self, JournalCommand.self, ShowModel.self, Benchmark.self,
    ])

  private static var serving: [any ParsableCommand.Type] {
    #if Serve
      [Serve.self]
    #else
      []
    #endif
  }

  /// The version, with the commit if the build has it: `0.1.0 (0123abc)`.
  private static var version: String {
    let commit = unsafe String(cString: cbuild_commit())
    return commit.isEmpty ? cupolaVersion : "\(cupolaVersion) (\(commit))"
  }

  /// The command that the user probably meant, if the first arguments name none.
  private static var meantCommand: String? {
    var command: any ParsableCommand.Type = CupolaTool.self
    var known = "cupola"
    for word in CommandLine.arguments.dropFirst().prefix(while: { !$0.hasPrefix("-") }) {
      let subcommands = command.configuration.subcommands
      guard let next = subcommands.first(where: { $0._commandName == word }) else {
        return meant(by: word, subcommands.map { $0._commandName }).map { "\(known) \($0)" }
      }
      command = next
      known += " " + word
    }
    return nil
  }

  /// The name that matches a word with the fewest typing errors, at most 2.
  private static func meant(by word: String, _ names: [String]) -> String? {
    var errors = TypingErrors()
    let typed = word.unicodeScalars.map(\.value)
    let found = names.compactMap { name in
      errors.count(typed: typed, word: name.unicodeScalars.map(\.value), limit: 2).whole
        .map { (name: name, errors: $0) }
    }
    return found.min { $0.errors < $1.errors }?.name
  }

  /// A message in which quoted arguments with line feeds are shown on one line.
  private static func onOneLineEach(_ message: String) -> String {
    CommandLine.arguments.filter { $0.contains(where: \.isNewline) }.reduce(message) {
      $0.replacing($1, with: VisibleText.line($1))
    }
  }

  /// Like ArgumentParser's `main()`, but prints through ``Console``.
  static func main() async {
    Console.holdPlaces()
    cmemory_keep_freed()
    SystemLimits.checkFiles()
    SystemLimits.checkMemory()
    SystemLimits.checkStack()
    BLAS.startNoThreads()
    do {
      let asTyped = Array(CommandLine.arguments.dropFirst())
      try BrokenWords.check(asTyped)
      let words = NegativeNumbers.joined(to: asTyped)
      var command = try await asyncParseAsRoot(words)
      if let computing = command as? any ComputingCommand {
        SystemLimits.checkMemory(threads: computing.computingThreads)
        if command is any FittingCommand { SystemLimits.loadLibrary() }
      }
      Console.exitOnInterrupt()
      do {
        if var command = command as? any AsyncParsableCommand {
          try await command.run()
        } else {
          try command.run()
        }
      } catch {
        throw ExitStatus.told(error)
      }
    } catch {
      let code = exitCode(for: error)
      let text = onOneLineEach(fullMessage(for: error))
      if !text.isEmpty { Console.usage(text, asked: code.isSuccess) }
      if code == .validationFailure, let meant = meantCommand {
        Console.note("Did you mean \(meant)?")
      }
      exit(withError: code)
    }
  }
}

/// Arguments that are not UTF-8, as terminals with other encodings pass them.
///
/// Swift replaces invalid bytes by U+FFFD, so outputs and notes would get another name than the user typed.
enum BrokenWords {
  static let all = Set(Console.brokenWords)

  /// Rejects them, except for photos, which are reported one by one.
  static func check(_ words: [String]) throws {
    // Shells request completions of incomplete words.
    guard !all.isEmpty, words.first?.hasPrefix("---") != true else { return }
    for (number, word) in words.enumerated()
    where all.contains(word) && !isPhoto(number, of: words) {
      throw ValidationError(
        "\"\(word)\" is no UTF-8; rename the file, or set terminal and locale to UTF-8.")
    }
  }

  /// Whether an argument can be a photo: not the model, an option or an option's value.
  private static func isPhoto(_ number: Int, of words: [String]) -> Bool {
    guard number > 1, [Classify._commandName, Watch._commandName].contains(words[0]) else {
      return false
    }
    return !words[number].hasPrefix("-")
      && (!words[number - 1].hasPrefix("-") || ["-", "--"].contains(words[number - 1]))
  }
}

/// Joins negative numbers with the options before them.
enum NegativeNumbers {
  /// Returns the arguments with `--top=-1` in place of `--top` and `-1`.
  ///
  /// ArgumentParser takes every word that begins with a hyphen for an option and reports a missing value, so the
  /// options' own messages about invalid numbers would never appear.
  static func joined(to words: [String]) -> [String] {
    // Completion requests count arguments by position.
    guard words.first?.hasPrefix("---") != true else { return words }
    var joined: [String] = []
    for (number, word) in words.enumerated() {
      // Arguments after -- are not options.
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
}

/// A command that may fit a model, for which OpenBLAS is loaded on Linux.
protocol FittingCommand: ComputingCommand {}

extension Benchmark: FittingCommand {
  var computingThreads: Int { threads ?? CommonOptions.cores }
}
extension Check: FittingCommand { var computingThreads: Int { common.threads } }
extension Classify: ComputingCommand { var computingThreads: Int { common.threads } }
extension Evaluate: FittingCommand {
  // Recorded frames are processed one at a time.
  var computingThreads: Int { sequences == nil ? common.threads : 1 }
}
extension Explain: ComputingCommand { var computingThreads: Int { 1 } }
extension Export: ComputingCommand {
  var computingThreads: Int { photos == nil ? 1 : common.threads }
}
extension Features: FittingCommand { var computingThreads: Int { common.threads } }
extension Train: FittingCommand { var computingThreads: Int { common.threads } }
extension Watch: ComputingCommand { var computingThreads: Int { 1 } }
#if Serve
  extension Serve: ComputingCommand { var computingThreads: Int { CommonOptions.cores } }
#endif

/// Checks process limits (`ulimit`) below which libraries crash or hang instead of reporting an error.
enum SystemLimits {
  /// Dispatch crashes unless it can open 3 files for events; the command reads 1 file at a time.
  private static let leastFiles = 4
  /// OpenBLAS requests this much for each of its threads and of ours, and retries until it succeeds; a large photo
  /// takes as much.
  private static let bytesOfThread = 128 << 20
  private static let bytesBeside = 128 << 20
  /// JSON readers take about 2 kB per level, for up to 128 levels.
  private static let bytesOfStack = 512 << 10

  static func checkFiles() {
    let files = (0..<leastFiles).map { _ in dup(STDERR_FILENO) }
    for file in files where file >= 0 { close(file) }
    guard files.contains(where: { $0 < 0 }) else { return }
    end("too few files may be open at a time; raise the limit, as by: ulimit -n 64")
  }

  static func checkMemory(threads: Int = 0) {
    let threads = min(threads, 64)
    let room = bytesBeside + threads * bytesOfThread
    if !cmemory_has_room(room) {
      let fewer = threads > 1 ? ", or try --threads 1" : ""
      end(
        "less than \(room >> 20) MB of addresses are left; raise the limit, as by: ulimit -v unlimited"
          + fewer)
    }
  }

  static func checkStack() {
    guard !cmemory_has_stack(bytesOfStack) else { return }
    end("the stack may not have \(bytesOfStack >> 10) kB; raise the limit, as by: ulimit -s 8192")
  }

  static func loadLibrary() {
    do { try BLAS.load() } catch { end(error.message) }
  }

  /// Exits at once: the libraries' exit handlers would wait for threads that retry forever.
  private static func end(_ problem: String) -> Never {
    Console.error(problem)
    _exit(ExitStatus.inputOutput.rawValue)
  }
}

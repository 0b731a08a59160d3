import ArgumentParser
import CBuild
import CMemory
import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Check the limits of the process and the words of the command line.
// 2. Parse the words into a command.
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

  /// With the commit where the build was told it: `0.1.0 (0123abc)`.
  private static var version: String {
    let commit = unsafe String(cString: cbuild_commit())
    return commit.isEmpty ? cupolaVersion : "\(cupolaVersion) (\(commit))"
  }

  /// The command that the first words perhaps were to be, when there is none of their name.
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

  /// The name that a word is with the fewest errors in typing, of at most two.
  private static func meant(by word: String, _ names: [String]) -> String? {
    var errors = TypingErrors()
    let typed = word.unicodeScalars.map(\.value)
    let found = names.compactMap { name in
      errors.count(typed: typed, word: name.unicodeScalars.map(\.value), limit: 2).whole
        .map { (name: name, errors: $0) }
    }
    return found.min { $0.errors < $1.errors }?.name
  }

  /// With arguments that hold line feeds, which are quoted in messages, each on one line.
  private static func onOneLineEach(_ message: String) -> String {
    CommandLine.arguments.filter { $0.contains(where: \.isNewline) }.reduce(message) {
      $0.replacing($1, with: VisibleText.line($1))
    }
  }

  /// As ArgumentParser's own, but all that is said goes through the console.
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

/// Words of the command line that are no UTF-8, as terminals of other encodings give them. Swift reads U+FFFD for what it
/// cannot: an output would get another name, which several share, and a note another text.
enum BrokenWords {
  static let all = Set(Console.brokenWords)

  /// Refuses them, but for photos among others, which are told one by one.
  static func check(_ words: [String]) throws {
    // Shells ask for completions of words that are not whole.
    guard !all.isEmpty, words.first?.hasPrefix("---") != true else { return }
    for (number, word) in words.enumerated()
    where all.contains(word) && !isPhoto(number, of: words) {
      throw ValidationError(
        "\"\(word)\" is no UTF-8; rename the file, or set terminal and locale to UTF-8.")
    }
  }

  /// Whether a word may be one of many photos: not the model, no option and no option's value.
  private static func isPhoto(_ number: Int, of words: [String]) -> Bool {
    guard number > 1, [Classify._commandName, Watch._commandName].contains(words[0]) else {
      return false
    }
    return !words[number].hasPrefix("-")
      && (!words[number - 1].hasPrefix("-") || ["-", "--"].contains(words[number - 1]))
  }
}

/// Negative numbers on the command line, as values of the options before them.
enum NegativeNumbers {
  /// The same words, with `--top=-1` where `--top` and `-1` stood.
  ///
  /// ArgumentParser takes every word with a hyphen before it for an option and calls the value missing: what options say
  /// of numbers that they do not take would never be read.
  static func joined(to words: [String]) -> [String] {
    // Shells ask by place which word is to be completed.
    guard words.first?.hasPrefix("---") != true else { return words }
    var joined: [String] = []
    for (number, word) in words.enumerated() {
      // Whatever stands behind -- is no option.
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

/// One that may fit something, for which OpenBLAS is loaded on Linux; answers and exports need none.
protocol FittingCommand: ComputingCommand {}

extension Benchmark: FittingCommand {
  var computingThreads: Int { threads ?? CommonOptions.cores }
}
extension Check: FittingCommand { var computingThreads: Int { common.threads } }
extension Classify: ComputingCommand { var computingThreads: Int { common.threads } }
extension Evaluate: FittingCommand {
  // Recorded frames come one after the other.
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

/// Limits of the process (`ulimit`) below which the libraries that the command stands on do not fail, but end the
/// process or ask forever.
enum SystemLimits {
  /// Dispatch ends the process where it gets none of the three files that it waits for events with; one more is for
  /// what the command reads.
  private static let leastFiles = 4
  /// OpenBLAS asks for this for each of its threads, and for each of ours, until it gets it; a large photo takes as
  /// much.
  private static let bytesOfThread = 128 << 20
  private static let bytesBeside = 128 << 20
  /// Readers of JSON take some 2 kB a level, and go 128 levels deep.
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

  /// At once: what libraries do at the end of a process would wait for the threads that ask forever.
  private static func end(_ problem: String) -> Never {
    Console.error(problem)
    _exit(ExitStatus.inputOutput.rawValue)
  }
}

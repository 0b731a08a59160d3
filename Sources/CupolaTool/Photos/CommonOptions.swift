import ArgumentParser
import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Options that every command with photos has.
struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("threads"),
    help: ArgumentHelp(
      "Photos worked on at a time (default: one a core).", valueName: "threads"))
  var threadsAsked: Int?

  @Flag(help: "Accept photos whose data end early or are damaged.")
  var lenient = false

  @Flag(name: .shortAndLong, help: "No progress.")
  var quiet = false

  /// Photos worked on at a time.
  var threads: Int { threadsAsked ?? Self.cores }

  static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  func validate() throws {
    guard (1...1024).contains(threads) else {
      throw ValidationError("--threads must be 1 to 1024, not \(threads).")
    }
  }

  /// Refuses what is about reading photos where none is read.
  ///
  /// - Parameter option: what would name some.
  /// - Throws: `ValidationError`.
  func checkUnused(with tables: TableOptions, without option: String) throws {
    guard threadsAsked == nil, !lenient, !tables.allowOutside else {
      throw ValidationError(
        "Without \(option) no photo is read: leave out --threads, --lenient and --allow-outside.")
    }
  }

  var decoder: PhotoDecoder {
    var decoder = PhotoDecoder()
    decoder.lenient = lenient
    return decoder
  }
}

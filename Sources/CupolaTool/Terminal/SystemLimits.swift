import ArgumentParser
import CMemory
import Cupola

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. Check the limits of open files, memory and stack before work starts.
// 2. End the process with a message where a library would crash or wait forever.

/// A command that computes features or classifiers.
protocol ComputingCommand: AsyncParsableCommand {
  /// Threads that do so at a time.
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
  /// What the program itself needs at the least.
  private static let bytesBeside = 128 << 20
  /// Readers of JSON take some 2 kB a level, and go 128 levels deep.
  private static let bytesOfStack = 512 << 10

  /// Ends the process with a message where too few files may be open; to be asked before anything is done.
  static func checkFiles() {
    let files = (0..<leastFiles).map { _ in dup(STDERR_FILENO) }
    for file in files where file >= 0 { close(file) }
    guard files.contains(where: { $0 < 0 }) else { return }
    end("too few files may be open at a time; raise the limit, as by: ulimit -n 64")
  }

  /// Ends the process with a message where too little memory may be had.
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

  /// Ends the process with a message where its stack may not grow to what texts that are nested take.
  static func checkStack() {
    guard !cmemory_has_stack(bytesOfStack) else { return }
    end("the stack may not have \(bytesOfStack >> 10) kB; raise the limit, as by: ulimit -s 8192")
  }

  /// Ends the process with a message where OpenBLAS cannot be loaded.
  static func loadLibrary() {
    do { try BLAS.load() } catch { end(error.message) }
  }

  /// At once: what libraries do at the end of a process would wait for the threads that ask forever.
  private static func end(_ problem: String) -> Never {
    Console.error(problem)
    _exit(ExitStatus.inputOutput.rawValue)
  }
}

#if Serve
  import ArgumentParser
  import Cupola
  import CupolaServe

  #if canImport(Darwin)
    import Darwin
  #else
    import Glibc
  #endif

  // 1. Before the server runs, Ctrl-C and SIGTERM end the command at once.
  // 2. While it runs, the first signal cancels it, so that it can close its connections. The second one ends the command.
  // 3. The exit code is 130 after Ctrl-C and 0 after SIGTERM, which is how service managers stop a server.

  /// Ends a server on Ctrl-C and SIGTERM.
  struct ServerInterruption: Sendable {
    private struct State: Sendable {
      var signal: Int32?
      var serving: Task<Void, any Error>?
    }

    private let state = Locked(State())

    /// Starts to handle signals.
    init() {
      Console.onInterrupt { [state] number in
        let serving = state.withLock { state in
          defer { state.signal = state.signal ?? number }
          return state.signal == nil ? state.serving : nil
        }
        guard let serving else { _exit(Self.exitCode(after: number)) }
        serving.cancel()
      }
    }

    /// Runs a server until a signal arrives.
    ///
    /// - Throws: `ExitCode` if the server cannot listen, and after Ctrl-C.
    func run(_ serve: @escaping @Sendable () async throws -> Void) async throws {
      // A signal must find the task, so create it under the lock.
      let serving = state.withLock { state in
        let task = Task { try await serve() }
        state.serving = task
        return task
      }
      do {
        try await serving.value
      } catch let error as BadAddress {
        Console.error("\(error)")
        throw error.isMalformed ? ExitCode.validationFailure : ExitStatus.inputOutput
      }
      let code = state.withLock { $0.signal }.map(Self.exitCode) ?? 0
      if code != 0 { throw ExitCode(code) }
    }

    private static func exitCode(after signal: Int32) -> Int32 {
      signal == SIGTERM ? 0 : 128 + signal
    }
  }
#endif

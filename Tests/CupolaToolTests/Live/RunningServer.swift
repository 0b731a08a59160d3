#if Serve
  import CupolaCampus
  import Dispatch
  import Foundation
  import NIOCore
  import NIOPosix
  import Testing

  @testable import CupolaServe

  /// A listening server for tests of the bytes on the wire.
  struct RunningServer: Sendable {
    let port: Int

    static func run(
      _ server: some HTTPService, _ body: (RunningServer) async throws -> Void
    ) async throws {
      let (ports, ready) = AsyncStream.makeStream(of: UInt16.self)
      let running = Task {
        defer { ready.finish() }
        try await server.serve { ready.yield($0) }
      }
      defer { running.cancel() }
      var port: UInt16?
      for await found in ports {
        port = found
        break
      }
      try await body(RunningServer(port: Int(try #require(port))))
    }

    /// Starts `cupola serve`. Returns the server and the line that the command prints.
    static func start(_ process: Process) throws -> (server: RunningServer, line: String) {
      let messages = Pipe()
      process.standardError = messages
      try process.run()
      let line = String(decoding: messages.fileHandleForReading.availableData, as: UTF8.self)
      let port = line.split(separator: ":").last?.split(separator: "/").first.flatMap { Int($0) }
      if port == nil { process.terminate() }
      return (RunningServer(port: try #require(port, "\(line)")), line)
    }

    /// Idle connections, opened together because concurrent tests slow down separate waits.
    func connect(times count: Int) async throws -> [any Channel] {
      let loops = MultiThreadedEventLoopGroup.singleton
      let channels = (0..<count).map { _ in
        ClientBootstrap(group: loops).connect(host: "127.0.0.1", port: port)
      }
      return try await EventLoopFuture.whenAllSucceed(channels, on: loops.any()).get()
    }

    struct Talk {
      fileprivate var incoming: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
      fileprivate let outgoing: NIOAsyncChannelOutboundWriter<ByteBuffer>
      private(set) var heard: [UInt8] = []

      var text: String { String(decoding: heard, as: UTF8.self) }

      func say(_ bytes: [UInt8]) async throws { try await outgoing.write(ByteBuffer(bytes: bytes)) }

      /// Opens a WebSocket.
      mutating func open(_ handshake: String = HTTPConnectionTests.handshake) async throws {
        try await say(Array(handshake.utf8))
        try await hear { $0.suffix(4) == [13, 10, 13, 10] }
        #expect(RunningServer.statuses(text) == [101])
      }

      /// A binary frame with a mask of zeros.
      static func frame(_ bytes: [UInt8]) -> [UInt8] {
        let length = (0..<8).map { UInt8(truncatingIfNeeded: bytes.count >> (56 - 8 * $0)) }
        return [0x82, 0xFF] + length + [0, 0, 0, 0] + bytes
      }

      func sayNoMore() { outgoing.finish() }

      /// Reads until enough bytes have arrived or the server closes.
      mutating func hear(until isEnough: ([UInt8]) -> Bool = { _ in false }) async throws {
        heard = []
        while !isEnough(heard), let bytes = try await incoming.next() {
          heard += bytes.readableBytesView
        }
      }
    }

    /// Connects and runs `body` on the clients' thread, which it must not block.
    func talk(_ body: (inout Talk) async throws -> Void) async throws {
      try await withTaskExecutorPreference(ClientExecutor.shared) {
        let connection = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
          .connect(host: "127.0.0.1", port: port) { channel in
            channel.eventLoop.makeCompletedFuture {
              try NIOAsyncChannel<ByteBuffer, ByteBuffer>(
                wrappingChannelSynchronously: channel,
                configuration: .init(isOutboundHalfClosureEnabled: true))
            }
          }
        try await connection.executeThenClose { incoming, outgoing in
          var talk = Talk(incoming: incoming.makeAsyncIterator(), outgoing: outgoing)
          try await body(&talk)
        }
      }
    }

    /// The response until the server closes.
    func ask(_ text: String) async -> String {
      var heard = ""
      try? await talk { talk in
        try? await talk.say(Array(text.utf8))
        defer { heard = talk.text }
        try await talk.hear()
      }
      return heard
    }

    static func statuses(_ text: String) -> [Int] {
      text.split(separator: "HTTP/1.1 ", omittingEmptySubsequences: false).dropFirst().compactMap {
        Int($0.prefix(3))
      }
    }
  }

  /// Runs clients on a thread of their own.
  ///
  /// All tests share a few threads for Swift tasks, so a task can wait longer for its next turn than a server waits for
  /// a request (10 s), and the server would close the connection.
  private final class ClientExecutor: TaskExecutor {
    static let shared = ClientExecutor()

    private let queue = DispatchQueue(label: "clients")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }

  extension ServedResponse {
    var bytes: [UInt8] {
      get throws(FileError) {
        switch body {
        case .bytes(let bytes): bytes
        case .file(let path, let range): try FileAccess.read(path, bytes: range)
        }
      }
    }
  }
#endif

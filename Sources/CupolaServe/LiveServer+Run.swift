#if Serve
  internal import NIOCore
  internal import NIOPosix

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  extension LiveServer {
    /// An address that it cannot listen at.
    package struct BadAddress: Error, CustomStringConvertible {
      package let description: String
      /// Whether it is none at all, on any machine.
      package let isMalformed: Bool
    }

    /// That there is no place for another connection.
    private struct TooManyConnections: Error {}

    /// Serves until the task is canceled.
    ///
    /// - Parameter isReady: called with the port when it listens.
    /// - Throws: ``BadAddress`` when it cannot listen.
    package func run(isReady: @escaping @Sendable (UInt16) -> Void) async throws {
      let channel = try await listen()
      isReady(channel.localAddress?.port.map { UInt16(clamping: $0) } ?? options.port)
      try await withTaskCancellationHandler {
        try await channel.closeFuture.get()
      } onCancel: {
        channel.close(promise: nil)
      }
    }

    private func listen() async throws(BadAddress) -> any Channel {
      guard let address = try? SocketAddress(ipAddress: options.host, port: Int(options.port))
      else {
        throw BadAddress(
          description: "\(options.host) is no address, such as 127.0.0.1 or 0.0.0.0",
          isMalformed: true)
      }
      let connections = Places(options.mostConnections)
      // It rests for a moment where the system has no more files, by NIO's AcceptBackoffHandler.
      let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // Some say that they say no more before they have heard the answer.
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try begin(channel, connections) }
        }
      do {
        return try await bootstrap.bind(to: address).get()
      } catch {
        let place = options.host.contains(":") ? "[\(options.host)]" : options.host
        throw BadAddress(
          description: "cannot listen at \(place):\(options.port); \(Self.help(for: error))",
          isMalformed: false)
      }
    }

    private static func help(for error: any Error) -> String {
      switch (error as? IOError)?.errnoCode {
      case EADDRNOTAVAIL: "this machine has no such address, see --host"
      case EACCES: "only the administrator may at this port, see --port"
      default: "is the port taken? See --port"
      }
    }

    private func begin(_ channel: any Channel, _ connections: Places) throws {
      // Closed at once: who waits for an answer would hold a file all the same.
      guard connections.take() else { throw TooManyConnections() }
      channel.closeFuture.whenComplete { _ in connections.leave() }
      try HTTPConnection.open(channel, self)
    }
  }
#endif

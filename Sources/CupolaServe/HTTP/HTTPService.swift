#if Serve
  internal import CupolaCampus
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  // 1. Listen on an address and pass each connection to HTTPConnection.
  // 2. When the task is canceled, say goodbye to all pages and wait until they are closed.

  /// A server whose requests ``HTTPConnection`` receives: the live page or Studio.
  protocol HTTPService: Sendable {
    var listening: Listening { get }
    var timeouts: HTTPConnection.Timeouts { get }
    var access: AccessControl { get }

    /// Whether a POST request may have a large body. Called before the body is received.
    func upload(_ request: ServedRequest) -> Upload
    func answer(_ request: ServedRequest) async -> ServedResponse
    func refused(_ status: HTTPResponseStatus) -> ServedResponse
    /// Takes over a channel after a response with the status 101.
    func openSocket(_ channel: any Channel) throws
  }

  struct Listening: Sendable {
    var host = "127.0.0.1"
    var port: UInt16
    var mostConnections = 256
    /// Receives one JSON object for each request; `nil` if requests are not logged.
    var accessLog: LiveServer.Log?
  }

  enum Upload {
    /// The request has a small body.
    case none
    case refused(HTTPResponseStatus)
    case admitted(UploadPlace, mostBytes: Int)
  }

  extension HTTPService {
    /// Responds to a request. Responses to HEAD requests have no body.
    func respond(to request: ServedRequest) async -> ServedResponse {
      var response = await answer(request)
      if request.method == "HEAD" {
        response.headers["Content-Length"] = String(response.body.count)
        response.body = .bytes([])
      }
      return response
    }

    /// Serves until the task is canceled. Then ends all connections, and waits up to 5 s for them.
    ///
    /// - Parameter isReady: Called with the port once the server listens.
    /// - Throws: ``BadAddress`` if the server cannot listen.
    func serve(isReady: @escaping @Sendable (UInt16) -> Void) async throws {
      let open = OpenChannels(maximum: listening.mostConnections)
      let channel = try await listen(open)
      isReady(channel.localAddress?.port.map { UInt16(clamping: $0) } ?? listening.port)
      try await withTaskCancellationHandler {
        try await channel.closeFuture.get()
      } onCancel: {
        channel.close(promise: nil)
      }
      await open.end(on: channel.eventLoop, within: timeouts.ending)
    }

    private func listen(_ open: OpenChannels) async throws(BadAddress) -> any Channel {
      guard let address = try? SocketAddress(ipAddress: listening.host, port: Int(listening.port))
      else {
        throw BadAddress(
          description: "\(listening.host): not an IP address; use one such as 127.0.0.1 or 0.0.0.0",
          isMalformed: true)
      }
      // If the system runs out of file descriptors, NIO's AcceptBackoffHandler pauses accepting.
      let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // Some clients close their sending side before they read the response.
        .childChannelOption(.allowRemoteHalfClosure, value: true)
        // Many connections that send nothing but long heads must not use much memory.
        .childChannelOption(
          .recvAllocator,
          value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 2048, maximum: 16 << 10)
        )
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture { try begin(channel, open) }
        }
      do {
        return try await bootstrap.bind(to: address).get()
      } catch {
        let place = listening.host.contains(":") ? "[\(listening.host)]" : listening.host
        throw BadAddress(
          description: "cannot listen at \(place):\(listening.port); \(Self.help(for: error))",
          isMalformed: false)
      }
    }

    private static func help(for error: any Error) -> String {
      switch (error as? IOError)?.errnoCode {
      case EADDRNOTAVAIL: "this computer does not have that address; change --host"
      case EACCES: "this port requires administrator rights; change --port"
      default: "the port may be in use; change --port"
      }
    }

    private func begin(_ channel: any Channel, _ open: OpenChannels) throws {
      // Reject immediately, because a waiting client would still use a file descriptor.
      guard open.add(channel) else { throw TooManyConnections() }
      try HTTPConnection.open(channel, self)
    }
  }

  /// An address at which a server cannot listen.
  package struct BadAddress: Error, CustomStringConvertible {
    package let description: String
    /// Whether the address would be invalid on any computer.
    package let isMalformed: Bool
  }

  private struct TooManyConnections: Error {}

  private final class OpenChannels: Sendable {
    private struct State: Sendable {
      var channels: [ObjectIdentifier: any Channel] = [:]
      /// The maximum number of connections; 0 when the server ends.
      var maximum: Int
    }

    private let state: Locked<State>

    init(maximum: Int) { state = Locked(State(maximum: maximum)) }

    /// Returns `false` if there are too many connections or the server is ending.
    func add(_ channel: any Channel) -> Bool {
      let key = ObjectIdentifier(channel)
      let isAdded = state.withLock { state in
        guard state.channels.count < state.maximum else { return false }
        state.channels[key] = channel
        return true
      }
      guard isAdded else { return false }
      channel.closeFuture.whenComplete { [self] _ in
        state.withLock { _ = $0.channels.removeValue(forKey: key) }
      }
      return true
    }

    /// Asks all connections to close, and closes those that are still open after a time.
    func end(on loop: any EventLoop, within time: TimeAmount) async {
      let rest = state.withLock { state in
        state.maximum = 0
        return Array(state.channels.values)
      }
      for channel in rest { channel.pipeline.fireUserInboundEventTriggered(ServerEnding()) }
      let deadline = loop.scheduleTask(in: time) {
        for channel in rest { channel.close(promise: nil) }
      }
      try? await EventLoopFuture.andAllComplete(rest.map(\.closeFuture), on: loop).get()
      deadline.cancel()
    }
  }
#endif

#if Serve
  package import Cupola
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOPosix

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  #if canImport(Darwin)
    internal import Darwin
  #else
    internal import Glibc
  #endif

  // 1. Listen on an address and pass each connection to HTTPConnection.
  // 2. Check the token, host and origin of each request.
  // 3. Send a page file, the campus, the guide or a tour, or open a WebSocket.

  /// Serves the live camera page and answers the frames that it sends.
  package struct LiveServer: Sendable {
    package struct Options: Sendable {
      package var host = "127.0.0.1"
      package var port: UInt16 = 8080
      /// The secret token that requests must contain; `nil` if no token is required.
      package var token: String?
      /// The folder for saved frames; `nil` if frames are not saved.
      package var collect: String?
      package var name = "model"
      /// The maximum number of simultaneous pages.
      package var mostPages = 32
      /// The maximum number of simultaneous connections, including those of pages.
      package var mostConnections = 256
      package var guide: ServedGuide?
      package var tours: ServedTours?

      package init() {}
    }

    let options: Options
    let socket: LiveSocket
    let pageLimit: ConnectionLimit
    var timeouts = HTTPConnection.Timeouts()
    private let sheet: [UInt8]

    package init(_ recognizer: Recognizer, _ options: Options) {
      self.options = options
      let collector = options.collect.map { FrameCollector(folder: $0) }
      sheet = CampusDescription.json(
        of: recognizer.model, named: options.name, collects: collector != nil)
      pageLimit = ConnectionLimit(options.mostPages)
      socket = LiveSocket(recognizer: recognizer, collector: collector, pageLimit: pageLimit)
    }

    // MARK: - Requests

    /// Responds to a request. Responses to HEAD requests have no body.
    func respond(to request: ServedRequest) async -> ServedResponse {
      var response = await answer(request)
      if request.method == "HEAD" {
        response.headers["Content-Length"] = String(response.body.count)
        response.body = .bytes([])
      }
      return response
    }

    func answer(_ request: ServedRequest) async -> ServedResponse {
      let isTour = request.path == "/tours" || request.path.hasPrefix("/tours/")
      // Passkeys are sent by POST to a tour, not to the list of tours or to media.
      let isExchange = isTour && request.path.count { $0 == "/" } == 2
      let methods = ["GET", "HEAD"] + (isExchange ? ["POST"] : [])
      guard methods.contains(request.method) else {
        return refused(.methodNotAllowed).with("Allow", methods.joined(separator: ", "))
      }
      let guide = "/guide/"
      if isTour || request.path.hasPrefix(guide) {
        guard isAllowed(request) else { return refused(.unauthorized) }
        let found =
          isTour
          ? await options.tours?.answer(request)
          : options.guide?.answer(String(request.path.dropFirst(guide.count)), request)
        return found ?? refused(.notFound)
      }
      switch request.path {
      case "/live": return opened(request)
      case "/campus.json":
        guard isAllowed(request) else { return refused(.unauthorized) }
        return isOwnHost(request)
          ? LivePage.response(.bytes(sheet), type: "application/json") : refused(.forbidden)
      case "/":
        return isAllowed(request)
          ? LivePage.response("/") ?? refused(.notFound) : refused(.unauthorized)
      default: return LivePage.response(request.path) ?? refused(.notFound)
      }
    }

    private func opened(_ request: ServedRequest) -> ServedResponse {
      guard isAllowed(request) else { return refused(.unauthorized) }
      // Prevent other websites from using the WebSocket through a visitor's browser.
      guard isOwnHost(request), isOwnOrigin(request) else { return refused(.forbidden) }
      guard pageLimit.hasRoom else { return refused(.serviceUnavailable) }
      return isHandshake(request)
        ? ServedResponse(status: .switchingProtocols)
        : refused(.badRequest).with("Sec-WebSocket-Version", Self.version)
    }

    private static let version = "13"

    /// Returns whether a request is a valid handshake with a 16-byte key (RFC 6455, 4.2.1).
    private func isHandshake(_ request: ServedRequest) -> Bool {
      request.method == "GET" && request.headers.has("websocket", in: "Upgrade")
        && request.headers.has("upgrade", in: "Connection")
        && request.headers["Sec-WebSocket-Version"] == Self.version
        && request.headers["Sec-WebSocket-Key"].flatMap { Data(base64Encoded: $0) }?.count == 16
    }

    private func isOwnOrigin(_ request: ServedRequest) -> Bool {
      guard let origin = request.headers["Origin"] else { return true }
      return request.headers["Host"].map { origin.hasSuffix("://" + $0) } ?? false
    }

    /// Rejects other websites' names that resolve to this computer (DNS rebinding), unless there is a token.
    private func isOwnHost(_ request: ServedRequest) -> Bool {
      guard options.token == nil, let host = request.headers["Host"] else { return true }
      let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
      return ["localhost", "[::1"].contains(name.lowercased())
        || name.hasPrefix("127.") && name.allSatisfy { "0123456789.".contains($0) }
    }

    private func isAllowed(_ request: ServedRequest) -> Bool {
      guard let token = options.token else { return true }
      // A proxy might add its own Authorization header to a request whose URL contains the token.
      return [request.value("token"), request.bearerToken].compactMap(\.self)
        .contains { Self.isSame($0, token) }
    }

    private static func isSame(_ given: String, _ token: String) -> Bool {
      let (a, b) = (
        SHA256.hexadecimal(of: Array(token.utf8)), SHA256.hexadecimal(of: Array(given.utf8))
      )
      return zip(a.utf8, b.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    func refused(_ status: HTTPResponseStatus) -> ServedResponse {
      let text =
        switch status {
        case .unauthorized: "Open the page with its secret token: /?token=TOKEN"
        case .forbidden:
          "Only the server's own page may send requests. To use a name other than localhost, start the server with --token."
        case .payloadTooLarge: "Content Too Large"
        default: status.reasonPhrase
        }
      let response = LivePage.text(text, status: status)
      return status == .unauthorized
        ? response.with("WWW-Authenticate", #"Bearer realm="cupola""#) : response
    }
  }

  extension LiveServer {
    package struct BadAddress: Error, CustomStringConvertible {
      package let description: String
      /// Whether the address would be invalid on any computer.
      package let isMalformed: Bool
    }

    private struct TooManyConnections: Error {}

    /// Serves until the task is canceled.
    ///
    /// - Parameter isReady: Called with the port once the server listens.
    /// - Throws: ``BadAddress`` if the server cannot listen.
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
          description: "\(options.host): not an IP address; use one such as 127.0.0.1 or 0.0.0.0",
          isMalformed: true)
      }
      let connections = ConnectionLimit(options.mostConnections)
      // If the system runs out of file descriptors, NIO's AcceptBackoffHandler pauses accepting.
      let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(.backlog, value: 256)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        // Some clients close their sending side before they read the response.
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
      case EADDRNOTAVAIL: "this computer does not have that address; change --host"
      case EACCES: "this port requires administrator rights; change --port"
      default: "the port may be in use; change --port"
      }
    }

    private func begin(_ channel: any Channel, _ connections: ConnectionLimit) throws {
      // Reject immediately, because a waiting client would still use a file descriptor.
      guard connections.acquire() else { throw TooManyConnections() }
      channel.closeFuture.whenComplete { _ in connections.release() }
      try HTTPConnection.open(channel, self)
    }
  }

  /// Limits the number of simultaneous connections or requests.
  final class ConnectionLimit: Sendable {
    private let used = Locked(0)
    private let maximum: Int

    init(_ maximum: Int) { self.maximum = maximum }

    var hasRoom: Bool { used.withLock { $0 < maximum } }

    /// Returns `false` if the limit is reached. Otherwise, the caller must call ``release()`` once.
    func acquire() -> Bool {
      used.withLock { used in
        guard used < maximum else { return false }
        used += 1
        return true
      }
    }

    func release() { used.withLock { $0 -= 1 } }
  }
#endif

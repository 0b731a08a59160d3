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

  // 1. Listen at an address and hand each connection to HTTPConnection.
  // 2. Check token, host and origin of each request.
  // 3. Answer with a file of the page, the sheet of the campus, the guide or a tour, or open a socket for a page.

  /// Serves the page that shows a camera, and answers its frames.
  package struct LiveServer: Sendable {
    package struct Options: Sendable {
      /// The address of this machine that it listens at.
      package var host = "127.0.0.1"
      package var port: UInt16 = 8080
      /// What pages must know; `nil` is nothing.
      package var token: String?
      /// Where frames are kept; `nil` is nowhere.
      package var collect: String?
      /// What the model's file is called.
      package var name = "model"
      /// Pages at once.
      package var mostPages = 32
      /// Connections at once, those of pages among them.
      package var mostConnections = 256
      /// What apps fetch below `/guide/`.
      package var guide: ServedGuide?
      /// What they fetch below `/tours`.
      package var tours: ServedTours?

      package init() {}
    }

    let options: Options
    let socket: LiveSocket
    let places: Places
    var patience = HTTPConnection.Patience()
    private let sheet: [UInt8]

    package init(_ recognizer: Recognizer, _ options: Options) {
      self.options = options
      let collector = options.collect.map { FrameCollector(folder: $0) }
      sheet = CampusSheet.json(
        of: recognizer.model, named: options.name, collects: collector != nil)
      places = Places(options.mostPages)
      socket = LiveSocket(recognizer: recognizer, collector: collector, places: places)
    }

    // MARK: - Requests

    /// The response to a request, of which HEAD wants all but the body.
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
      // A passkey is handed in at the tour itself, not at the list or its media.
      let isDesk = isTour && request.path.count { $0 == "/" } == 2
      let methods = ["GET", "HEAD"] + (isDesk ? ["POST"] : [])
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

    /// Lets a page speak, or says why not.
    private func opened(_ request: ServedRequest) -> ServedResponse {
      guard isAllowed(request) else { return refused(.unauthorized) }
      // Pages of others may not speak through the browsers of our visitors.
      guard isOwnHost(request), isOwnOrigin(request) else { return refused(.forbidden) }
      guard places.areLeft else { return refused(.serviceUnavailable) }
      return isHandshake(request)
        ? ServedResponse(status: .switchingProtocols)
        : refused(.badRequest).with("Sec-WebSocket-Version", Self.version)
    }

    /// Of the protocol that pages speak.
    private static let version = "13"

    /// As RFC 6455 has it in 4.2.1; a key is 16 bytes.
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

    /// Whether it is asked by its own name. Without a token anybody's page may ask it whose name was made to lead to this
    /// machine (DNS rebinding): such a page, and its origin, say that name.
    private func isOwnHost(_ request: ServedRequest) -> Bool {
      guard options.token == nil, let host = request.headers["Host"] else { return true }
      let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
      return ["localhost", "[::1"].contains(name.lowercased())
        || name.hasPrefix("127.") && name.allSatisfy { "0123456789.".contains($0) }
    }

    private func isAllowed(_ request: ServedRequest) -> Bool {
      guard let token = options.token else { return true }
      // A proxy may have put an Authorization of its own beside the token of the address.
      return [request.value("token"), request.bearerToken].compactMap(\.self)
        .contains { Self.isSame($0, token) }
    }

    /// Takes as long whatever is wrong.
    private static func isSame(_ given: String, _ token: String) -> Bool {
      let (a, b) = (
        SHA256.hexadecimal(of: Array(token.utf8)), SHA256.hexadecimal(of: Array(given.utf8))
      )
      return zip(a.utf8, b.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    func refused(_ status: HTTPResponseStatus) -> ServedResponse {
      let text =
        switch status {
        case .unauthorized: "Open the page with its token: /?token=..."
        case .forbidden:
          "Only the server's own page may ask; by another name than localhost it takes --token."
        // As RFC 9110 calls it now.
        case .payloadTooLarge: "Content Too Large"
        default: status.reasonPhrase
        }
      let response = LivePage.text(text, status: status)
      // RFC 9110, 11.6.1, and RFC 6750, 3.
      return status == .unauthorized
        ? response.with("WWW-Authenticate", #"Bearer realm="cupola""#) : response
    }
  }

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

  /// How many there are of what may not become too many.
  final class Places: Sendable {
    private let taken = Locked(0)
    private let most: Int

    init(_ most: Int) { self.most = most }

    var areLeft: Bool { taken.withLock { $0 < most } }

    func take() -> Bool {
      taken.withLock { taken in
        guard taken < most else { return false }
        taken += 1
        return true
      }
    }

    func leave() { taken.withLock { $0 -= 1 } }
  }
#endif

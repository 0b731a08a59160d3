#if Serve
  package import Cupola
  internal import NIOCore
  internal import NIOHTTP1

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  // 1. Check the host, origin and token of each request; see AccessControl.
  // 2. Send a page file, the campus, the guide, a tour or data for visitors, answer a photo, or open a WebSocket.

  /// Serves the live camera page and answers the frames that it sends.
  package struct LiveServer: HTTPService {
    /// Receives one line for the operator of the server.
    package typealias Log = @Sendable (String) -> Void

    package struct CollectLimits: Sendable {
      package var photos = 5000
      package var bytes = 1_000_000_000
      /// The number of bytes that must stay free on the disk.
      package var freeBytes = 256_000_000

      package init() {}
    }

    package struct Options: Sendable {
      package var host = "127.0.0.1"
      package var port: UInt16 = 8080
      /// The secret token that requests must contain; `nil` if no token is required.
      package var token: String?
      /// The folder for saved frames; `nil` if frames are not saved.
      package var collect: String?
      package var collectLimits = CollectLimits()
      package var name = "model"
      package var mostPages = 32
      /// The maximum number of simultaneous connections, including those of pages.
      package var mostConnections = 256
      package var guide: ServedGuide?
      package var tours: ServedTours?
      /// Proxies on other computers whose `X-Forwarded-For` header is used.
      package var trustedProxies: [AddressRange] = []
      /// Receives errors and wrong tokens.
      package var log: Log = { _ in }
      /// Receives one JSON object for each request; `nil` if requests are not logged.
      package var accessLog: Log?

      package init() {}
    }

    let options: Options
    var socket: LiveSocket
    let photos: StillPhotos
    let pageLimit: ConnectionLimit
    let access: AccessControl
    var timeouts = HTTPConnection.Timeouts()
    private let sheet: [UInt8]
    private let visitors: VisitorGuide?

    package init(_ recognizer: Recognizer, _ options: Options) {
      self.options = options
      let model = recognizer.model
      let labels = model.labels.names + (model.campus?.buildings ?? []).map(\.name)
      let collector = options.collect.map {
        FrameCollector(
          folder: $0, labels: labels, limits: options.collectLimits, log: options.log)
      }
      access = AccessControl(
        token: options.token, proxies: options.trustedProxies, log: options.log)
      sheet = CampusDescription.json(
        of: recognizer, named: options.name, collects: collector != nil)
      visitors = options.guide.map {
        VisitorGuide(
          folder: $0.folder, labels: model.labels.names.filter { !Labels.isBackground($0) },
          log: options.log)
      }
      pageLimit = ConnectionLimit(options.mostPages)
      socket = LiveSocket(recognizer: recognizer, collector: collector, pageLimit: pageLimit)
      photos = StillPhotos(recognizer, collector)
    }

    /// Serves until the task is canceled. Then closes all pages with the code 1001, and waits up to 5 s for them.
    ///
    /// - Parameter isReady: Called with the port once the server listens.
    /// - Throws: ``BadAddress`` if the server cannot listen.
    package func run(isReady: @escaping @Sendable (UInt16) -> Void) async throws {
      try await serve(isReady: isReady)
    }

    var listening: Listening {
      Listening(
        host: options.host, port: options.port, mostConnections: options.mostConnections,
        accessLog: options.accessLog)
    }

    func openSocket(_ channel: any Channel) throws {
      try socket.open(channel, ping: timeouts.ping)
    }

    // MARK: - Requests

    func answer(_ request: ServedRequest) async -> ServedResponse {
      let isTour = request.path == "/tours" || request.path.hasPrefix("/tours/")
      // Passkeys are sent by POST to a tour, not to the list of tours or to media.
      let isExchange = isTour && request.path.count { $0 == "/" } == 2
      let methods =
        request.path == Self.photoPath ? ["POST"] : ["GET", "HEAD"] + (isExchange ? ["POST"] : [])
      guard methods.contains(request.method) else {
        return refused(.methodNotAllowed).with("Allow", methods.joined(separator: ", "))
      }
      // Health checks use an address as the host.
      if request.path == "/healthz" { return LivePage.text("ok", status: .ok) }
      if let status = access.originRefusal(of: request) { return refused(status) }
      let visit = "/visit/"
      if let file = LivePage.response(request.path), !["/", visit].contains(request.path) {
        return file
      }
      let isKnown =
        isTour || request.path.hasPrefix("/guide/")
        || visitors != nil && request.path.hasPrefix(visit)
        || ["/", "/live", "/campus.json", Self.photoPath].contains(request.path)
      guard isKnown else { return refused(.notFound) }
      if let status = access.tokenRefusal(of: request) { return refused(status) }
      switch request.path {
      case "/", visit: return page(request)
      case "/live": return opened(request)
      case Self.photoPath: return await photos.answer(request)
      case "/campus.json": return LivePage.response(.bytes(sheet), type: MediaType.json)
      default:
        return await file(request) ?? refused(.notFound)
      }
    }

    static let photoPath = "/photo"

    func upload(_ request: ServedRequest) -> Upload {
      guard request.path == Self.photoPath else { return .none }
      if let refusal = access.originRefusal(of: request) ?? access.tokenRefusal(of: request) {
        return .refused(refusal)
      }
      return photos.place().map { .admitted($0, mostBytes: StillPhotos.mostBytes) }
        ?? .refused(.serviceUnavailable)
    }

    /// A file of the guide, of a tour or for visitors.
    private func file(_ request: ServedRequest) async -> ServedResponse? {
      func name(in folder: String) -> String? {
        request.path.hasPrefix(folder) ? String(request.path.dropFirst(folder.count)) : nil
      }
      if let name = name(in: "/guide/") {
        return options.guide?.answer(name, request, isPublic: options.token == nil)
      }
      if let name = name(in: "/visit/") { return await visitors?.answer(name, request) }
      return await options.tours?.answer(
        request, from: access.client(of: request), log: options.log)
    }

    private func page(_ request: ServedRequest) -> ServedResponse {
      let response = LivePage.response(request.path) ?? refused(.notFound)
      return access.cookie(for: request).map { response.with("Set-Cookie", $0) } ?? response
    }

    private func opened(_ request: ServedRequest) -> ServedResponse {
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

    func refused(_ status: HTTPResponseStatus) -> ServedResponse {
      let text =
        switch status {
        case .unauthorized: "Open the page with its secret token: /?token=TOKEN"
        case .forbidden:
          "Only the server's own page may send requests. To use a name other than localhost, start the server with --token."
        case .payloadTooLarge: "Content Too Large"
        case .tooManyRequests: "Too many wrong tokens; try again in a minute."
        default: status.reasonPhrase
        }
      let response = LivePage.text(text, status: status)
      return switch status {
      case .unauthorized: response.with("WWW-Authenticate", #"Bearer realm="cupola""#)
      case .tooManyRequests: response.with("Retry-After", "60")
      case .serviceUnavailable: response.with("Retry-After", "1")
      default: response
      }
    }
  }

  extension LiveServer {
    /// Returns the address to print. For a server that listens on all addresses, other computers can reach it, if
    /// possible.
    package static func reachableAddress(listeningAt host: String) -> String {
      guard ["0.0.0.0", "::"].contains(host) else { return host }
      let addresses = ((try? System.enumerateDevices()) ?? []).compactMap(\.address)
      let found = addresses.first { address in
        guard address.protocol == .inet, let ip = address.ipAddress else { return false }
        return !ip.hasPrefix("127.") && !ip.hasPrefix("169.254.")
      }
      return found?.ipAddress ?? (host == "::" ? "::1" : "127.0.0.1")
    }
  }

  /// Limits the number of simultaneous pages or requests, or the bytes that requests hold.
  final class ConnectionLimit: Sendable {
    private let used = Locked(0)
    private let maximum: Int

    init(_ maximum: Int) { self.maximum = maximum }

    var hasRoom: Bool { used.withLock { $0 < maximum } }

    /// Returns `false` if the limit would be exceeded. Otherwise, the caller must call ``release(_:)`` once.
    func acquire(_ count: Int = 1) -> Bool {
      used.withLock { used in
        guard used + count <= maximum else { return false }
        used += count
        return true
      }
    }

    func release(_ count: Int = 1) { used.withLock { $0 -= count } }
  }
#endif

#if Serve
  package import Cupola
  internal import NIOHTTP1

  #if canImport(FoundationEssentials)
    internal import FoundationEssentials
  #else
    internal import Foundation
  #endif

  /// Serves the page that shows a camera, and answers its frames.
  package struct LiveServer: Sendable {
    /// How it serves.
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
#endif

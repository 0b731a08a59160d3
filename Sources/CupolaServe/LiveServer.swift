#if Serve
  package import Cupola
  internal import FlyingFox
  internal import FlyingSocks
  internal import Foundation

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
      /// What apps fetch below `/guide/`.
      package var guide: ServedGuide?
      /// What they fetch below `/tours`.
      package var tours: ServedTours?

      package init() {}
    }

    /// An address that it cannot listen at.
    package struct BadAddress: Error, CustomStringConvertible {
      package let description: String
    }

    private let options: Options
    private let sheet: [UInt8]
    private let socket: WebSocketHTTPHandler
    let places: LiveSocket.Places

    package init(_ recognizer: Recognizer, _ options: Options) {
      self.options = options
      let collector = options.collect.map { FrameCollector(folder: $0) }
      sheet = CampusSheet.json(
        of: recognizer.model, named: options.name, collects: collector != nil)
      places = LiveSocket.Places(options.mostPages)
      socket = WebSocketHTTPHandler(
        handler: LiveSocket(recognizer: recognizer, collector: collector, places: places))
    }

    /// Serves until the task is canceled.
    ///
    /// - Parameter isReady: called with the port when it listens.
    /// - Throws: ``BadAddress`` when it cannot listen.
    package func run(isReady: @escaping @Sendable (UInt16) -> Void) async throws {
      let server = HTTPServer(
        config: HTTPServer.Configuration(
          address: try address(), timeout: 30, logger: .disabled),
        handler: ClosureHTTPHandler { await respond(to: $0) })
      let running = Task { try await server.run() }
      do {
        try await server.waitUntilListening(timeout: 5)
      } catch {
        running.cancel()
        throw BadAddress(
          description:
            "cannot listen at \(options.host):\(options.port); is the port taken? See --port")
      }
      isReady(await Self.port(of: server) ?? options.port)
      try await withTaskCancellationHandler {
        try await running.value
      } onCancel: {
        running.cancel()
      }
    }

    private static func port(of server: HTTPServer) async -> UInt16? {
      switch await server.listeningAddress {
      case .ip4(_, let port), .ip6(_, let port): port
      default: nil
      }
    }

    private func address() throws -> any SocketAddress {
      do {
        return options.host.contains(":")
          ? try sockaddr_in6.inet6(ip6: options.host, port: options.port)
          : try sockaddr_in.inet(ip4: options.host, port: options.port)
      } catch {
        throw BadAddress(description: "\(options.host) is no address, such as 127.0.0.1 or 0.0.0.0")
      }
    }

    // MARK: - Requests

    /// The response to a request, of which HEAD wants all but the body.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
      var response = await answer(request)
      if request.method == .HEAD, case .httpBody(let body) = response.payload {
        response.headers[.contentLength] = body.count.map(String.init)
        response.payload = .httpBody(HTTPBodySequence())
      }
      return response
    }

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
      let isTour = request.path == "/tours" || request.path.hasPrefix("/tours/")
      guard [.GET, .HEAD].contains(request.method) || (isTour && request.method == .POST) else {
        return refused(.methodNotAllowed)
      }
      if isTour || request.path.hasPrefix("/guide/") {
        guard isAllowed(request) else { return refused(.unauthorized) }
        let found =
          isTour
          ? await options.tours?.answer(request)
          : options.guide?.answer(String(request.path.dropFirst(7)), request)
        return found ?? refused(.notFound)
      }
      switch request.path {
      case "/live": return await open(request)
      case "/campus.json":
        guard isAllowed(request) else { return refused(.unauthorized) }
        return isOwnHost(request)
          ? LivePage.response(sheet, type: "application/json") : refused(.forbidden)
      case "/":
        return isAllowed(request)
          ? LivePage.response("/") ?? refused(.notFound) : refused(.unauthorized)
      default: return LivePage.response(request.path) ?? refused(.notFound)
      }
    }

    /// Begins to speak with a page.
    private func open(_ request: HTTPRequest) async -> HTTPResponse {
      guard isAllowed(request) else { return refused(.unauthorized) }
      // Pages of others may not speak through the browsers of our visitors.
      guard isOwnHost(request), isOwnOrigin(request) else { return refused(.forbidden) }
      guard places.areLeft else { return refused(.serviceUnavailable) }
      guard let response = try? await socket.handleRequest(request),
        response.statusCode == .switchingProtocols
      else { return refused(.badRequest) }
      return response
    }

    private func isOwnOrigin(_ request: HTTPRequest) -> Bool {
      guard let origin = request.headers[HTTPHeader("Origin")] else { return true }
      return request.headers[.host].map { origin.hasSuffix("://" + $0) } ?? false
    }

    /// Whether it is asked by its own name. Without a token anybody's page may ask it whose name was made to lead to this
    /// machine (DNS rebinding): such a page, and its origin, say that name.
    private func isOwnHost(_ request: HTTPRequest) -> Bool {
      guard options.token == nil, let host = request.headers[.host] else { return true }
      let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } : host.prefix { $0 != ":" }
      return ["localhost", "[::1"].contains(name.lowercased())
        || name.hasPrefix("127.") && name.utf8.allSatisfy { $0 == 46 || (48...57).contains($0) }
    }

    private func isAllowed(_ request: HTTPRequest) -> Bool {
      guard let token = options.token else { return true }
      guard let given = request.query.first(where: { $0.name == "token" })?.value else {
        return false
      }
      // Takes as long whatever is wrong.
      let (a, b) = (
        SHA256.hexadecimal(of: Array(token.utf8)), SHA256.hexadecimal(of: Array(given.utf8))
      )
      return zip(a.utf8, b.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private func refused(_ status: HTTPStatusCode) -> HTTPResponse {
      let text =
        switch status {
        case .unauthorized: "Open the page with its token: /?token=..."
        case .forbidden:
          "Only the server's own page may ask; by another name than localhost it takes --token."
        default: status.phrase
        }
      return LivePage.response(
        Array("\(text)\n".utf8), type: "text/plain; charset=utf-8", status: status)
    }
  }
#endif

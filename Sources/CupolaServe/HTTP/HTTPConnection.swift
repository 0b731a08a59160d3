#if Serve
  internal import Cupola
  internal import CupolaGuide
  internal import CupolaTraining
  internal import NIOCore
  internal import NIOHTTP1
  internal import NIOWebSocket

  // 1. Read a complete request within size and time limits. Reject invalid requests.
  // 2. Send the response of the server.
  // 3. Read the next request, close the connection, or switch to WebSocket frames.

  /// A connection that answers each request before it reads the next one.
  final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    struct Timeouts: Sendable {
      /// The time for receiving the complete first request.
      var request = TimeAmount.seconds(10)
      /// The time for receiving a complete upload.
      var upload = TimeAmount.seconds(60)
      /// The time for receiving the next request after a response, and for sending each chunk of a response.
      var next = TimeAmount.seconds(30)
      /// The time for the client to read a rejection.
      var closing = TimeAmount.seconds(1)
      /// The time between pings on a WebSocket. Proxies close connections without data after 60 s.
      var ping = TimeAmount.seconds(30)
      /// The time for connections to close when the server ends.
      var ending = TimeAmount.seconds(5)
    }

    private static let limits: NIOHTTPDecoderLimitConfiguration = {
      var limits = NIOHTTPDecoderLimitConfiguration()
      limits.maxHeaderFieldSize = 16 << 10
      // Heads are received before the token is checked, so they must not use much memory.
      limits.maxHeaderListSize = 16 << 10
      limits.maxHeaderFieldCount = 100
      return limits
    }()
    /// The maximum size of a request body in bytes, except for uploads.
    private static let mostBytes = 4096

    private let server: any HTTPService
    private let encoder = HTTPResponseEncoder()
    private let decoder = ByteToMessageHandler(
      HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: limits))
    private let pipelining = HTTPServerPipelineHandler()
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    /// Held while the body of an upload is in memory.
    private var place: UploadPlace?
    private var mostBytes = HTTPConnection.mostBytes
    private var isClosing = false
    private var isAnswering = false
    /// Whether the client has closed its sending side. It may still read.
    private var isInputClosed = false
    private var isServerEnding = false
    private var began = ContinuousClock.now
    private var deadline: Scheduled<Void>?

    private init(_ server: any HTTPService) { self.server = server }

    static func open(_ channel: any Channel, _ server: any HTTPService) throws {
      let connection = HTTPConnection(server)
      try channel.pipeline.syncOperations.addHandlers([
        connection.encoder, connection.decoder, connection.pipelining, connection,
      ])
    }

    // MARK: - Time

    func channelActive(context: ChannelHandlerContext) {
      close(context.channel, in: server.timeouts.request)
    }

    func channelInactive(context: ChannelHandlerContext) {
      deadline?.cancel()
      context.fireChannelInactive()
    }

    /// Closes the channel after a time, unless the deadline is replaced. A client that reads slowly does not extend it.
    private func close(_ channel: any Channel, in time: TimeAmount) {
      deadline?.cancel()
      deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard !isClosing else { return }
      switch Self.unwrapInboundIn(data) {
      case .head(var head):
        head.headers = Self.trimmed(head.headers)
        (self.head, body, place, began) = (head, [], nil, .now)
        mostBytes = Self.mostBytes
        if let fault = uploadFault(of: head, context.channel) ?? fault(of: head) {
          refuse(fault, context)
        } else if Self.waits(head) {
          let go = HTTPResponseHead(version: .http1_1, status: .continue)
          context.writeAndFlush(Self.wrapOutboundOut(.head(go)), promise: nil)
        }
      case .body(let bytes):
        body += bytes.readableBytesView
        if body.count > mostBytes { refuse(.payloadTooLarge, context) }
      case .end: answer(context)
      }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      if let event = event as? ChannelEvent, event == .inputClosed {
        // This event arrives after all requests received so far, which still get responses.
        isInputClosed = true
        if !isAnswering { context.close(promise: nil) }
      } else if event is ServerEnding {
        isServerEnding = true
        if !isAnswering { context.close(promise: nil) }
      }
      context.fireUserInboundEventTriggered(event)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard !isClosing else { return }
      switch error {
      case HTTPParserError.headerOverflow: refuse(.requestHeaderFieldsTooLarge, context)
      case is HTTPParserError: refuse(.badRequest, context)
      default: context.close(promise: nil)
      }
    }

    /// Removes white space around values (RFC 9110, 5.5). The decoder does not remove it at the end.
    private static func trimmed(_ headers: HTTPHeaders) -> HTTPHeaders {
      HTTPHeaders(headers.map { ($0.name, $0.value.trimmed) })
    }

    /// Reserves a place if the request is an upload, and allows more bytes and more time to receive them.
    private func uploadFault(
      of head: HTTPRequestHead, _ channel: any Channel
    ) -> HTTPResponseStatus? {
      guard head.method == .POST, let request = request(head, [], channel) else { return nil }
      switch server.upload(request) {
      case .none: return nil
      case .refused(let status): return status
      case .admitted(let place, let mostBytes):
        (self.place, self.mostBytes) = (place, mostBytes)
        // A growing array would need up to twice the memory.
        body.reserveCapacity(min(Self.length(head), mostBytes))
        close(channel, in: server.timeouts.upload)
        return nil
      }
    }

    private func fault(of head: HTTPRequestHead) -> HTTPResponseStatus? {
      // Compressed bodies are not decoded (RFC 9112, 6.1).
      let codings = head.headers[canonicalForm: "Transfer-Encoding"]
      if codings.contains(where: { $0.lowercased() != "chunked" }) { return .notImplemented }
      // A body would be ignored, and a proxy might interpret it as another request (RFC 9110, 9.3.1).
      if Self.hasBody(head), [.GET, .HEAD].contains(head.method) { return .badRequest }
      let names = head.headers[canonicalForm: "Host"].count
      let lacksHost = head.version == .http1_1 && !head.headers.contains(name: "Host")
      if names > 1 || lacksHost { return .badRequest }
      return Self.length(head) > mostBytes ? .payloadTooLarge : nil
    }

    private static func length(_ head: HTTPRequestHead) -> Int {
      head.headers.first(name: "Content-Length").map { Int($0) ?? .max } ?? 0
    }

    private static func hasBody(_ head: HTTPRequestHead) -> Bool {
      length(head) > 0 || head.headers.contains(name: "Transfer-Encoding")
    }

    /// Returns whether the client waits for 100 Continue before it sends the body (RFC 9110, 10.1.1).
    private static func waits(_ head: HTTPRequestHead) -> Bool {
      head.version == .http1_1 && hasBody(head)
        && head.headers[canonicalForm: "Expect"].contains { $0.lowercased() == "100-continue" }
    }

    /// Returns whether this must be the last request. After asking to upgrade, a client may assume that it succeeded.
    private static func isLast(_ head: HTTPRequestHead) -> Bool {
      !head.isKeepAlive || head.version != .http1_1 || head.method == .CONNECT
        || head.headers.contains(name: "Upgrade")
    }

    private func answer(_ context: ChannelHandlerContext) {
      deadline?.cancel()
      isAnswering = true
      let channel = context.channel
      guard let head, let request = request(head, body, channel) else {
        return refuse(.badRequest, context)
      }
      // An upload's place is free again when its request is released.
      let held = place
      (body, place) = ([], nil)
      // Use a task, so that slow responses do not block the event loop.
      context.eventLoop.makeFutureWithTask { [server] in
        defer { withExtendedLifetime(held) {} }
        return await server.respond(to: request)
      }
      .assumeIsolated().whenSuccess { [self] response in
        guard channel.isActive else { return }
        if response.status == .switchingProtocols {
          upgrade(head, context)
        } else {
          send(response, isLast: Self.isLast(head), context)
        }
      }
    }

    private func request(
      _ head: HTTPRequestHead, _ body: [UInt8], _ channel: any Channel
    ) -> ServedRequest? {
      var headers = HeaderFields(head.headers)
      // Older versions cannot upgrade (RFC 9110, 7.8).
      if head.version != .http1_1 { headers["Upgrade"] = nil }
      return ServedRequest(
        head.method.rawValue, target: head.uri, headers: headers, body: body,
        remoteAddress: channel.remoteAddress?.ipAddress)
    }

    // MARK: - Responses

    private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
      deadline?.cancel()
      (body, place) = ([], nil)
      send(server.refused(status), isLast: true, context)
    }

    private func send(_ response: ServedResponse, isLast: Bool, _ context: ChannelHandlerContext) {
      let isLast = isLast || isServerEnding
      (isClosing, isAnswering) = (isLast, true)
      record(response.status, bytes: response.body.count, context)
      var headers = HTTPHeaders(response.headers.all.map { ($0.name, $0.value) })
      if response.headers["Content-Length"] == nil {
        headers.add(name: "Content-Length", value: String(response.body.count))
      }
      if let now = HTTPDate.text(LocalTime.secondsSince1970Now) {
        headers.add(name: "Date", value: now)
      }
      if isLast { headers.add(name: "Connection", value: "close") }
      let head = HTTPResponseHead(version: .http1_1, status: response.status, headers: headers)
      self.head = nil
      context.write(Self.wrapOutboundOut(.head(head)), promise: nil)
      let channel = context.channel
      context.eventLoop.makeFutureWithTask { [timeouts = server.timeouts] in
        try await response.body.send(to: channel, within: timeouts.next)
      }.assumeIsolated().whenComplete { [self] result in
        guard case .success = result else { return context.close(promise: nil) }
        end(isLast, context)
      }
    }

    private func record(_ status: HTTPResponseStatus, bytes: Int, _ context: ChannelHandlerContext)
    {
      guard let log = server.listening.accessLog else { return }
      // Queries contain tokens and tickets.
      let path = head.map { $0.uri.prefix { $0 != "?" } }
      let client = head.flatMap {
        ServedRequest(
          "", target: "/", headers: HeaderFields($0.headers),
          remoteAddress: context.channel.remoteAddress?.ipAddress)
      }.map(server.access.client(of:))
      let entry: JSONObject = [
        "schema": "cupola.access/1", "time": LocalTime.secondsSince1970Now,
        "client": client ?? context.channel.remoteAddress?.ipAddress,
        "method": head?.method.rawValue, "path": path.map { String($0) },
        "status": Int(status.code), "bytes": bytes,
        "milliseconds": (ContinuousClock.now - began).milliseconds,
      ]
      log(String(decoding: entry.line, as: UTF8.self))
    }

    private func end(_ isLast: Bool, _ context: ChannelHandlerContext) {
      let isLast = isLast || isInputClosed || isServerEnding
      // Set this before the end is written, because the next request may already have arrived and would be read then.
      // If the client reads nothing, the end of the last response is never sent, so the deadline starts now.
      isAnswering = isLast
      close(context.channel, in: server.timeouts.next)
      context.writeAndFlush(Self.wrapOutboundOut(.end(nil))).assumeIsolated().whenComplete {
        [self] _ in
        guard isLast else { return }
        // Keep reading for a moment. If the channel were closed now, the client could lose the response.
        context.close(mode: .output, promise: nil)
        close(context.channel, in: server.timeouts.closing)
      }
    }

    // MARK: - Upgrade to WebSocket

    private func upgrade(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
      record(.switchingProtocols, bytes: 0, context)
      let upgrader = NIOWebSocketServerUpgrader(
        maxFrameSize: MessageParts.mostBytes,
        shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
        upgradePipelineHandler: {
          [server] channel, _ in
          channel.eventLoop.makeCompletedFuture { try server.openSocket(channel) }
        })
      let handlers = context.pipeline.syncOperations
      let channel = context.channel
      // Pause reading until the pipelining handler is removed, so that no frame is parsed as a request.
      upgrader.buildUpgradeResponse(
        channel: channel, upgradeRequest: head, initialResponseHeaders: [:]
      ).assumeIsolated().flatMap { headers in
        context.writeAndFlush(
          Self.wrapOutboundOut(
            .head(
              HTTPResponseHead(version: .http1_1, status: .switchingProtocols, headers: headers))))
      }.flatMap { [self] in
        handlers.removeHandler(decoder)
      }.flatMap { [self] in
        handlers.removeHandler(encoder)
      }.flatMap {
        upgrader.upgrade(context: context, upgradeRequest: head)
      }.flatMap { [self] in
        handlers.removeHandler(pipelining)
      }.flatMap { [self] in
        handlers.removeHandler(self)
      }.whenComplete { [self] result in
        // Events during the upgrade were reported to this handler, so the socket may not have received them.
        if isInputClosed || (try? result.get()) == nil {
          channel.close(promise: nil)
        } else if isServerEnding {
          channel.pipeline.fireUserInboundEventTriggered(ServerEnding())
        }
      }
    }
  }
#endif

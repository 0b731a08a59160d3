#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import NIOCore
  internal import NIOWebSocket

  // 1. Count the page against the limit, and ping idle pages.
  // 2. Check WebSocket frames and assemble messages (RFC 6455).
  // 3. Answer each message with a LiveConnection before reading the next one.

  struct LiveSocket: Sendable {
    let recognizer: Recognizer
    let collector: FrameCollector?
    let pageLimit: ConnectionLimit

    /// Handles the messages of a page until either side closes the channel.
    func open(_ channel: any Channel) throws {
      try channel.pipeline.syncOperations.addHandlers([
        IdleStateHandler(readTimeout: IdlePageHandler.timeout), IdlePageHandler(),
      ])
      // Frames are large, so at most two are buffered here. The browser keeps the others.
      let frames = try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(
        wrappingChannelSynchronously: channel,
        configuration: .init(backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2)))
      Task {
        try? await frames.executeThenClose { page, answers in
          await converse(page) { try await answers.write($0) }
        }
      }
    }

    /// Answers a page, or closes the connection if there are too many pages.
    /// The limit is applied here and not when the request arrives, because a page can disconnect in between.
    /// - Parameter say: Returns when the next answer can be sent, so that answers to a slow page do not accumulate.
    func converse<Frames: AsyncSequence>(
      _ page: Frames, _ say: (WebSocketFrame) async throws -> Void
    ) async where Frames.Element == WebSocketFrame {
      guard pageLimit.acquire() else {
        try? await say(.close(.unknown(1013), "too many pages"))
        return
      }
      defer { pageLimit.release() }
      do {
        try await answer(page, LiveConnection(recognizer, collector), say)
      } catch let fault as MessageParts.Fault {
        try? await say(.close(fault.code, "invalid frame"))
      } catch {
      }
    }

    private func answer<Frames: AsyncSequence>(
      _ page: Frames, _ connection: LiveConnection, _ say: (WebSocketFrame) async throws -> Void
    ) async throws where Frames.Element == WebSocketFrame {
      var parts = MessageParts()
      for try await frame in page {
        try MessageParts.check(frame)
        switch frame.opcode {
        case .ping:
          try await say(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
        case .pong: break
        case .connectionClose:
          try await say(.close(.normalClosure))
          return
        default:
          guard let message = try parts.add(frame) else { continue }
          let answer =
            message.isText
            ? await connection.answer(to: message.bytes)
            : await connection.answer(toFrame: message.bytes)
          guard let answer, let text = try? JSONObject.text(answer) else { continue }
          try await say(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text)))
        }
      }
    }
  }

  extension WebSocketFrame {
    fileprivate static func close(_ code: WebSocketErrorCode, _ reason: String = "") -> Self {
      var data = ByteBuffer()
      data.write(webSocketErrorCode: code)
      data.writeString(reason)
      return WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    }
  }

  struct MessageParts {
    struct Message {
      let isText: Bool
      let bytes: [UInt8]
    }

    enum Fault: Error {
      case notAllowed, outOfTurn, tooLong, notText

      var code: WebSocketErrorCode {
        switch self {
        case .notAllowed, .outOfTurn: .protocolError
        case .tooLong: .messageTooLarge
        case .notText: .dataInconsistentWithMessage
        }
      }
    }

    /// The maximum message size in bytes: twice a frame's, so that slightly larger frames get an error message.
    static let mostBytes = 2 * LiveConnection.mostBytes

    private var isText: Bool?
    private var bytes: [UInt8] = []

    /// Rejects extensions, unmasked frames, long or fragmented control frames, and invalid close frames
    /// (RFC 6455, 5.1, 5.2 and 5.5).
    static func check(_ frame: WebSocketFrame) throws(Fault) {
      guard frame.reservedBits.isEmpty, frame.maskKey != nil,
        !frame.opcode.isControlOpcode || frame.fin && frame.length <= 125
      else { throw .notAllowed }
      if frame.opcode == .connectionClose {
        try checkClose(Array(frame.unmaskedData.readableBytesView))
      }
    }

    /// Rejects incomplete and forbidden codes, and reasons that are not UTF-8 (RFC 6455, 5.5.1 and 7.4).
    private static func checkClose(_ bytes: [UInt8]) throws(Fault) {
      guard !bytes.isEmpty else { return }
      let code = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      // 1004 to 1006 and 1015 are never sent; 1016 to 2999 are unassigned.
      guard bytes.count > 1,
        [1000...1003, 1007...1014, 3000...4999].contains(where: { $0.contains(code) })
      else { throw .notAllowed }
      guard String(validating: Array(bytes.dropFirst(2)), as: UTF8.self) != nil else {
        throw .notText
      }
    }

    mutating func add(_ frame: WebSocketFrame) throws(Fault) -> Message? {
      switch frame.opcode {
      case .text, .binary:
        guard isText == nil else { throw .outOfTurn }
        isText = frame.opcode == .text
        bytes = []
      case .continuation:
        guard isText != nil else { throw .outOfTurn }
      default: throw .outOfTurn
      }
      guard bytes.count + frame.length <= Self.mostBytes else { throw .tooLong }
      bytes += frame.unmaskedData.readableBytesView
      guard frame.fin, let isText else { return nil }
      self.isText = nil
      guard !isText || String(validating: bytes, as: UTF8.self) != nil else { throw .notText }
      return Message(isText: isText, bytes: bytes)
    }
  }

  /// Pings idle pages, and closes the channel if a page does not respond. Browsers respond automatically.
  ///
  /// Pages can be idle for a long time: a page that shows one photo sends nothing.
  final class IdlePageHandler: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The time between the last frame and the ping, and between the ping and closing.
    static let timeout = TimeAmount.seconds(60)

    private var isAsked = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      isAsked = false
      context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      guard event is IdleStateHandler.IdleStateEvent else {
        return context.fireUserInboundEventTriggered(event)
      }
      guard !isAsked else { return context.close(promise: nil) }
      isAsked = true
      let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
      context.writeAndFlush(Self.wrapOutboundOut(ping), promise: nil)
    }
  }
#endif

#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import NIOCore
  internal import NIOWebSocket

  // 1. Count the page against the limit, and ping it regularly.
  // 2. Check WebSocket frames and assemble messages (RFC 6455).
  // 3. Answer each message with a LiveConnection. A newer frame replaces one that is waiting.

  struct LiveSocket: Sendable {
    typealias Say = @Sendable (WebSocketFrame) async throws -> Void

    let recognizer: Recognizer
    let collector: FrameCollector?
    let pageLimit: ConnectionLimit
    var pool = FramePool.shared

    /// Handles the messages of a page until either side closes the channel.
    func open(_ channel: any Channel, ping: TimeAmount) throws {
      try channel.pipeline.syncOperations.addHandlers([
        IdleStateHandler(writeTimeout: ping), OpenPageHandler(),
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
      _ page: Frames, _ say: @escaping Say
    ) async where Frames.Element == WebSocketFrame {
      guard pageLimit.acquire() else {
        try? await say(.close(.unknown(1013), "too many pages"))
        return
      }
      defer { pageLimit.release() }
      do {
        try await answer(page, LiveConnection(recognizer, collector, pool: pool), say)
      } catch let fault as MessageParts.Fault {
        try? await say(.close(fault.code, "invalid frame"))
      } catch {
      }
    }

    private func answer<Frames: AsyncSequence>(
      _ page: Frames, _ connection: LiveConnection, _ say: @escaping Say
    ) async throws where Frames.Element == WebSocketFrame {
      var parts = MessageParts()
      var flights = FrameFlights(connection, say)
      var pace = FramePace()
      do {
        for try await frame in page {
          try await pace.wait()
          try MessageParts.check(frame)
          switch frame.opcode {
          case .ping:
            try await say(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
          case .pong: break
          case .connectionClose:
            try await flights.land()
            try await say(.close(.normalClosure))
            return
          default:
            guard let message = try parts.add(frame) else { continue }
            if message.isText {
              try await flights.land()
              guard let answer = await connection.answer(to: message.bytes) else { continue }
              try await say(.message(answer))
            } else {
              try await flights.start(message.bytes)
            }
          }
        }
        await flights.cancel()
      } catch {
        // Count the page against the limit until its last frame has left the pool.
        await flights.cancel()
        throw error
      }
    }
  }

  /// Limits the WebSocket frames of a page to 2000 per second. Otherwise, reading small ones, such as pings, would use
  /// a whole processor.
  private struct FramePace {
    private static let (mostFrames, period) = (100, Duration.milliseconds(50))

    private var count = 0
    private var start = ContinuousClock.now

    /// Waits if too many frames have arrived in this period.
    mutating func wait() async throws {
      count += 1
      guard count >= Self.mostFrames else { return }
      let rest = Self.period - (ContinuousClock.now - start)
      if rest > .zero { try await Task.sleep(for: rest) }
      (count, start) = (0, .now)
    }
  }

  /// The frames of a page: at most one is processed and one waits.
  struct FrameFlights {
    /// How long to stop reading from a page that sends frames faster than they are processed. Otherwise, reading and
    /// discarding its frames would use a whole processor.
    static func pause(afterDiscarding bytes: Int) -> Duration {
      .milliseconds(10) + .microseconds(bytes / 20)
    }

    private let connection: LiveConnection
    private let say: LiveSocket.Say
    private var running: (sink: AsyncStream<[UInt8]>.Continuation, task: Task<Void, any Error>)?

    init(_ connection: LiveConnection, _ say: @escaping LiveSocket.Say) {
      (self.connection, self.say) = (connection, say)
    }

    /// Processes a frame after the current one, instead of the frame that is waiting.
    mutating func start(_ frame: [UInt8]) async throws {
      let sink = running?.sink ?? begin()
      if case .dropped(let earlier) = sink.yield(frame) {
        try await Task.sleep(for: Self.pause(afterDiscarding: earlier.count))
      }
    }

    private mutating func begin() -> AsyncStream<[UInt8]>.Continuation {
      let (frames, sink) = AsyncStream.makeStream(
        of: [UInt8].self, bufferingPolicy: .bufferingNewest(1))
      let task = Task { [connection, say] in
        for await frame in frames {
          try await say(.message(await connection.answer(toFrame: frame)))
        }
      }
      running = (sink, task)
      return sink
    }

    /// Waits until all frames are answered, so that the next message does not affect them.
    mutating func land() async throws {
      guard let (sink, task) = running else { return }
      running = nil
      sink.finish()
      try await task.value
    }

    /// Discards the waiting frame and waits for the current one.
    mutating func cancel() async {
      guard let (sink, task) = running else { return }
      running = nil
      sink.finish()
      task.cancel()
      _ = await task.result
    }
  }

  extension WebSocketFrame {
    fileprivate static func message(_ answer: JSONObject) -> Self {
      WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: answer.line))
    }

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
    static let mostBytes = 2 * LiveSession.mostBytes

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

  /// Tells a page that the server is ending.
  struct ServerEnding: Sendable {}

  /// Pings pages, closes the channel if a page does not respond, and says goodbye when the server ends.
  ///
  /// Browsers respond automatically. A page that shows one photo sends nothing for a long time, and a page that sends
  /// its position gets no answers, so that proxies would close the connection.
  final class OpenPageHandler: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// The number of pings without a message or response after which the channel is closed.
    private static let mostPings = 2

    private var pings = 0
    private var hasSaidGoodbye = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      pings = 0
      context.fireChannelRead(data)
    }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      // Nothing may follow a close frame (RFC 6455, 5.5.1).
      guard !hasSaidGoodbye else {
        promise?.succeed(())
        return
      }
      hasSaidGoodbye = Self.unwrapOutboundIn(data).opcode == .connectionClose
      context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      switch event {
      case is ServerEnding: sayGoodbye(context)
      case is IdleStateHandler.IdleStateEvent: ping(context)
      default: context.fireUserInboundEventTriggered(event)
      }
    }

    private func ping(_ context: ChannelHandlerContext) {
      guard pings < Self.mostPings else { return context.close(promise: nil) }
      pings += 1
      guard !hasSaidGoodbye else { return }
      let ping = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
      context.writeAndFlush(Self.wrapOutboundOut(ping), promise: nil)
    }

    private func sayGoodbye(_ context: ChannelHandlerContext) {
      guard !hasSaidGoodbye else { return }
      hasSaidGoodbye = true
      let goodbye = WebSocketFrame.close(.goingAway, "the server is ending")
      context.writeAndFlush(Self.wrapOutboundOut(goodbye), promise: nil)
    }
  }
#endif

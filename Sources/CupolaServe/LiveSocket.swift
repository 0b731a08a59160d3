#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import NIOCore
  internal import NIOWebSocket

  /// Speaks with pages: each has a connection of its own, which reads its next message when the one before is
  /// answered, and the answer on its way.
  struct LiveSocket: Sendable {
    let recognizer: Recognizer
    let collector: FrameCollector?
    let places: Places

    /// Speaks with the page behind a channel until one of them leaves.
    func open(_ channel: any Channel) throws {
      try channel.pipeline.syncOperations.addHandlers([
        IdleStateHandler(readTimeout: SilentPage.patience), SilentPage(),
      ])
      // Frames are large: few wait here for their turn, the others at the page.
      let frames = try NIOAsyncChannel<WebSocketFrame, WebSocketFrame>(
        wrappingChannelSynchronously: channel,
        configuration: .init(backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2)))
      Task {
        try? await frames.executeThenClose { page, answers in
          await converse(page) { try await answers.write($0) }
        }
      }
    }

    /// Takes a place only here, where a conversation begins: a page may leave between its request and that.
    ///
    /// - Parameter say: returns when there is room for the next answer, so that none are kept for a page that reads none.
    func converse<Frames: AsyncSequence>(
      _ page: Frames, _ say: (WebSocketFrame) async throws -> Void
    ) async where Frames.Element == WebSocketFrame {
      guard places.take() else {
        try? await say(.close(.unknown(1013), "no place left"))
        return
      }
      defer { places.leave() }
      do {
        try await answer(page, LiveConnection(recognizer, collector), say)
      } catch let fault as MessageParts.Fault {
        try? await say(.close(fault.code, "no frame of a page"))
      } catch {
        // The page has left; of a frame that is too long NIO has told it.
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
          if let answer = await Self.answer(message, connection) { try await say(answer) }
        }
      }
    }

    private static func answer(
      _ message: MessageParts.Message, _ connection: LiveConnection
    ) async -> WebSocketFrame? {
      let answer =
        message.isText
        ? await connection.answer(to: message.bytes)
        : await connection.answer(toFrame: message.bytes)
      guard let answer, let text = try? JSONObject.text(answer) else { return nil }
      return WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(string: text))
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
#endif

#if Serve
  internal import Cupola
  internal import CupolaTraining
  internal import FlyingFox
  internal import Foundation

  /// Speaks with pages: each has a connection of its own, which reads its next message when the one before is
  /// answered.
  struct LiveSocket: WSHandler {
    let recognizer: Recognizer
    let collector: FrameCollector?
    let places: Places

    /// How many pages there are.
    final class Places: Sendable {
      private let taken = Locked(0)
      private let most: Int

      init(_ most: Int) { self.most = most }

      var areLeft: Bool { taken.withLock { $0 < most } }

      /// Whether there was one left.
      func take() -> Bool {
        taken.withLock { taken in
          guard taken < most else { return false }
          taken += 1
          return true
        }
      }

      func leave() { taken.withLock { $0 -= 1 } }
    }

    /// That all places were taken meanwhile.
    private struct NoPlace: Error {}

    /// Takes a place only here, where a conversation begins: a page may leave between its request and that.
    func makeFrames(
      for client: AsyncThrowingStream<WSFrame, any Error>
    ) async throws -> AsyncStream<WSFrame> {
      guard places.take() else { throw NoPlace() }
      let connection = LiveConnection(recognizer, collector)
      // Answers that a page does not read are not kept for it.
      return AsyncStream(bufferingPolicy: .bufferingNewest(16)) { continuation in
        let task = Task { [places] in
          defer { places.leave() }
          await Self.converse(client, connection) { continuation.yield($0) }
          continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
      }
    }

    private static func converse(
      _ client: AsyncThrowingStream<WSFrame, any Error>, _ connection: LiveConnection,
      _ say: @Sendable (WSFrame) -> Void
    ) async {
      var parts = MessageParts()
      do {
        for try await frame in client {
          try MessageParts.check(frame)
          switch frame.opcode {
          case .ping:
            say(WSFrame(fin: true, opcode: .pong, mask: nil, payload: frame.payload))
          case .pong: break
          case .close:
            say(.close(code: .normalClosure))
            return
          default:
            guard let message = try parts.add(frame) else { continue }
            if let answer = await answer(message, connection) { say(answer) }
          }
        }
      } catch {
        say(.close(message: "no frame of a page"))
      }
    }

    private static func answer(
      _ message: MessageParts.Message, _ connection: LiveConnection
    ) async -> WSFrame? {
      let answer =
        message.isText
        ? await connection.answer(to: message.bytes)
        : await connection.answer(toFrame: message.bytes)
      guard let answer, let text = try? JSONObject.text(answer) else { return nil }
      return WSFrame(fin: true, opcode: .text, mask: nil, payload: Data(text.utf8))
    }
  }

  /// Puts messages together that come in several frames.
  struct MessageParts {
    struct Message {
      let isText: Bool
      let bytes: [UInt8]
    }

    enum Fault: Error { case notAllowed, outOfTurn, tooLong }

    private var isText: Bool?
    private var bytes: [UInt8] = []

    /// Refuses extensions that nobody agreed on, and frames of control that are long or in parts (RFC 6455, 5.2 and 5.5).
    static func check(_ frame: WSFrame) throws(Fault) {
      let isControl = [.close, .ping, .pong].contains(frame.opcode)
      guard !frame.rsv1, !frame.rsv2, !frame.rsv3,
        !isControl || frame.fin && frame.payload.count <= 125
      else { throw .notAllowed }
    }

    mutating func add(_ frame: WSFrame) throws -> Message? {
      switch frame.opcode {
      case .text, .binary:
        guard isText == nil else { throw Fault.outOfTurn }
        isText = frame.opcode == .text
        bytes = []
      case .continuation:
        guard isText != nil else { throw Fault.outOfTurn }
      default: throw Fault.outOfTurn
      }
      bytes += frame.payload
      guard bytes.count <= 2 * LiveConnection.mostBytes else { throw Fault.tooLong }
      guard frame.fin, let isText else { return nil }
      self.isText = nil
      return Message(isText: isText, bytes: bytes)
    }
  }
#endif

#if Serve
  internal import NIOCore
  internal import NIOWebSocket

  /// Puts messages together that come in several frames.
  struct MessageParts {
    struct Message {
      let isText: Bool
      let bytes: [UInt8]
    }

    enum Fault: Error {
      case notAllowed, outOfTurn, tooLong, notText

      /// What the other side is told (RFC 6455, 7.4.1).
      var code: WebSocketErrorCode {
        switch self {
        case .notAllowed, .outOfTurn: .protocolError
        case .tooLong: .messageTooLarge
        case .notText: .dataInconsistentWithMessage
        }
      }
    }

    /// Bytes of a message, in one frame or in parts. Twice those of a picture: one that is somewhat too large is told so.
    static let mostBytes = 2 * LiveConnection.mostBytes

    private var isText: Bool?
    private var bytes: [UInt8] = []

    /// Refuses extensions that nobody agreed on, what is not masked, frames of control that are long or in parts, and
    /// closes that say what none may (RFC 6455, 5.1, 5.2 and 5.5).
    static func check(_ frame: WebSocketFrame) throws(Fault) {
      guard frame.reservedBits.isEmpty, frame.maskKey != nil,
        !frame.opcode.isControlOpcode || frame.fin && frame.length <= 125
      else { throw .notAllowed }
      if frame.opcode == .connectionClose {
        try checkClose(Array(frame.unmaskedData.readableBytesView))
      }
    }

    /// Refuses half a code, a code that nobody may send, and a reason that is no text (RFC 6455, 5.5.1 and 7.4).
    private static func checkClose(_ bytes: [UInt8]) throws(Fault) {
      guard !bytes.isEmpty else { return }
      let code = bytes.prefix(2).reduce(0) { $0 << 8 | Int($1) }
      // 1004 to 1006 and 1015 stand for what is never sent, and nobody has given 1016 to 2999 a meaning.
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
#endif

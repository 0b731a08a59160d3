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

    /// Refuses extensions that nobody agreed on, what is not masked, and frames of control that are long or in parts
    /// (RFC 6455, 5.1, 5.2 and 5.5).
    static func check(_ frame: WebSocketFrame) throws(Fault) {
      guard frame.reservedBits.isEmpty, frame.maskKey != nil,
        !frame.opcode.isControlOpcode || frame.fin && frame.length <= 125
      else { throw .notAllowed }
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

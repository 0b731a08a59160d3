#if Serve
  import NIOCore
  import NIOWebSocket
  import Testing

  @testable import Cupola
  @testable import CupolaServe

  @Suite("The conversation with a page")
  struct LiveSocketTests {
    private let recognizer: Recognizer

    init() async throws {
      recognizer = Recognizer(model: try Model(bytes: try await TinyCampus.model()))
    }

    /// A frame as pages send it.
    private static func frame(
      _ opcode: WebSocketOpcode, _ bytes: [UInt8], fin: Bool = true
    ) -> WebSocketFrame {
      let key: WebSocketMaskingKey = [1, 2, 3, 4]
      var data = ByteBuffer(bytes: bytes)
      data.webSocketMask(key)
      return WebSocketFrame(fin: fin, opcode: opcode, maskKey: key, data: data)
    }

    @Test("puts messages together, and refuses what is out of turn or too long")
    func parts() throws {
      var parts = MessageParts()
      #expect(try parts.add(Self.frame(.binary, [1], fin: false)) == nil)
      #expect(try parts.add(Self.frame(.continuation, [2], fin: false)) == nil)
      let message = try #require(try parts.add(Self.frame(.continuation, [3])))
      #expect(message.bytes == [1, 2, 3] && !message.isText)
      #expect(throws: MessageParts.Fault.outOfTurn) {
        try parts.add(Self.frame(.continuation, []))
      }
      _ = try parts.add(Self.frame(.text, [1], fin: false))
      #expect(throws: MessageParts.Fault.outOfTurn) { try parts.add(Self.frame(.text, [])) }
      var long = MessageParts()
      let zeros = [UInt8](repeating: 0, count: 1_000_001)
      #expect(try long.add(Self.frame(.binary, zeros, fin: false)) == nil)
      #expect(throws: MessageParts.Fault.tooLong) {
        try long.add(Self.frame(.continuation, zeros))
      }
    }

    /// What is said to frames.
    private func conversation(
      _ places: Places, _ frames: [WebSocketFrame]
    ) async throws -> [WebSocketFrame] {
      let socket = LiveSocket(recognizer: recognizer, collector: nil, places: places)
      let (page, sink) = AsyncStream.makeStream(of: WebSocketFrame.self)
      for frame in frames { sink.yield(frame) }
      sink.finish()
      var said: [WebSocketFrame] = []
      await socket.converse(page) { said.append($0) }
      return said
    }

    private static func code(_ frame: WebSocketFrame) -> Int {
      frame.data.readableBytesView.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("a conversation ends with the page's close, and its place is free again")
    func conversation() async throws {
      let places = Places(1)
      let jpeg = try TinyCampus.jpeg(.arch, seed: 41)
      let said = try await conversation(
        places,
        [Self.frame(.ping, [7]), Self.frame(.binary, jpeg), Self.frame(.connectionClose, [])])
      #expect(said.map(\.opcode) == [.pong, .text, .connectionClose])
      #expect(said[0].data == ByteBuffer(bytes: [7]) && Self.code(said[2]) == 1000)
      #expect(places.take())
      let refused = try await conversation(places, [Self.frame(.ping, [7])])
      #expect(refused.map(\.opcode) == [.connectionClose])
    }

    @Test("a close may give a code that others may send, and a reason in words")
    func closes() async throws {
      let answers: [(bytes: [UInt8], code: Int)] = [
        ([], 1000), ([0x03, 0xE8], 1000), ([0x03, 0xF6], 1000), ([0x0B, 0xB8], 1000),
        ([0x13, 0x87], 1000), ([0x03, 0xE9] + Array("é".utf8), 1000),
        ([0x03], 1002), ([0, 0], 1002), ([0x03, 0xE7], 1002), ([0x03, 0xEC], 1002),
        ([0x03, 0xED], 1002), ([0x03, 0xEE], 1002), ([0x03, 0xF7], 1002), ([0x0B, 0xB7], 1002),
        ([0x13, 0x88], 1002), ([0xFF, 0xFF], 1002), ([0x03, 0xE8, 0xC3], 1007),
      ]
      for (bytes, code) in answers {
        let said = try await conversation(Places(1), [Self.frame(.connectionClose, bytes)])
        #expect(
          said.map(\.opcode) == [.connectionClose] && said.map(Self.code) == [code], "\(bytes)")
      }
    }

    @Test("text that is no UTF-8 ends it, and letters may be divided between frames")
    func text() async throws {
      let said = try await conversation(Places(1), [Self.frame(.text, [0x7B, 0xFF, 0x7D])])
      #expect(said.map(\.opcode) == [.connectionClose] && said.map(Self.code) == [1007])
      var parts = MessageParts()
      #expect(try parts.add(Self.frame(.text, [0xC3], fin: false)) == nil)
      let letter = try #require(try parts.add(Self.frame(.continuation, [0xA9])))
      #expect(letter.bytes == [0xC3, 0xA9])
    }

    @Test("a frame that the protocol does not allow ends it")
    func notAllowed() async throws {
      let long = [UInt8](repeating: 7, count: 126)
      var (extended, odd, open) = (
        Self.frame(.binary, [1]), Self.frame(.ping, []), Self.frame(.binary, [1])
      )
      extended.rsv1 = true
      odd.rsv3 = true
      open.maskKey = nil
      for frame in [
        extended, odd, open, Self.frame(.ping, [], fin: false), Self.frame(.ping, long),
        Self.frame(.connectionClose, long),
      ] {
        let said = try await conversation(Places(1), [frame])
        #expect(said.map(\.opcode) == [.connectionClose] && said.map(Self.code) == [1002])
      }
    }
  }
#endif

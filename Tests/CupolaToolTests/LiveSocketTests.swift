#if Serve
  import CupolaTestSupport
  import FlyingFox
  import Foundation
  import Testing

  @testable import Cupola
  @testable import CupolaServe

  @Suite("The conversation with a page")
  struct LiveSocketTests {
    private let recognizer: Recognizer

    init() async throws {
      recognizer = Recognizer(model: try Model(bytes: try await TinyCampus.model()))
    }

    @Test("puts messages together, and refuses what is out of turn or too long")
    func parts() throws {
      func frame(_ opcode: WSFrame.Opcode, _ bytes: [UInt8], fin: Bool = true) -> WSFrame {
        WSFrame(fin: fin, opcode: opcode, mask: nil, payload: Data(bytes))
      }
      var parts = MessageParts()
      #expect(try parts.add(frame(.binary, [1], fin: false)) == nil)
      #expect(try parts.add(frame(.continuation, [2], fin: false)) == nil)
      let message = try #require(try parts.add(frame(.continuation, [3])))
      #expect(message.bytes == [1, 2, 3] && !message.isText)
      #expect(throws: MessageParts.Fault.outOfTurn) { try parts.add(frame(.continuation, [])) }
      _ = try parts.add(frame(.text, [1], fin: false))
      #expect(throws: MessageParts.Fault.outOfTurn) { try parts.add(frame(.text, [])) }
      var long = MessageParts()
      #expect(throws: MessageParts.Fault.tooLong) {
        try long.add(frame(.binary, [UInt8](repeating: 0, count: 2_000_001)))
      }
    }

    /// What is said to frames.
    private func conversation(
      _ places: LiveSocket.Places, _ frames: [WSFrame]
    ) async throws -> [WSFrame] {
      let socket = LiveSocket(recognizer: recognizer, collector: nil, places: places)
      let (client, sink) = AsyncThrowingStream.makeStream(
        of: WSFrame.self, throwing: (any Error).self)
      for frame in frames { sink.yield(frame) }
      var said: [WSFrame] = []
      for await frame in try await socket.makeFrames(for: client) { said.append(frame) }
      return said
    }

    @Test("a conversation ends with the page's close, and its place is free again")
    func conversation() async throws {
      let places = LiveSocket.Places(1)
      let jpeg = try TinyCampus.jpeg(.arch, seed: 41)
      let said = try await conversation(
        places,
        [(WSFrame.Opcode.ping, [7]), (.binary, jpeg), (.close, [])].map { opcode, bytes in
          WSFrame(fin: true, opcode: opcode, mask: nil, payload: Data(bytes))
        })
      #expect(said.map(\.opcode) == [.pong, .text, .close] && said[0].payload == Data([7]))
      #expect(places.take())
      await #expect(throws: (any Error).self) { try await conversation(places, []) }
    }

    @Test("a frame that the protocol does not allow ends it")
    func notAllowed() async throws {
      let long = Data(repeating: 7, count: 126)
      for frame in [
        WSFrame(fin: true, rsv1: true, opcode: .binary, mask: nil, payload: Data([1])),
        WSFrame(fin: true, rsv3: true, opcode: .ping, mask: nil, payload: Data()),
        WSFrame(fin: false, opcode: .ping, mask: nil, payload: Data()),
        WSFrame(fin: true, opcode: .ping, mask: nil, payload: long),
        WSFrame(fin: true, opcode: .close, mask: nil, payload: long),
      ] {
        let said = try await conversation(LiveSocket.Places(1), [frame])
        #expect(said.map(\.opcode) == [.close])
      }
    }
  }
#endif

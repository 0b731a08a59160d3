#if Serve
  import CupolaCampus
  import CupolaTestSupport
  import Foundation
  import NIOCore
  import NIOHTTP1
  import NIOWebSocket
  import Testing

  @testable import Cupola
  @testable import CupolaServe
  @testable import CupolaTraining

  @Suite("Live socket")
  struct LiveSocketTests {
    private let recognizer: Recognizer

    init() async throws {
      recognizer = Recognizer(model: try Model(bytes: try await TinyCampus.model()))
    }

    /// A masked frame, as browsers send.
    private static func frame(
      _ opcode: WebSocketOpcode, _ bytes: [UInt8], fin: Bool = true
    ) -> WebSocketFrame {
      let key: WebSocketMaskingKey = [1, 2, 3, 4]
      var data = ByteBuffer(bytes: bytes)
      data.webSocketMask(key)
      return WebSocketFrame(fin: fin, opcode: opcode, maskKey: key, data: data)
    }

    @Test("Joins message parts and rejects wrong order or size")
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

    private func conversation(
      _ pageLimit: ConnectionLimit, _ frames: [WebSocketFrame]
    ) async throws -> [WebSocketFrame] {
      let socket = LiveSocket(recognizer: recognizer, collector: nil, pageLimit: pageLimit)
      let (page, sink) = AsyncStream.makeStream(of: WebSocketFrame.self)
      for frame in frames { sink.yield(frame) }
      sink.finish()
      let said = Locked<[WebSocketFrame]>([])
      await socket.converse(page) { frame in said.withLock { $0.append(frame) } }
      return said.withLock { $0 }
    }

    private static func code(_ frame: WebSocketFrame) -> Int {
      frame.data.readableBytesView.prefix(2).reduce(0) { $0 << 8 | Int($1) }
    }

    @Test("A close frame ends the connection and frees its place")
    func conversation() async throws {
      let limit = ConnectionLimit(1)
      let jpeg = try TinyCampus.jpeg(.arch, seed: 41)
      let said = try await conversation(
        limit,
        [Self.frame(.ping, [7]), Self.frame(.binary, jpeg), Self.frame(.connectionClose, [])])
      #expect(said.map(\.opcode) == [.pong, .text, .connectionClose])
      #expect(said[0].data == ByteBuffer(bytes: [7]) && Self.code(said[2]) == 1000)
      #expect(limit.acquire())
      let refused = try await conversation(limit, [Self.frame(.ping, [7])])
      #expect(refused.map(\.opcode) == [.connectionClose])
    }

    @Test("A newer frame replaces the one that waits, and reading continues meanwhile")
    func replacedFrames() async throws {
      let jpeg = try TinyCampus.jpeg(.arch, seed: 41)
      let pool = FramePool(threads: 1)
      var socket = LiveSocket(
        recognizer: recognizer, collector: nil, pageLimit: ConnectionLimit(1))
      socket.pool = pool
      let (page, sink) = AsyncStream.makeStream(of: WebSocketFrame.self)
      for bytes in [jpeg, jpeg, jpeg, [1, 2, 3]] { sink.yield(Self.frame(.binary, bytes)) }
      sink.yield(Self.frame(.ping, [7]))
      let (pongs, pong) = AsyncStream.makeStream(of: Void.self)
      let texts = Locked<[String]>([])
      let block = await BlockedPool(pool)
      async let conversation: Void = socket.converse(page) { frame in
        if frame.opcode == .pong { pong.finish() }
        guard frame.opcode == .text else { return }
        texts.withLock { $0.append(String(buffer: frame.data)) }
      }
      // The ping behind the frames is answered although no frame can be processed.
      for await _ in pongs {}
      #expect(texts.withLock { $0.isEmpty })
      block.end()
      sink.yield(Self.frame(.connectionClose, []))
      await conversation
      let answers = texts.withLock { $0 }
      #expect((1...2).contains(answers.count), "one in flight, one waiting")
      #expect(answers.last?.contains("not a JPEG") == true)
    }

    @Test("Many pings are answered at a limited rate")
    func manyPings() async throws {
      let start = ContinuousClock.now
      let pings = [WebSocketFrame](repeating: Self.frame(.ping, [7]), count: 250)
      let said = try await conversation(ConnectionLimit(1), pings)
      #expect(said.count == 250 && said.allSatisfy { $0.opcode == .pong })
      #expect(ContinuousClock.now - start >= .milliseconds(100), "2000 per second")
    }

    @Test("Messages apply to the frames after them")
    func order() async throws {
      let jpeg = try TinyCampus.jpeg(.arch, seed: 41)
      let said = try await conversation(
        ConnectionLimit(1),
        [
          Self.frame(.binary, jpeg), Self.frame(.text, Array(#"{"type":"forget"}"#.utf8)),
          Self.frame(.binary, jpeg), Self.frame(.connectionClose, []),
        ])
      #expect(said.map(\.opcode) == [.text, .text, .connectionClose])
      for answer in said.prefix(2) {
        #expect(String(buffer: answer.data).contains(#""frame":1,"#))
      }
    }

    @Test("Close codes and reasons are validated")
    func closes() async throws {
      let answers: [(bytes: [UInt8], code: Int)] = [
        ([], 1000), ([0x03, 0xE8], 1000), ([0x03, 0xF6], 1000), ([0x0B, 0xB8], 1000),
        ([0x13, 0x87], 1000), ([0x03, 0xE9] + Array("é".utf8), 1000),
        ([0x03], 1002), ([0, 0], 1002), ([0x03, 0xE7], 1002), ([0x03, 0xEC], 1002),
        ([0x03, 0xED], 1002), ([0x03, 0xEE], 1002), ([0x03, 0xF7], 1002), ([0x0B, 0xB7], 1002),
        ([0x13, 0x88], 1002), ([0xFF, 0xFF], 1002), ([0x03, 0xE8, 0xC3], 1007),
      ]
      for (bytes, code) in answers {
        let said = try await conversation(ConnectionLimit(1), [Self.frame(.connectionClose, bytes)])
        #expect(
          said.map(\.opcode) == [.connectionClose] && said.map(Self.code) == [code], "\(bytes)")
      }
    }

    @Test("Text must be UTF-8, but letters may span frames")
    func text() async throws {
      let said = try await conversation(
        ConnectionLimit(1), [Self.frame(.text, [0x7B, 0xFF, 0x7D])])
      #expect(said.map(\.opcode) == [.connectionClose] && said.map(Self.code) == [1007])
      var parts = MessageParts()
      #expect(try parts.add(Self.frame(.text, [0xC3], fin: false)) == nil)
      let letter = try #require(try parts.add(Self.frame(.continuation, [0xA9])))
      #expect(letter.bytes == [0xC3, 0xA9])
    }

    @Test("A frame that violates the protocol closes the socket")
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
        let said = try await conversation(ConnectionLimit(1), [frame])
        #expect(said.map(\.opcode) == [.connectionClose] && said.map(Self.code) == [1002])
      }
    }
  }

  /// Occupies the only thread of a pool.
  struct BlockedPool: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    init(_ pool: FramePool) async {
      let (starts, start) = AsyncStream.makeStream(of: Void.self)
      Task { [gate] in
        await pool.run(for: FramePool.Share()) {
          start.finish()
          gate.wait()
        }
      }
      for await _ in starts {}
    }

    func end() { gate.signal() }
  }

  @Suite("Frame pool")
  struct FramePoolTests {
    @Test("A connection that used little time goes before the backlog of others")
    func turns() async throws {
      let pool = FramePool(threads: 1)
      let (greedy, modest) = (FramePool.Share(), FramePool.Share())
      await pool.run(for: greedy) { _ = usleep(5000) }
      let block = await BlockedPool(pool)
      let order = Locked<[String]>([])
      await withTaskGroup { group in
        for (number, (share, name)) in [(greedy, "greedy"), (modest, "modest")].enumerated() {
          group.addTask {
            await pool.run(for: share) { order.withLock { $0.append(name) } }
          }
          while pool.waitingCount <= number { await Task.yield() }
        }
        block.end()
      }
      #expect(order.withLock { $0 } == ["modest", "greedy"])
    }

    @Test("All work runs, on as many threads as the pool has")
    func threads() async {
      let pool = FramePool(threads: 2)
      let running = Locked((now: 0, most: 0))
      await withTaskGroup { group in
        for _ in 0..<40 {
          group.addTask {
            await pool.run(for: FramePool.Share()) {
              running.withLock { running in
                running.now += 1
                running.most = max(running.most, running.now)
              }
              usleep(1000)
              running.withLock { $0.now -= 1 }
            }
          }
        }
      }
      #expect(running.withLock { $0.now } == 0 && running.withLock { (1...2).contains($0.most) })
    }

    @Test("Long work leaves one thread free, and all of it runs")
    func longWork() async {
      let pool = FramePool(threads: 2)
      let gate = DispatchSemaphore(value: 0)
      let begun = Locked(0)
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            await pool.run(for: FramePool.Share(), isLong: true) {
              begun.withLock { $0 += 1 }
              _ = gate.wait(timeout: .now() + 20)
            }
          }
        }
        while begun.withLock({ $0 }) + pool.waitingCount < 3 { await Task.yield() }
        for _ in 0..<20 { await pool.run(for: FramePool.Share()) {} }
        #expect(begun.withLock { $0 } == 1 && pool.waitingCount == 2)
        for _ in 0..<3 { gate.signal() }
      }
      #expect(begun.withLock { $0 } == 3)
    }
  }

  @Suite("Live connection")
  struct LiveConnectionTests {
    @Test("Frames with more than 16 scans are rejected")
    func scans() async throws {
      let file = Repository.root.appending(
        path: "Tests/CupolaTests/Fixtures/jpeg/progressive-444.jpg")
      let frame = Array(try Data(contentsOf: file))
      let last = try #require(
        frame.indices.dropLast().last { frame[$0...($0 + 1)] == [0xFF, 0xDA] })
      let scans = (0..<16).flatMap { _ in frame[last..<frame.count - 2] }
      let many = frame.dropLast(2) + scans + [0xFF, 0xD9]
      let model = try Model(bytes: try await TinyCampus.model())
      let connection = LiveConnection(Recognizer(model: model), nil)
      for (frame, words) in [(frame, "\"answer\""), (Array(many), "16 progressive scans")] {
        let answer = await connection.answer(toFrame: frame)
        #expect(try JSONObject.text(answer).contains(words))
      }
    }

    @Test("Frames of OpenStreetMap labels are kept under the name")
    func openStreetMap() async throws {
      let folder = try TemporaryFolder()
      var model = try Model(bytes: try await TinyCampus.model())
      model.campus = try Campus(geoJSON: Array(TinyCampus.openStreetMap.utf8))
      let connection = LiveConnection(
        Recognizer(model: model), FrameCollector(folder: folder.path("photos")))
      func keep(_ label: String) async throws -> String {
        let message = #"{"type":"keep","label":"\#(label)"}"#
        let answer = await connection.answer(to: Array(message.utf8))
        return try JSONObject.text(try #require(answer))
      }
      _ = await connection.answer(toFrame: try TinyCampus.jpeg(.barn, seed: 41))
      let kept = try await keep("way/2")
      #expect(kept.contains("\"Red Barn\"") && kept.contains("\"kept\""))
      // Unknown labels are rejected.
      let refused = try await keep("way/7")
      #expect(refused.contains("\"error\""))
      let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path("photos"))
      #expect(folders == ["Red Barn"])
      let matching = LabelMatching(folders, model.campus?.buildings ?? [])
      #expect(matching.joined.map(\.building.label) == ["way/2"])
    }
  }

  @Suite("Live messages")
  struct LiveMessageTests {
    @Test("A heading states its reference north")
    func headings() {
      for (field, reference) in [
        ("", Heading.Reference.trueNorth), (#","reference":"true""#, .trueNorth),
        (#","reference":"magnetic""#, .magneticNorth),
      ] {
        let text = #"{"type":"place","latitude":48,"longitude":11,"heading":-90"# + field + "}"
        guard case .place(let position, let heading) = LiveMessage(Array(text.utf8)) else {
          Issue.record("\(text) was rejected")
          continue
        }
        #expect(position?.latitude == 48)
        #expect(heading == Heading(degrees: 270, reference: reference))
      }
      #expect(LiveMessage(Array(#"{"type":"place","heading":1,"reference":"up"}"#.utf8)) == nil)
    }
  }

  @Suite("cupola serve page")
  struct LivePageTests {
    private let script: String

    init() throws {
      let page = try #require(LivePage.response("/page.js"))
      script = String(decoding: try page.bytes, as: UTF8.self)
    }

    @Test("The page has texts for every side of the fence")
    func fences() throws {
      let line = try #require(script.split(separator: "\n").first { $0.hasPrefix("const fences") })
      for side in FenceSide.allCases { #expect(line.contains(" \(side.rawValue): ")) }
    }

    @Test("The page shows the server's words, and \"Looking...\" only for moving pictures")
    func words() throws {
      let page = try #require(LivePage.response("/answer.js"))
      let text = String(decoding: try page.bytes, as: UTF8.self)
      for words in ["campus building", "on campus", "unsure:", "probably"] {
        #expect(!text.lowercased().contains(words))
      }
      #expect(script.contains(#"isPhoto ? "Recognizing..." : "Looking...""#))
    }

    // `Scripts/verify live` tests the effect.
    @Test("The page checks the position age before sending frames")
    func positionAge() throws {
      let resume = try #require(
        script.split(separator: "\nfunction resume() {\n").dropFirst().first)
      let body = try #require(resume.split(separator: "\n}\n").first)
      let calls = body.split(separator: "\n").map { $0.drop { $0 == " " } }
      let asks = try #require(calls.firstIndex(of: "position.refresh();"))
      let sends = try #require(calls.firstIndex(of: "pump();"))
      #expect(asks < sends)
    }

    @Test("The page explains refusals without a WebSocket")
    func refusals() async throws {
      let recognizer = Recognizer(model: try Model(bytes: try await TinyCampus.model()))
      var options = LiveServer.Options()
      options.mostPages = 0
      let full = LiveServer(recognizer, options)
      options.token = "12345678"
      let closed = LiveServer(recognizer, options)
      let asked: [(server: LiveServer, host: String, status: HTTPResponseStatus)] = [
        (closed, "localhost", .unauthorized), (full, "campus.example", .forbidden),
        (full, "localhost", .serviceUnavailable),
      ]
      for (server, host, status) in asked {
        let request = try #require(ServedRequest("GET", target: "/live", headers: ["Host": host]))
        #expect(await server.answer(request).status == status)
        #expect(script.contains("\n  \(status.code): \""))
      }
      #expect(script.contains("if (!wasOpen) showRefusal();"))
    }
  }
#endif

#if Serve
  import CupolaTestSupport
  import Foundation
  import NIOCore
  import Testing

  @testable import Cupola
  @testable import CupolaGuide
  @testable import CupolaServe

  @Suite("cupola serve connections", .serialized, .timeLimit(.minutes(10)))
  struct HTTPConnectionTests {
    let folder: TemporaryFolder
    let recognizer: Recognizer

    init() async throws {
      folder = try TemporaryFolder()
      recognizer = Recognizer(model: try Model(bytes: try await TinyCampus.model()))
    }

    func server(
      _ change: (inout LiveServer.Options) throws -> Void = { _ in }
    ) throws -> LiveServer {
      var options = LiveServer.Options()
      options.port = 0
      try change(&options)
      return LiveServer(recognizer, options)
    }

    static func get(_ target: String, _ fields: String...) -> String {
      (["GET \(target) HTTP/1.1", "Host: localhost"] + fields).joined(separator: "\r\n")
        + "\r\n\r\n"
    }

    @Test("Answers pipelined requests in order until closed")
    func order() async throws {
      try await RunningServer.run(server()) { server in
        let heard = await server.ask(
          Self.get("/page.css")
            + "HEAD /page.css HTTP/1.1\r\nHost: localhost\r\n\r\n" + Self.get("/nothing")
            + Self.get("/%zz") + Self.get("/page.js"))
        #expect(RunningServer.statuses(heard) == [200, 200, 404, 400])
        let last = await server.ask(Self.get("/nothing", "Connection: close") + Self.get("/"))
        #expect(RunningServer.statuses(last) == [404])
        #expect(last.hasSuffix("\r\n\r\nNot Found\n") && last.contains("Content-Length: 10\r\n"))
        #expect(last.contains("\r\nDate: "))
      }
    }

    private static func post(
      _ body: String, length: Int? = nil, _ fields: String...
    ) -> String {
      let length = length ?? body.utf8.count
      let head =
        ["POST /photo HTTP/1.1", "Content-Length: \(length)", "Connection: close"] + fields
      return head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    @Test("Only photos may have large bodies, and refused ones are not received")
    func photos() async throws {
      let text = String(repeating: "x", count: 100_000)
      try await RunningServer.run(server()) { server in
        for (request, status) in [
          (Self.post(text, "Host: localhost"), 415),
          (Self.post(text, "Host: localhost").replacing("/photo", with: "/"), 413),
          (Self.post("", length: 17 << 20, "Host: localhost"), 413),
          (Self.post("", length: 9, "Host: campus.example"), 403),
          (Self.post("", length: 9, "Host: localhost", "Origin: http://other.example"), 403),
          (Self.get("/photo", "Connection: close"), 405),
        ] {
          let heard = await server.ask(request)
          #expect(RunningServer.statuses(heard) == [status], "\(request.prefix(150))")
        }
      }
    }

    @Test("Places for photos are limited, and free again when they are released")
    func photoPlaces() throws {
      let photos = try server().photos
      var places = [photos.place(), photos.place()]
      #expect(places.allSatisfy { $0 != nil } && photos.place() == nil)
      places.removeLast()
      #expect(photos.place() != nil)
    }

    @Test("Rejects long request heads and answers others meanwhile")
    func longHeads() async throws {
      try await RunningServer.run(server()) { server in
        let line = String(repeating: "A", count: 1_600_000)
        async let long = server.ask(Self.get("/page.css", "X-A: " + line))
        async let target = server.ask(Self.get("/" + line))
        let other = await server.ask(Self.get("/page.css", "Connection: close"))
        #expect(RunningServer.statuses(other) == [200])
        #expect(RunningServer.statuses(await long) == [431])
        #expect(RunningServer.statuses(await target) == [431])
        let many = (0..<200).map { "X-\($0): 1" }.joined(separator: "\r\n")
        #expect(RunningServer.statuses(await server.ask(Self.get("/page.css", many))) == [431])
        // The limit of 16 kB applies to all fields together.
        for (count, status) in [(15, 404), (17, 431)] {
          let fields = (0..<count).map { "X-\($0): " + String(repeating: "A", count: 1000) }
          let heard = await server.ask(
            Self.get("/nothing", fields.joined(separator: "\r\n"), "Connection: close"))
          #expect(RunningServer.statuses(heard) == [status])
        }
        #expect(RunningServer.statuses(await server.ask("nonsense\r\n\r\n")) == [400])
      }
    }

    @Test("Rejects requests without Host and upgrades of HTTP/1.0")
    func hostsAndUpgrades() async throws {
      try await RunningServer.run(server()) { server in
        let nameless = await server.ask("GET /page.css HTTP/1.1\r\n\r\n")
        #expect(RunningServer.statuses(nameless) == [400])
        let old = await server.ask("GET /nothing HTTP/1.0\r\n\r\n")
        #expect(RunningServer.statuses(old) == [404])
        let whole = ["HTTP://localhost/page.css", "http://localhost?x", "http://evil/campus.json"]
        let asked = whole.map { Self.get($0) }.joined() + Self.get("/nothing", "Connection: close")
        #expect(RunningServer.statuses(await server.ask(asked)) == [200, 200, 403, 404])
        let blanks =
          "POST /tours/x HTTP/1.1\r\nHost: localhost\t\r\nContent-Length: 3 \r\n\r\nabc"
          + "GET /campus.json HTTP/1.1\r\nHost:  localhost \t\r\nConnection: close\t\r\n\r\n"
        #expect(RunningServer.statuses(await server.ask(blanks)) == [404, 200])
        let upgrade = Self.handshake.replacing("HTTP/1.1", with: "HTTP/1.0")
        #expect(RunningServer.statuses(await server.ask(upgrade)) == [400])
      }
    }

    @Test("Never reads a body as another request")
    func bodies() async throws {
      try await RunningServer.run(server()) { server in
        let hidden = Self.get("/campus.json")
        let (large, chunk) = (2_097_153, String(hidden.utf8.count, radix: 16))
        let filled = hidden + String(repeating: "A", count: large - hidden.utf8.count)
        let chunks = "\(chunk)\r\n\(hidden)\r\n0\r\n\r\n" + hidden
        let many = String(repeating: "\(chunk)\r\n\(hidden)\r\n", count: 200) + "0\r\n\r\n" + hidden
        for (start, field, body, status) in [
          ("GET /page.css", "Content-Length: \(large)", filled, 400),
          ("GET /page.css", "Content-Length: \(hidden.utf8.count)", hidden + hidden, 400),
          ("HEAD /page.css", "Content-Length: 5", "12345" + hidden, 400),
          ("GET /page.css", "Transfer-Encoding: chunked", chunks, 400),
          ("POST /tours/x", "Content-Length: \(large)", filled, 413),
          ("POST /tours/x", "Transfer-Encoding: chunked", many, 413),
          ("POST /tours/x", "Transfer-Encoding: gzip, chunked", chunks, 501),
          ("GET /page.css", "Transfer-Encoding: gzip, chunked", chunks, 501),
          ("POST /tours/x", "Content-Length: 3\r\nContent-Length: 4", hidden, 400),
          ("POST /tours/x", "Content-Length: 3\r\nTransfer-Encoding: chunked", chunks, 400),
          ("GET /page.css", "Host: localhost", hidden, 400),
        ] {
          let heard = await server.ask(
            "\(start) HTTP/1.1\r\nHost: localhost\r\n\(field)\r\n\r\n\(body)")
          #expect(RunningServer.statuses(heard) == [status], "\(start) \(field)")
          #expect(!heard.contains("cupola.campus"), "\(start) \(field)")
        }
        let post = "POST /tours/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc"
        let next = await server.ask(post + Self.get("/page.css", "Connection: close"))
        #expect(RunningServer.statuses(next) == [404, 200])
      }
    }

    @Test("Sends 100 Continue only if the body would be read")
    func expectation() async throws {
      try await RunningServer.run(server()) { server in
        let head = "POST /tours/x HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
        try await server.talk { talk in
          try await talk.say(Array((head + "Content-Length: 3\r\n\r\n").utf8))
          try await talk.hear { $0.suffix(4) == [13, 10, 13, 10] }
          #expect(talk.text == "HTTP/1.1 100 Continue\r\n\r\n")
          try await talk.say(Array("abc".utf8))
          try await talk.hear { $0.suffix(10) == Array("Not Found\n".utf8)[...] }
          #expect(RunningServer.statuses(talk.text) == [404])
        }
        let long = await server.ask(head + "Content-Length: 5000\r\n\r\n")
        #expect(RunningServer.statuses(long) == [413])
        let empty = await server.ask(head + "Connection: close\r\n\r\n")
        #expect(RunningServer.statuses(empty) == [404])
      }
    }

    @Test("Answers half-closed connections and closes them")
    func halfClosed() async throws {
      let part = [UInt8](repeating: 7, count: 1_000_000)
      let path = folder.path + "/campus.guide"
      _ = try GuideBundle.write(parts: ["a.bin": part], name: "Campus", to: path)
      let name = try GuideBundle(reading: path).manifest.parts[0].file
      var server = try server { $0.guide = try ServedGuide(folder: path) }
      // Longer than a loaded machine takes: nothing here ends by waiting.
      (server.timeouts.request, server.timeouts.next) = (.minutes(5), .minutes(5))
      try await RunningServer.run(server) { server in
        for (text, statuses, length) in [
          (Self.get("/guide/" + name), [200], part.count),
          (Self.get("/campus.json") + Self.get("/nothing"), [200, 404], 0),
          ("POST /tours/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\na", [400], 0),
          ("", [], 0),
        ] {
          try await server.talk { talk in
            if !text.isEmpty { try await talk.say(Array(text.utf8)) }
            talk.sayNoMore()
            try await talk.hear()
            #expect(RunningServer.statuses(talk.text) == statuses, "\(text)")
            #expect(talk.heard.count >= length)
          }
        }
      }
    }

    @Test("Closes connections above the limit and accepts later ones")
    func limit() async throws {
      var server = try server { $0.mostConnections = 4 }
      // The idle connections must stay open until they are closed here.
      server.timeouts.request = .minutes(5)
      try await RunningServer.run(server) { server in
        let idle = try await server.connect(times: 4)
        #expect(await server.ask(Self.get("/page.css")) == "")
        for channel in idle { try await channel.close() }
        var heard = ""
        for _ in 0..<200 where heard.isEmpty {
          try await Task.sleep(for: .milliseconds(20))
          heard = await server.ask(Self.get("/nothing", "Connection: close"))
        }
        #expect(RunningServer.statuses(heard) == [404])
      }
    }

    @Test("A low file limit does not end the server")
    func fewFiles() async throws {
      try folder.write(try recognizer.model.bytes(), to: "m.safetensors")
      let process = try Tool.process([], in: folder)
      process.arguments = [
        "-c", "ulimit -n 60 && exec \"$@\"", "sh", try Tool.executable().path, "serve",
        "m.safetensors", "--port", "0",
      ]
      process.executableURL = URL(filePath: "/bin/sh")
      let server = try RunningServer.start(process).server
      defer { process.terminate() }
      let idle = try await server.connect(times: 80)
      for channel in idle { channel.close(promise: nil) }
      var heard = ""
      for _ in 0..<200 where heard.isEmpty {
        try await Task.sleep(for: .milliseconds(20))
        heard = await server.ask(Self.get("/nothing", "Connection: close"))
      }
      #expect(RunningServer.statuses(heard) == [404])
      #expect(process.isRunning)
    }

    @Test("Sends a large file from any byte")
    func files() async throws {
      let part = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
      let path = folder.path + "/campus.guide"
      _ = try GuideBundle.write(parts: ["a.bin": part], name: "Campus", to: path)
      let name = try GuideBundle(reading: path).manifest.parts[0].file
      let server = try server { $0.guide = try ServedGuide(folder: path) }
      try await RunningServer.run(server) { server in
        for (range, bytes) in [("bytes=0-", part[...]), ("bytes=100000-", part[100_000...])] {
          try await server.talk { talk in
            try await talk.say(
              Array(Self.get("/guide/" + name, "Range: \(range)", "Connection: close").utf8))
            try await talk.hear()
            #expect(talk.heard.count > bytes.count && talk.heard.suffix(bytes.count) == bytes)
          }
        }
      }
    }

    static let handshake = get(
      "/live", "Upgrade: websocket", "Connection: keep-alive, Upgrade",
      "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==")

    /// Opens a WebSocket after another request.
    private func page(
      _ server: LiveServer? = nil, _ body: (inout RunningServer.Talk) async throws -> Void
    ) async throws {
      try await RunningServer.run(server ?? self.server()) { server in
        try await server.talk { talk in
          try await talk.say(Array(Self.get("/nothing").utf8))
          try await talk.hear { $0.suffix(10) == Array("Not Found\n".utf8)[...] }
          try await talk.open()
          #expect(talk.text.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo="))
          try await body(&talk)
        }
      }
    }

    @Test("A WebSocket requires masked frames")
    func conversation() async throws {
      try await page { talk in
        try await talk.say([0x89, 0x81, 1, 2, 3, 4, 7 ^ 1])
        try await talk.hear { $0.count >= 3 }
        #expect(talk.heard == [0x8A, 1, 7])
        try await talk.say([0x81, 0x81, 1, 2, 3, 4, 0x7B ^ 1])
        try await talk.hear { $0.last == UInt8(ascii: "}") }
        #expect(talk.heard.first == 0x81 && talk.text.contains("invalid message"))
        try await talk.say([0x81, 1, 0x7B])
        try await talk.hear()
        #expect(talk.heard.first == 0x88 && talk.heard.dropFirst(2).prefix(2) == [0x03, 0xEA])
      }
    }

    @Test("A frame that is too long closes with 1009")
    func longFrame() async throws {
      try await page { talk in
        try await talk.say([0x82, 0xFF, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0])
        try await talk.hear()
        #expect(talk.heard == [0x88, 2, 0x03, 0xF1])
      }
    }

    @Test("Pings pages, and closes pages that do not respond")
    func pings() async throws {
      var server = try server()
      #expect(server.timeouts.ping <= .seconds(30), "proxies close connections after 60 s")
      server.timeouts.ping = .milliseconds(400)
      try await page(server) { talk in
        try await talk.hear { $0.count >= 2 }
        #expect(talk.heard.prefix(2) == [0x89, 0])
        // A response restarts the count.
        try await talk.say([0x8A, 0x80, 1, 2, 3, 4])
        try await talk.hear()
        #expect(talk.heard.count.isMultiple(of: 2) && talk.heard.count >= 2)
      }
    }

    @Test("Responds to requests while all threads for frames are busy")
    func busyPool() async throws {
      var server = try server()
      let pool = FramePool(threads: 1)
      server.socket.pool = pool
      let block = await BlockedPool(pool)
      let frame = try RunningServer.Talk.frame(TinyCampus.jpeg(.arch, seed: 41))
      try await RunningServer.run(server) { server in
        try await withThrowingTaskGroup { group in
          let (sent, send) = AsyncStream.makeStream(of: Void.self)
          for _ in 0..<8 {
            group.addTask {
              try await server.talk { talk in
                try await talk.open()
                for _ in 0..<5 { try await talk.say(frame) }
                send.yield()
                try await talk.hear { $0.last == UInt8(ascii: "}") }
                #expect(talk.text.contains("answer"))
              }
            }
          }
          var pages = 0
          for await _ in sent {
            pages += 1
            if pages == 8 { break }
          }
          let heard = await server.ask(Self.get("/campus.json", "Connection: close"))
          #expect(RunningServer.statuses(heard) == [200])
          block.end()
          try await group.waitForAll()
        }
      }
    }

    @Test("Logs requests without their queries")
    func accessLog() async throws {
      let lines = Locked<[String]>([])
      let logging = try server { options in
        options.token = "12345678"
        options.accessLog = { line in lines.withLock { $0.append(line) } }
      }
      try await RunningServer.run(logging) { server in
        _ = await server.ask(
          Self.get("/campus.json?token=12345678", "X-Forwarded-For: 10.0.0.9") + "nonsense\r\n\r\n")
      }
      let entries = try lines.withLock { $0 }.map { line in
        try expectValid(json: Array(line.utf8))
        return try #require(
          try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      }
      try #require(entries.count == 2)
      #expect(entries[0]["method"] as? String == "GET" && entries[0]["status"] as? Int == 200)
      #expect(entries[0]["path"] as? String == "/campus.json")
      #expect(entries[0]["client"] as? String == "10.0.0.9")
      #expect((entries[0]["bytes"] as? Int ?? 0) > 100)
      #expect(entries[1]["status"] as? Int == 400 && entries[1]["path"] == nil)
      #expect(lines.withLock { !$0.joined().contains("12345678") })
    }

    @Test("Reports health without a token")
    func health() async throws {
      try await RunningServer.run(server { $0.token = "12345678" }) { server in
        let heard = await server.ask(
          "GET /healthz HTTP/1.1\r\nHost: 10.0.0.1:8080\r\nConnection: close\r\n\r\n")
        #expect(RunningServer.statuses(heard) == [200] && heard.hasSuffix("\r\n\r\nok\n"))
      }
    }

    @Test("A rejected upgrade gets one response")
    func refusedUpgrade() async throws {
      try await RunningServer.run(server { $0.mostPages = 0 }) { server in
        let heard = await server.ask(Self.handshake + Self.get("/page.css"))
        #expect(RunningServer.statuses(heard) == [503])
        let other = await server.ask(
          Self.get("/nothing", "Upgrade: h2c", "Connection: Upgrade") + Self.get("/page.css"))
        #expect(RunningServer.statuses(other) == [404])
      }
    }
  }

  /// Timeouts and slow clients.
  extension HTTPConnectionTests {
    @Test("Closes if a request does not arrive in time")
    func timeouts() async throws {
      var server = try server()
      server.timeouts.request = .milliseconds(300)
      server.timeouts.next = .milliseconds(300)
      try await RunningServer.run(server) { server in
        #expect(await server.ask("") == "")
        try await server.talk { talk in
          let start = ContinuousClock.now
          while ContinuousClock.now - start < .seconds(10) {
            guard (try? await talk.say([UInt8(ascii: "G")])) != nil else { return }
            try await Task.sleep(for: .milliseconds(20))
          }
          Issue.record("the connection is still open")
        }
        // On a busy machine, even the request may be late.
        var answers: [Int] = []
        for _ in 0..<20 where answers.isEmpty {
          answers = RunningServer.statuses(await server.ask(Self.get("/nothing")))
        }
        #expect(answers == [404])
      }
    }

    @Test("Stops reading if the client reads no responses")
    func backpressure() async throws {
      var server = try server()
      server.timeouts.next = .minutes(5)
      try await RunningServer.run(server) { server in
        let channel = try #require(try await server.connect(times: 1).first)
        try await channel.setOption(.autoRead, value: false).get()
        // Several times the size of the system's buffers.
        let head = "HEAD /page.css HTTP/1.1\r\nHost: localhost\r\nX-A: "
        let request = head + String(repeating: "A", count: 1000) + "\r\n\r\n"
        let heads = ByteBuffer(string: String(repeating: request, count: 1000))
        let taken = Locked(0)
        for _ in 0..<64 {
          channel.writeAndFlush(heads).whenSuccess { taken.withLock { $0 += 1 } }
        }
        var (last, still) = (0, 0)
        while last == 0 || still < 100 && last < 64 {
          try await Task.sleep(for: .milliseconds(20))
          let now = taken.withLock { $0 }
          (last, still) = (now, now == last ? still + 1 : 0)
        }
        #expect(last < 64)
        try await channel.close()
      }
    }

    @Test("Closes a client that reads no responses")
    func unreadResponses() async throws {
      var server = try server { $0.mostConnections = 1 }
      server.timeouts.next = .seconds(1)
      try await RunningServer.run(server) { server in
        try await server.talk { talk in
          // More data than the system buffers hold. Each response needs a thread for tasks, so few large ones are faster.
          let head = Array("GET /page.js HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
          let heads = [[UInt8]](repeating: head, count: 200).flatMap(\.self)
          for _ in 0..<100 { try? await talk.say(heads) }
          talk.sayNoMore()
          var heard = ""
          for _ in 0..<6000 where heard.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
            heard = await server.ask(Self.get("/nothing", "Connection: close"))
          }
          #expect(RunningServer.statuses(heard) == [404])
        }
      }
    }
  }

  @Suite("HTTP dates")
  struct HTTPDateTests {
    @Test("Dates match RFC 9110, section 5.6.7")
    func text() {
      #expect(HTTPDate.text(784_111_777.9) == "Sun, 06 Nov 1994 08:49:37 GMT")
      #expect(HTTPDate.text(0) == "Thu, 01 Jan 1970 00:00:00 GMT")
      #expect(HTTPDate.text(1_709_251_199) == "Thu, 29 Feb 2024 23:59:59 GMT")
      for seconds in [-1, 1e300, .infinity, .nan] { #expect(HTTPDate.text(seconds) == nil) }
    }
  }
#endif

#if Serve
  import NIOCore
  import Testing

  @testable import Cupola
  @testable import CupolaServe

  /// How long who asks may take.
  extension HTTPConnectionTests {
    @Test("closes when a request does not come, however slowly it begins")
    func patience() async throws {
      var server = try server()
      server.patience.request = .milliseconds(300)
      server.patience.next = .milliseconds(300)
      try await RunningServer.run(server) { server in
        #expect(await server.ask("") == "")
        try await server.talk { talk in
          let start = ContinuousClock.now
          while ContinuousClock.now - start < .seconds(10) {
            guard (try? await talk.say([UInt8(ascii: "G")])) != nil else { return }
            try await Task.sleep(for: .milliseconds(20))
          }
          Issue.record("it still listens")
        }
        // On a busy machine the request itself may come late.
        var answers: [Int] = []
        for _ in 0..<20 where answers.isEmpty {
          answers = RunningServer.statuses(await server.ask(Self.get("/nothing")))
        }
        #expect(answers == [404])
      }
    }

    @Test("reads no more requests of who reads none of the answers")
    func keepsLittle() async throws {
      var server = try server()
      server.patience.next = .minutes(5)
      try await RunningServer.run(server) { server in
        let channel = try #require(try await server.connect(times: 1).first)
        try await channel.setOption(.autoRead, value: false).get()
        // In all several times what the system keeps of requests and answers.
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

    @Test("closes who asks much, says no more and reads none of the answers")
    func unread() async throws {
      var server = try server { $0.mostConnections = 1 }
      server.patience.next = .seconds(1)
      try await RunningServer.run(server) { server in
        try await server.talk { talk in
          // Heads alone, more of them than the system keeps for who does not read.
          let head = Array("HEAD /page.css HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
          let heads = [[UInt8]](repeating: head, count: 200).flatMap(\.self)
          for _ in 0..<100 { try? await talk.say(heads) }
          talk.sayNoMore()
          var heard = ""
          for _ in 0..<1500 where heard.isEmpty {
            try await Task.sleep(for: .milliseconds(20))
            heard = await server.ask(Self.get("/nothing", "Connection: close"))
          }
          #expect(RunningServer.statuses(heard) == [404])
        }
      }
    }
  }
#endif

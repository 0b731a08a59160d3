#if Serve
  import NIOCore
  import Testing

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
        #expect(RunningServer.statuses(await server.ask(Self.get("/nothing"))) == [404])
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

#if Serve
  import CupolaTestSupport
  import Foundation
  import NIOCore
  import Testing

  @testable import Cupola
  @testable import CupolaServe

  /// The end of the server.
  extension HTTPConnectionTests {
    /// A close frame with code 1001.
    private static func isGoodbye(_ bytes: [UInt8]) -> Bool {
      bytes.count > 3 && bytes[0] == 0x88 && bytes[2] == 0x03 && bytes[3] == 0xE9
    }

    @Test("Says goodbye to pages when it ends, and waits for their responses")
    func goodbye() async throws {
      var server = try server()
      server.timeouts.ending = .minutes(5)
      let (ports, ready) = AsyncStream.makeStream(of: UInt16.self)
      let running = Task { [server] in try await server.run { ready.yield($0) } }
      var found: UInt16?
      for await port in ports {
        found = port
        break
      }
      let client = RunningServer(port: Int(try #require(found)))
      // A connection without a request is closed at once.
      let idle = try await client.connect(times: 1)
      try await client.talk { talk in
        try await talk.open()
        running.cancel()
        try await talk.hear { $0.count > 3 }
        #expect(Self.isGoodbye(talk.heard))
        try await talk.say([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE9])
        try await talk.hear()
        #expect(talk.heard.allSatisfy { $0 != 0x88 }, "only one close frame")
      }
      try await running.value
      for channel in idle { try await channel.closeFuture.get() }
      #expect(await client.ask(Self.get("/page.css")) == "")
    }

    @Test("Ends in time although a page does not respond")
    func ending() async throws {
      var server = try server()
      server.timeouts.ending = .milliseconds(200)
      let (ports, ready) = AsyncStream.makeStream(of: UInt16.self)
      let running = Task { [server] in try await server.run { ready.yield($0) } }
      for await port in ports {
        try await RunningServer(port: Int(port)).talk { talk in
          try await talk.open()
          running.cancel()
          try await running.value
          try await talk.hear()
          #expect(Self.isGoodbye(talk.heard))
        }
        break
      }
    }

    /// `cupola serve` or `cupola studio`, with a token.
    private func process(_ command: String) throws -> Process {
      try folder.write(try recognizer.model.bytes(), to: "p/campus.safetensors")
      return try Tool.process(
        [command, command == "serve" ? "p/campus.safetensors" : "p", "--port", "0"], in: folder,
        environment: ["CUPOLA_TOKEN": "12345678"])
    }

    private static let open = handshake.replacing("/live", with: "/live?token=12345678")

    @Test("SIGTERM ends the command with 0, and Ctrl-C with 130", arguments: [SIGTERM, SIGINT])
    func signals(signal: Int32) async throws {
      let process = try process("serve")
      let server = try RunningServer.start(process).server
      defer { process.terminate() }
      try await server.talk { talk in
        try await talk.open(Self.open)
        kill(process.processIdentifier, signal)
        try await talk.hear { $0.count > 3 }
        #expect(Self.isGoodbye(talk.heard))
        try await talk.say([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE9])
        try await talk.hear()
      }
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == (signal == SIGTERM ? 0 : 130))
    }

    @Test("A second signal ends the command although a page is still open")
    func secondSignal() async throws {
      let process = try process("serve")
      let server = try RunningServer.start(process).server
      defer { process.terminate() }
      try await server.talk { talk in
        try await talk.open(Self.open)
        kill(process.processIdentifier, SIGTERM)
        try await talk.hear { $0.count > 3 }
        // The page does not respond. After 5 s, the exit code would be 0.
        kill(process.processIdentifier, SIGINT)
        try await talk.hear()
      }
      process.waitUntilExit()
      #expect(process.terminationReason == .exit && process.terminationStatus == 130)
    }

    @Test("Signals end Studio while a page waits for changes", arguments: [SIGTERM, SIGINT])
    func studioSignals(signal: Int32) async throws {
      let process = try process("studio")
      let (server, line) = try RunningServer.start(process)
      defer { process.terminate() }
      #expect(line.hasPrefix("Studio: http://127.0.0.1:") && !line.contains("12345678"))
      try await server.talk { talk in
        try await talk.say(Array(Self.get("/api/state?token=12345678").utf8))
        try await talk.hear { $0.last == UInt8(ascii: "}") }
        let revision = try #require(
          talk.text.split(separator: #""revision":"#).dropFirst().first?.prefix { $0.isNumber })
        let next = Self.get("/api/state?token=12345678&after=\(revision)")
        try await talk.say(Array(next.utf8))
        kill(process.processIdentifier, signal)
        // If the command ends before it reads the request, the connection is reset.
        try? await talk.hear()
      }
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == (signal == SIGTERM ? 0 : 130))
    }

    @Test("Studio reports why the live page for phones cannot start")
    func phoneProblem() async throws {
      let process = try process("studio")
      let studio = try RunningServer.start(process).server
      defer { process.terminate() }
      try folder.write("no model", to: "p/campus.safetensors")
      let job = #"{"kind":"phone"}"#
      _ = await studio.ask(
        "POST /api/job?token=12345678 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Length: \(job.utf8.count)\r\n\r\n" + job)
      var problem: Substring?
      for _ in 0..<300 where problem == nil {
        try await Task.sleep(for: .milliseconds(100))
        let state = await studio.ask(Self.get("/api/state?token=12345678", "Connection: close"))
        problem = state.split(separator: #""phone":{"problem":""#).dropFirst().first
      }
      #expect(problem?.hasPrefix("campus.safetensors: ") == true, "\(problem ?? "none")")
    }

    @Test("The live page for phones has another token than Studio")
    func phoneToken() async throws {
      let process = try process("studio")
      let studio = try RunningServer.start(process).server
      defer { process.terminate() }
      let job = #"{"kind":"phone"}"#
      let started = await studio.ask(
        "POST /api/job?token=12345678 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
          + "Content-Length: \(job.utf8.count)\r\n\r\n" + job)
      #expect(RunningServer.statuses(started) == [200])
      var url: Substring?
      for _ in 0..<300 where url == nil {
        try await Task.sleep(for: .milliseconds(100))
        let state = await studio.ask(Self.get("/api/state?token=12345678", "Connection: close"))
        url = state.split(separator: #""phone":{"url":"http://"#).dropFirst().first
      }
      let address = try #require(url?.prefix { $0 != "\"" })
      let port = address.split(separator: ":").last?.prefix { $0.isNumber }
      let phone = RunningServer(port: try #require(port.flatMap { Int($0) }))
      let token = try #require(address.split(separator: "token=").last)
      for (given, status) in [(token, 200), ("12345678", 401)] {
        let heard = await phone.ask(Self.get("/campus.json?token=\(given)", "Connection: close"))
        #expect(RunningServer.statuses(heard) == [status])
      }
    }

    #if os(Linux)
      // Dispatch reads the state of its threads in /proc.
      private static let unshare = ["--user", "--map-root-user", "--pid", "--mount-proc", "--fork"]

      private static let canUnshare: Bool = {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        process.arguments = unshare + ["true"]
        process.standardError = FileHandle.nullDevice
        // Some kernels do not list children.
        let children = "/proc/self/task/\(getpid())/children"
        guard FileManager.default.fileExists(atPath: children), (try? process.run()) != nil else {
          return false
        }
        process.waitUntilExit()
        return process.terminationStatus == 0
      }()

      @Test(
        "SIGTERM ends the first process of a container", .enabled(if: canUnshare),
        arguments: ["serve", "studio"])
      func container(command: String) async throws {
        let process = try process(command)
        process.arguments =
          Self.unshare + [try Tool.executable().path] + (process.arguments ?? [])
        process.executableURL = URL(filePath: "/usr/bin/unshare")
        let server = try RunningServer.start(process).server
        defer { process.terminate() }
        let parent = process.processIdentifier
        let children = try String(
          contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
        let child = try #require(children.split(separator: " ").first.flatMap { Int32($0) })
        defer { kill(child, SIGKILL) }
        try await server.talk { talk in
          // Studio has no WebSockets, so its connection is idle.
          if command == "serve" { try await talk.open(Self.open) }
          kill(child, SIGTERM)
          try await talk.hear { $0.count > 3 }
          #expect(Self.isGoodbye(talk.heard) == (command == "serve"))
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .exit && process.terminationStatus == 0)
      }
    #endif

    @Test("The token can come from a file or the environment, and is not printed then")
    func secretTokens() async throws {
      try folder.write(try recognizer.model.bytes(), to: "m.safetensors")
      try folder.write("12345678\n", to: "token.txt")
      for (arguments, environment) in [
        (["--token-file", "token.txt"], [:]), ([], ["CUPOLA_TOKEN": "12345678"]),
      ] {
        let process = try Tool.process(
          ["serve", "m.safetensors", "--port", "0", "--access-log", "access.jsonl"] + arguments,
          in: folder, environment: environment)
        let (server, line) = try RunningServer.start(process)
        #expect(!line.contains("12345678"))
        let refused = await server.ask(Self.get("/campus.json", "Connection: close"))
        #expect(RunningServer.statuses(refused) == [401])
        let known = await server.ask(
          Self.get("/campus.json", "Authorization: Bearer 12345678", "Connection: close"))
        #expect(RunningServer.statuses(known) == [200])
        process.terminate()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
      }
      let lines = try folder.bytes("access.jsonl").split(separator: UInt8(ascii: "\n"))
      #expect(lines.count == 4)
    }

    @Test("A server that listens on all addresses prints one that opens")
    func reachableAddress() {
      #expect(LiveServer.reachableAddress(listeningAt: "127.0.0.1") == "127.0.0.1")
      #expect(LiveServer.reachableAddress(listeningAt: "::1") == "::1")
      for host in ["0.0.0.0", "::"] {
        let address = LiveServer.reachableAddress(listeningAt: host)
        #expect(AddressRange(address) != nil && address != host)
      }
    }
  }
#endif

#if Serve
  import CupolaTestSupport
  import Foundation
  import NIOHTTP1
  import Testing

  @testable import Cupola
  @testable import CupolaServe
  @testable import CupolaTraining

  @Suite("cupola serve")
  struct ServeTests {
    private let folder: TemporaryFolder
    private let recognizer: Recognizer

    init() async throws {
      folder = try TemporaryFolder()
      recognizer = Recognizer(model: try Model(bytes: try await TinyCampus.model()))
    }

    private func server(_ change: (inout LiveServer.Options) -> Void = { _ in }) -> LiveServer {
      var options = LiveServer.Options()
      change(&options)
      return LiveServer(recognizer, options)
    }

    private static func request(
      _ target: String, method: String = "GET", headers: HeaderFields = [:]
    ) throws -> ServedRequest {
      try #require(ServedRequest(method, target: target, headers: headers))
    }

    @Test(
      "Serves the page files with a strict security policy",
      arguments: [
        "/", "/page.css", "/page.js", "/answer.js", "/connection.js", "/map.js", "/position.js",
        "/source.js",
      ])
    func files(path: String) async throws {
      let response = try await server().answer(Self.request(path))
      #expect(response.status == .ok)
      #expect(try !response.bytes.isEmpty)
      let policy = response.headers["Content-Security-Policy"]
      #expect(policy?.hasPrefix("default-src 'none'; script-src 'self'") == true)
      #expect(response.headers["X-Content-Type-Options"] == "nosniff")
    }

    @Test("Rejects unknown paths, other methods and missing tokens")
    func refusals() async throws {
      let open = server()
      for path in ["/etc/passwd", "/../page.html", "//", "/page.html", "/live/x"] {
        #expect(try await open.answer(Self.request(path)).status == .notFound, "\(path)")
      }
      #expect(try await open.answer(Self.request("/", method: "POST")).status == .methodNotAllowed)
      #expect(try await open.answer(Self.request("/live")).status == .badRequest)
      let closed = server { $0.token = "12345678" }
      for path in ["/", "/campus.json", "/live", "/?token=", "/?token=123456789"] {
        #expect(try await closed.answer(Self.request(path)).status == .unauthorized, "\(path)")
      }
      #expect(try await closed.answer(Self.request("/?token=12345678")).status == .ok)
    }

    @Test("Decodes targets and headers")
    func encoding() throws {
      let request = try Self.request(
        "/a%20b/%C3%A9?token=%31%2b2&x", headers: ["X-A": "1", "x-a": " 2 , Upgrade "])
      #expect(request.path == "/a b/é" && request.value("token") == "1+2")
      #expect(request.value("x") == "" && request.value("y") == nil)
      #expect(request.headers["X-a"] == "1,  2 , Upgrade ")
      #expect(request.headers.has("upgrade", in: "x-a") && !request.headers.has("2 ", in: "X-A"))
      for target in ["/%", "/%4", "/%g0", "/%ff", "/?a=%zz", "/?%=1"] {
        #expect(ServedRequest("GET", target: target) == nil, "\(target)")
      }
    }

    private static func upgrade(
      origin: String?, host: String = "127.0.0.1:8080"
    ) -> HeaderFields {
      var headers: HeaderFields = [
        "Host": host, "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "AQIDBAUGBwgJCgsMDQ4PEA==", "Sec-WebSocket-Version": "13",
      ]
      headers["Origin"] = origin
      return headers
    }

    @Test("Accepts sockets only from its own page, up to the limit")
    func sockets() async throws {
      let server = server { $0.mostPages = 2 }
      func status(_ origin: String?) async throws -> HTTPResponseStatus {
        try await server.answer(
          Self.request("/live", headers: Self.upgrade(origin: origin))
        ).status
      }
      #expect(try await status("http://elsewhere.example") == .forbidden)
      for _ in 0..<3 { #expect(try await status("http://127.0.0.1:8080") == .switchingProtocols) }
      #expect(server.pageLimit.acquire())
      #expect(try await status(nil) == .switchingProtocols)
      #expect(server.pageLimit.acquire())
      #expect(try await status(nil) == .serviceUnavailable)
    }

    @Test("Rejects handshakes with a wrong key or version")
    func handshakes() async throws {
      let server = server()
      let wrong: [(name: String, value: String?)] = [
        ("Sec-WebSocket-Key", "!!!!!!!!!!!!!!!!!!!!!!!!"), ("Sec-WebSocket-Key", "AQIDBAUG"),
        ("Sec-WebSocket-Key", "AQIDBAUGBwg, CQoLDA0ODxA="), ("Sec-WebSocket-Key", nil),
        ("Sec-WebSocket-Version", "8"), ("Sec-WebSocket-Version", "13, 8"), ("Upgrade", "h2c"),
      ]
      for (name, value) in wrong {
        var headers = Self.upgrade(origin: nil)
        headers[name] = value
        let response = try await server.answer(Self.request("/live", headers: headers))
        #expect(response.status == .badRequest, "\(name): \(value ?? "")")
        #expect(response.headers["Sec-WebSocket-Version"] == "13")
      }
    }

    @Test("Without a token only local host names are accepted")
    func hostNames() async throws {
      let open = server()
      let closed = server { $0.token = "12345678" }
      for (host, isOwn) in [
        ("127.0.0.1:8080", true), ("127.0.0.2", true), ("localhost:8080", true),
        ("LOCALHOST", true), ("[::1]:8080", true), ("evil.example:8080", false),
        ("127.0.0.1.evil.example", false), ("localhost.evil.example", false),
        ("[2001:db8::1]:8080", false), ("192.168.1.2", false), ("", false),
      ] {
        let headers = Self.upgrade(origin: "http://" + host, host: host)
        let asked: [(String, HTTPResponseStatus)] = [
          ("/live", .switchingProtocols), ("/campus.json", .ok),
        ]
        for (path, status) in asked {
          #expect(
            try await open.answer(Self.request(path, headers: headers)).status
              == (isOwn ? status : .forbidden), "\(path) \(host)")
          #expect(
            try await closed.answer(Self.request(path + "?token=12345678", headers: headers)).status
              == status, "\(path) \(host)")
        }
      }
    }

    @Test("HEAD returns the length without a body")
    func head() async throws {
      let server = server()
      for path in ["/", "/campus.json", "/nothing"] {
        let whole = try await server.respond(to: Self.request(path))
        let head = try await server.respond(to: Self.request(path, method: "HEAD"))
        #expect(head.status == whole.status)
        #expect(try head.bytes.isEmpty)
        #expect(head.headers["Content-Length"] == String(try whole.bytes.count))
      }
    }

    @Test("Describes the model and map to the page")
    func sheet() async throws {
      let bytes = CampusDescription.json(
        of: recognizer.model, named: "m.safetensors", collects: true)
      let sheet = try #require(
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      #expect(sheet["schema"] as? String == "cupola.campus/1" && sheet["collects"] as? Bool == true)
      try expectValid(json: bytes)
      let labels = try #require(sheet["labels"] as? [String])
      #expect(labels.contains("arch") && Trainer.ownLabels.isDisjoint(with: labels))
      let fence = try #require(sheet["fence"] as? [[[Double]]])
      #expect(fence.first?.first == [10, 48])
      let buildings = try #require(sheet["buildings"] as? [[String: Any]])
      #expect(buildings.first?["name"] as? String == "Old Arch")
      #expect(
        Set(buildings.compactMap { $0["label"] as? String }).isSuperset(of: ["arch", "barn"]))
    }

    private static func fields(_ object: JSONObject?) throws -> [String: Any] {
      let text = try JSONObject.text(try #require(object))
      return try #require(
        try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("Answers frames with optional evidence")
    func frames() async throws {
      let connection = LiveConnection(recognizer, nil)
      let arch = try TinyCampus.jpeg(.arch, seed: 41)
      var last: [String: Any] = [:]
      #expect(await connection.answer(to: Array(#"{"type":"overlay","on":true}"#.utf8)) == nil)
      // Frames without delay have little weight, so several are needed.
      for number in 1...500 where last["label"] == nil {
        last = try Self.fields(await connection.answer(toFrame: arch))
        #expect(last["type"] as? String == "answer" && last["frame"] as? Int == number)
      }
      #expect(last["label"] as? String == "arch" && last["verdict"] as? String == "building")
      #expect((last["candidates"] as? [Any])?.count == 3)
      try expectValid(json: JSONSerialization.data(withJSONObject: last))
      let overlay = try #require(last["overlay"] as? [String: Any])
      let values = try #require(overlay["values"] as? [Double])
      #expect(values.allSatisfy { abs($0) <= 1 } && values.contains { abs($0) == 1 })
      #expect(await connection.answer(to: Array(#"{"type":"forget"}"#.utf8)) == nil)
      #expect(try Self.fields(await connection.answer(toFrame: arch))["frame"] as? Int == 1)
      let away = #"{"type":"place","latitude":10,"longitude":10,"accuracy":5}"#
      #expect(await connection.answer(to: Array(away.utf8)) == nil)
      let outside = try Self.fields(await connection.answer(toFrame: arch))
      #expect(outside["verdict"] as? String == "not_on_campus")
    }

    @Test("Reports invalid frames and messages and continues")
    func faults() async throws {
      let connection = LiveConnection(recognizer, nil)
      let (barn, long) = (
        try TinyCampus.jpeg(.barn, seed: 41), [UInt8](repeating: 9, count: 1_000_001)
      )
      for frame in [[], [1, 2, 3], long, Array(barn.dropLast(900))] {
        let answer = try Self.fields(await connection.answer(toFrame: frame))
        #expect(answer["type"] as? String == "error" && answer["about"] as? String == "frame")
        #expect((answer["message"] as? String)?.contains("--") == false, "it has no options")
      }
      for text in ["", "{", "[]", #"{"type":"x"}"#, #"{"type":"keep"}"#, #"{"type":7}"#] {
        let answer = try Self.fields(await connection.answer(to: Array(text.utf8)))
        #expect(answer["about"] as? String == "message", "\(text)")
      }
      let strange = #"{"type":"place","latitude":1e9,"longitude":0,"heading":-90}"#
      #expect(await connection.answer(to: Array(strange.utf8)) == nil)
      let answer = try Self.fields(await connection.answer(toFrame: barn))
      #expect(answer["type"] as? String == "answer")
    }

    @Test("Keeps frames as photos only inside the label folder")
    func keep() async throws {
      let connection = LiveConnection(
        recognizer, FrameCollector(folder: folder.path("photos")))
      func keep(_ label: String) async throws -> [String: Any] {
        try Self.fields(
          await connection.answer(to: Array(#"{"type":"keep","label":"\#(label)"}"#.utf8)))
      }
      #expect(try await keep("arch")["about"] as? String == "keep")
      let arch = try TinyCampus.jpeg(.arch, seed: 41)
      _ = await connection.answer(toFrame: arch)
      for number in 1...3 {
        let kept = try await keep("arch")
        #expect(kept["type"] as? String == "kept" && kept["photos"] as? Int == number)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("photos/arch"))
      #expect(names.count == 3)
      #expect(try folder.bytes("photos/arch/\(names[0])") == arch)
      for label in [
        "", "..", "../x", "a/b", ".hidden", "_unfamiliar", "_drawn", "_drawn_landscape",
        "a\\u0000b", String(repeating: "x", count: 101),
      ] {
        #expect(try await keep(label)["about"] as? String == "keep", "\(label)")
      }
      #expect(try await keep("Café (old) 2")["type"] as? String == "kept")
      _ = await connection.answer(toFrame: [1])
      #expect(try await keep("arch")["about"] as? String == "keep")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["photos"])
    }

    @Test("Does not count frames that could not be written")
    func unwritable() throws {
      let collector = FrameCollector(folder: folder.path("photos"))
      try FileManager.default.createDirectory(
        atPath: folder.path("photos"), withIntermediateDirectories: true)
      // A folder that accepts no files.
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("photos/arch"), withDestinationPath: "/dev/fd")
      #expect(throws: FrameCollector.SaveError.self) { try collector.keep([1], label: "arch") }
      try FileManager.default.removeItem(atPath: folder.path("photos/arch"))
      #expect(try collector.keep([1], label: "arch") == 1)
    }

    @Test("Rejects public addresses without a token and used ports")
    func usage() throws {
      try folder.write(try recognizer.model.bytes(), to: "m.safetensors")
      for (arguments, words) in [
        (["--host", "0.0.0.0"], "--token"), (["--token", "short"], "8 characters"),
        (["--token", "-short"], "8 characters"), (["--token", "with#12345"], "except # % &"),
        (["--token", "with%12345"], "except # % &"), (["--token", "with blank"], "except # % &"),
        (["--pages", "0"], "--pages"), (["--port", "70000"], "--port"),
        (["--host", "127.x"], "127.x: not an IP address"), (["--guide", ""], "empty path"),
        (["--collect", ""], "empty path"), (["--tour", ""], "empty path"),
      ] {
        expectUsageError(
          try Tool.run(["serve", "m.safetensors"] + arguments, in: folder), words)
      }
      expectFailure(
        try Tool.run(["serve", "no.safetensors"], in: folder), 66, "no.safetensors")
      // An address reserved for documentation.
      let elsewhere = ["serve", "m.safetensors", "--host", "192.0.2.1", "--token", "12345678"]
      expectFailure(
        try Tool.run(elsewhere + ["--collect", "m.safetensors"], in: folder), 73,
        "m.safetensors: cannot be written", "choose another folder")
      expectFailure(
        try Tool.run(elsewhere, in: folder), 74, "cannot listen at 192.0.2.1:8080;", "change --host"
      )
      let process = try Tool.process(["serve", "m.safetensors", "--port", "0"], in: folder)
      let messages = Pipe()
      process.standardError = messages
      try process.run()
      defer { process.terminate() }
      let line = String(
        decoding: messages.fileHandleForReading.availableData, as: UTF8.self)
      let port = try #require(line.split(separator: ":").last?.split(separator: "/").first)
      #expect(line.hasPrefix("serving http://127.0.0.1:") && Int(port) != nil)
      expectFailure(
        try Tool.run(["serve", "m.safetensors", "--port", String(port)], in: folder), 74,
        "cannot listen")
    }
  }
#endif

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
      #expect(response.headers["Cross-Origin-Opener-Policy"] == "same-origin")
      #expect(response.headers["Cross-Origin-Resource-Policy"] == "same-origin")
      #expect(response.headers["Permissions-Policy"]?.contains("microphone=()") == true)
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

    @Test("Host and origin are checked on every route")
    func hostNames() async throws {
      let open = server()
      let closed = server { $0.token = "12345678" }
      let routes: [(path: String, status: HTTPResponseStatus)] = [
        ("/", .ok), ("/page.js", .ok), ("/campus.json", .ok), ("/live", .switchingProtocols),
        ("/guide/guide.json", .notFound), ("/tours", .notFound), ("/tours/x/media/y", .notFound),
      ]
      for (host, isOwn) in [
        ("127.0.0.1:8080", true), ("127.0.0.2", true), ("localhost:8080", true),
        ("LOCALHOST", true), ("[::1]:8080", true), ("evil.example:8080", false),
        ("127.0.0.1.evil.example", false), ("localhost.evil.example", false),
        ("[2001:db8::1]:8080", false), ("192.168.1.2", false),
      ] {
        for (path, status) in routes {
          let headers = Self.upgrade(origin: "http://" + host, host: host)
          #expect(
            try await open.answer(Self.request(path, headers: headers)).status
              == (isOwn ? status : .forbidden), "\(path) \(host)")
          #expect(
            try await closed.answer(Self.request(path + "?token=12345678", headers: headers)).status
              == status, "\(path) \(host)")
          for origin in ["http://elsewhere.example", "null", "http://x\(host)", "ftp://\(host)"] {
            let foreign = Self.upgrade(origin: origin, host: host)
            #expect(
              try await closed.answer(Self.request(path + "?token=12345678", headers: foreign))
                .status == .forbidden, "\(path) \(origin)")
          }
        }
        let post = try Self.request(
          "/tours/x", method: "POST", headers: ["Host": host, "Origin": "http://evil.example"])
        #expect(await open.answer(post).status == .forbidden)
      }
      #expect(try await open.answer(Self.request("/", headers: ["Host": ""])).status == .forbidden)
    }

    @Test(
      "Malformed hosts are rejected even with a token",
      arguments: [
        "localhost:80@evil", "localhost:8o", "localhost:80:80", "user@localhost", "a b", "a/b",
        "[::1", "[::1]x", "[evil]", "é",
      ])
    func malformedHosts(host: String) async throws {
      for server in [server(), server { $0.token = "12345678" }] {
        let request = try Self.request("/?token=12345678", headers: ["Host": host])
        #expect(await server.answer(request).status == .badRequest)
        let health = try Self.request("/healthz", headers: ["Host": host])
        #expect(await server.answer(health).status == .ok)
      }
    }

    @Test("The token moves from the address to a cookie")
    func cookie() async throws {
      let server = server { $0.token = #"12345678,;""# }
      let first = try await server.answer(Self.request("/?token=12345678,;%22"))
      let field = try #require(first.headers["Set-Cookie"])
      #expect(first.status == .ok && !field.contains("12345678"))
      for attribute in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        #expect(field.split(separator: ";").contains { $0.trimmed == attribute })
      }
      #expect(!field.contains("Secure"))
      let encrypted = try await server.answer(
        Self.request("/?token=12345678,;%22", headers: ["X-Forwarded-Proto": "https"]))
      #expect(encrypted.headers["Set-Cookie"]?.hasSuffix("; Secure") == true)
      let cookie = String(field.prefix { $0 != ";" })
      for path in ["/", "/campus.json"] {
        let known = try await server.answer(
          Self.request(path, headers: ["Cookie": "other=1; " + cookie]))
        #expect(known.status == .ok && known.headers["Set-Cookie"] == nil)
        for wrong in [cookie + "0", String(cookie.dropLast()), "x" + cookie, ""] {
          let refused = try await server.answer(Self.request(path, headers: ["Cookie": wrong]))
          #expect(refused.status == .unauthorized, "\(wrong)")
        }
      }
      // The page removes the token from the address.
      let script = try #require(LivePage.response("/page.js"))
      let text = String(decoding: try script.bytes, as: UTF8.self)
      #expect(text.contains(#"visible.searchParams.delete("token")"#))
      #expect(text.contains("history.replaceState"))
    }

    @Test("Wrong tokens are logged, and slow down only their sender")
    func wrongTokens() async throws {
      let lines = Locked<[String]>([])
      let server = server {
        $0.token = "12345678"
        $0.log = { line in lines.withLock { $0.append(line) } }
      }
      func status(_ token: String, _ client: String) async throws -> HTTPResponseStatus {
        try await server.answer(
          Self.request("/?token=\(token)", headers: ["X-Forwarded-For": client])
        ).status
      }
      for _ in 0..<20 { #expect(try await status("wrong-token", "10.0.0.9") == .unauthorized) }
      #expect(try await status("12345678", "10.0.0.9") == .tooManyRequests)
      #expect(try await status("12345678", "10.0.0.8") == .ok)
      let logged = lines.withLock { $0 }
      #expect(logged.count == 20 && logged.allSatisfy { $0 == "wrong token from 10.0.0.9" })
      // Pages that have the cookie stay connected.
      let field = try await server.answer(
        Self.request("/?token=12345678", headers: ["X-Forwarded-For": "10.0.0.8"])
      ).headers["Set-Cookie"]
      let cookie = String(try #require(field).prefix { $0 != ";" })
      let known = try Self.request(
        "/", headers: ["X-Forwarded-For": "10.0.0.9", "Cookie": cookie])
      #expect(await server.answer(known).status == .ok)
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
        of: recognizer, named: "m.safetensors", collects: true)
      let sheet = try #require(
        try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
      #expect(sheet["schema"] as? String == "cupola.campus/1" && sheet["collects"] as? Bool == true)
      #expect((sheet["photo_formats"] as? [String])?.contains("jpeg") == true)
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

    @Test("Rejects frames that take long to decode")
    func costlyFrames() async throws {
      let connection = LiveConnection(recognizer, nil)
      func jpeg(_ width: Int, _ height: Int) throws -> [UInt8] {
        try JPEGEncoder.encode(
          RGBImage(
            width: width, height: height,
            pixels: [UInt8](repeating: 90, count: 3 * width * height)))
      }
      let large = try Self.fields(await connection.answer(toFrame: jpeg(1500, 1500)))
      #expect((large["message"] as? String)?.contains("over the limit of 2 megapixels") == true)
      let video = try Self.fields(await connection.answer(toFrame: jpeg(1920, 1080)))
      #expect(video["type"] as? String == "answer")
      let gif = try Self.fields(await connection.answer(toFrame: Array("GIF89a".utf8)))
      #expect((gif["message"] as? String)?.contains("not a JPEG") == true)
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
      for _ in 1...3 {
        let kept = try await keep("arch")
        #expect(kept["type"] as? String == "kept" && kept["photos"] as? Int == 1)
      }
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("photos/arch"))
      #expect(names.count == 1, "a frame is kept once")
      #expect(try folder.bytes("photos/arch/\(names[0])") == arch)
      for label in [
        "", "..", "../x", "a/b", ".hidden", "_unfamiliar", "_drawn", "_drawn_landscape",
        "a\\u0000b", String(repeating: "x", count: 101), " ", " a", "a ", "-h", "--help", "a\\nb",
      ] {
        #expect(try await keep(label)["about"] as? String == "keep", "\(label)")
      }
      #expect(try await keep("Café (old) 2")["type"] as? String == "kept")
      _ = await connection.answer(toFrame: [1])
      #expect(try await keep("arch")["about"] as? String == "keep")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["photos"])
    }

    @Test(
      "Accepts labels in every script",
      arguments: [
        "पुस्तकालय", "ห้องสมุดที่", "Cafe\u{301}", "Ägyptisches Museum, Süd", "Law & Order",
        "St. Mary's", "St. Mary\u{2019}s",
      ])
    func scripts(label: String) throws {
      #expect(try FrameCollector(folder: folder.path("photos")).keep([1], label: label) == 1)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("photos")).count == 1)
    }

    @Test("Accepts every label of the model, in the spelling of the model")
    func modelLabels() throws {
      let collector = FrameCollector(
        folder: folder.path("photos"), labels: ["A+B = C!", "Cafe\u{301}", "a/b"])
      #expect(try collector.keep([1], label: "A+B = C!") == 1)
      #expect(try collector.keep([2], label: "Caf\u{E9}") == 1)
      for label in ["A+B", "a/b"] {
        #expect(throws: FrameCollector.SaveError.self) { try collector.keep([3], label: label) }
      }
      let folders = try Directory.entries(of: folder.path("photos")).map { Array($0.name.utf8) }
      #expect(Set(folders) == [Array("A+B = C!".utf8), Array("Cafe\u{301}".utf8)])
    }

    @Test("A frame that is kept with another label moves, also after a restart")
    func moved() throws {
      let place = folder.path("photos")
      #expect(try FrameCollector(folder: place).keep([1], label: "arch") == 1)
      let collector = FrameCollector(folder: place)
      #expect(try collector.keep([2], label: "arch") == 2)
      #expect(try collector.keep([1], label: "barn") == 1)
      #expect(try Directory.entries(of: place + "/arch").count == 1)
      #expect(try Directory.entries(of: place + "/barn").count == 1)
    }

    @Test("Removes temporary files of killed servers")
    func temporaryFrames() throws {
      let left = try folder.write([1], to: "photos/arch/live-1.jpg.part-0123456789abcdef")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: left)
      _ = FrameCollector(folder: folder.path("photos"))
      #expect(!Directory.exists(left))
    }

    @Test("Limits the number and size of kept frames and leaves space on the disk")
    func collectLimits() throws {
      let place = folder.path("photos")
      var limits = LiveServer.CollectLimits()
      (limits.photos, limits.bytes) = (2, 5)
      let collector = FrameCollector(folder: place, limits: limits)
      #expect(try collector.keep([1, 2, 3], label: "arch") == 1)
      #expect {
        try collector.keep([4, 5, 6], label: "arch")
      } throws: {
        ($0 as? FrameCollector.SaveError)?.message.contains("MB of saved photos") == true
      }
      #expect(try collector.keep([4], label: "barn") == 1)
      #expect {
        try FrameCollector(folder: place, limits: limits).keep([5], label: "barn")
      } throws: {
        ($0 as? FrameCollector.SaveError)?.message.contains("limit of 2 saved photos") == true
      }
      limits = .init()
      limits.freeBytes = .max
      #expect {
        try FrameCollector(folder: place, limits: limits).keep([5], label: "barn")
      } throws: {
        ($0 as? FrameCollector.SaveError)?.message.contains("disk is almost full") == true
      }
    }

    @Test("Does not count frames that could not be written, and hides paths from the page")
    func unwritable() throws {
      let lines = Locked<[String]>([])
      let collector = FrameCollector(
        folder: folder.path("photos"), log: { line in lines.withLock { $0.append(line) } })
      try FileManager.default.createDirectory(
        atPath: folder.path("photos"), withIntermediateDirectories: true)
      // A folder that accepts no files.
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("photos/arch"), withDestinationPath: "/dev/fd")
      #expect {
        try collector.keep([1], label: "arch")
      } throws: {
        ($0 as? FrameCollector.SaveError)?.message.contains(folder.path) == false
      }
      #expect(lines.withLock { $0.first?.contains(folder.path) } == true)
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
        (["--token", "12345678", "--token-file", "x"], "not both"),
        (["--trusted-proxy", "10.0.0.0/99"], "not an IP address or range"),
        (["--collect-photos", "5"], "requires --collect"),
        (["--collect", "x", "--collect-megabytes", "0"], "--collect-megabytes must be"),
      ] {
        expectUsageError(
          try Tool.run(["serve", "m.safetensors"] + arguments, in: folder), words)
      }
      expectUsageError(
        try Tool.run(
          ["serve", "m.safetensors"], in: folder, environment: ["CUPOLA_TOKEN": "short"]),
        "CUPOLA_TOKEN must have at least 8 characters")
      try folder.write("short\n", to: "token.txt")
      expectFailure(
        try Tool.run(["serve", "m.safetensors", "--token-file", "token.txt"], in: folder), 65,
        "token.txt: ", "at least 8 characters")
      expectFailure(
        try Tool.run(["serve", "m.safetensors", "--token-file", "none.txt"], in: folder), 66,
        "none.txt")
      expectFailure(try Tool.run(["serve", "no.safetensors"], in: folder), 66, "no.safetensors")
      // An address reserved for documentation.
      let elsewhere = ["serve", "m.safetensors", "--host", "192.0.2.1", "--token", "12345678"]
      expectFailure(
        try Tool.run(elsewhere + ["--collect", "m.safetensors"], in: folder), 73,
        "m.safetensors: cannot be written", "choose another folder")
      expectFailure(
        try Tool.run(elsewhere, in: folder), 74, "cannot listen at 192.0.2.1:8080;", "change --host"
      )
      let process = try Tool.process(["serve", "m.safetensors", "--port", "0"], in: folder)
      let (server, line) = try RunningServer.start(process)
      defer { process.terminate() }
      #expect(line.hasPrefix("serving http://127.0.0.1:"))
      expectFailure(
        try Tool.run(["serve", "m.safetensors", "--port", String(server.port)], in: folder), 74,
        "cannot listen")
    }
  }
#endif

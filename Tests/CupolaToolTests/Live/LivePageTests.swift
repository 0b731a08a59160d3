#if Serve
  import CupolaCampus
  import NIOHTTP1
  import Testing

  @testable import Cupola
  @testable import CupolaServe

  @Suite("The page of cupola serve")
  struct LivePageTests {
    private let script: String

    init() throws {
      let page = try #require(LivePage.response("/page.js"))
      script = String(decoding: try page.bytes, as: UTF8.self)
    }

    @Test("has words for every side of the fence")
    func fences() throws {
      let line = try #require(script.split(separator: "\n").first { $0.hasPrefix("const fences") })
      for side in FenceSide.allCases { #expect(line.contains(" \(side.rawValue): ")) }
    }

    @Test("names an alternative where the place contradicts a model of one building")
    func somethingElse() throws {
      let page = try #require(LivePage.response("/answer.js"))
      let text = String(decoding: try page.bytes, as: UTF8.self)
      #expect(text.contains(#"if (names.length === 1) names.push("something else");"#))
    }

    // `Scripts/verify-live` sees what comes of it.
    @Test("asks the age of a position when it is seen again, before a frame is sent")
    func comingBack() throws {
      let resume = try #require(
        script.split(separator: "\nfunction resume() {\n").dropFirst().first)
      let body = try #require(resume.split(separator: "\n}\n").first)
      let calls = body.split(separator: "\n").map { $0.drop { $0 == " " } }
      let asks = try #require(calls.firstIndex(of: "position.comeBack();"))
      let sends = try #require(calls.firstIndex(of: "pump();"))
      #expect(asks < sends)
    }

    @Test("says why it is refused: a request without a WebSocket hears the same")
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
      #expect(script.contains("if (!wasOpen) tellRefusal();"))
    }
  }
#endif

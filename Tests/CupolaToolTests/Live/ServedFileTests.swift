@testable import CupolaTours

#if Serve
  import CupolaTestSupport
  import Foundation
  import NIOHTTP1
  import Testing

  @testable import Cupola
  @testable import CupolaGuide
  @testable import CupolaServe

  @Suite("Ranges, caching and changes of served files")
  struct ServedFileTests {
    private let folder: TemporaryFolder
    private let recognizer: Recognizer

    init() async throws {
      folder = try TemporaryFolder()
      recognizer = Recognizer(model: try Model(bytes: try await TinyCampus.model()))
    }

    private func server(_ change: (inout LiveServer.Options) throws -> Void) throws -> LiveServer {
      var options = LiveServer.Options()
      try change(&options)
      return LiveServer(recognizer, options)
    }

    private func request(
      _ target: String, method: String = "GET", headers: HeaderFields = [:], post: String = ""
    ) throws -> ServedRequest {
      try #require(
        ServedRequest(method, target: target, headers: headers, body: Array(post.utf8)))
    }

    /// Recorded from nginx 1.22 (`max_ranges 1`) for a file with the bytes 0 to 99.
    private static let answersOfNginx: [(range: String, status: Int, bytes: ClosedRange<Int>?)] = [
      ("bytes=0-0", 206, 0...0), ("bytes=0-1", 206, 0...1), ("bytes=0-9", 206, 0...9),
      ("bytes=90-99", 206, 90...99), ("bytes=90-", 206, 90...99), ("bytes=0-", 206, 0...99),
      ("bytes=-5", 206, 95...99), ("bytes=-100", 206, 0...99), ("bytes=-200", 206, 0...99),
      ("bytes=-0", 416, nil), ("bytes=99-", 206, 99...99), ("bytes=100-", 416, nil),
      ("bytes=90-100", 206, 90...99), ("bytes=90-999999999999", 206, 90...99),
      ("bytes=100-100", 416, nil), ("bytes=9-5", 416, nil), ("BYTES=5-7", 206, 5...7),
      ("bytes= 5-7", 206, 5...7), ("bytes=5 - 7 ", 206, 5...7), ("bytes =5-7", 200, nil),
      ("lines=5-7", 200, nil), ("bytes=", 200, nil), ("bytes=-", 416, nil),
      ("bytes=a-b", 416, nil), ("bytes=+5-7", 416, nil), ("bytes=5", 416, nil),
      ("bytes=5-7x", 416, nil), ("bytes=5.0-7", 416, nil), ("bytes=-1-5", 416, nil),
      ("bytes=99999999999999999999-", 416, nil), ("bytes=9223372036854775807-", 416, nil),
      ("bytes=0-9223372036854775807", 206, 0...99), ("bytes=0-1,4-5", 200, nil),
      ("bytes=0-1,200-", 206, 0...1), ("bytes=200-,-5", 206, 95...99), ("bytes=0-1,", 416, nil),
      ("bytes=,0-1", 416, nil), ("bytes=300-,200-", 416, nil), ("bytes=9-5,0-1", 206, 0...1),
      ("5-7", 200, nil), ("", 200, nil),
    ]

    /// A tour with one media file, `a.mp3`.
    private func writeTour(_ text: String = "T", id: String = "x", more: String = "") throws {
      try folder.write(
        """
        {"format":"cupola.tour/1","id":"\(id)","title":"\(text)","languages":["en"],"order":"free"\
        \(more),"stops":[{"id":"a","title":"A","latitude":48,"longitude":11,\
        "media":[{"path":"a.mp3","kind":"audio"}]}]}
        """, to: "tour.json")
    }

    private func tourServer(
      keys: [String] = [], log: @escaping LiveServer.Log = { _ in }
    ) throws -> LiveServer {
      try server {
        $0.tours = try ServedTours(tours: [folder.path("tour.json")], keys: keys)
        $0.log = log
      }
    }

    @Test("Answers ranges like nginx")
    func ranges() async throws {
      let whole = [UInt8](0..<100)
      try writeTour()
      try folder.write(whole, to: "a.mp3")
      let server = try tourServer()
      for (range, status, bytes) in Self.answersOfNginx {
        let answer = try await server.answer(
          request("/tours/x/media/a.mp3", headers: ["Range": range]))
        #expect(answer.status.code == status, "\(range)")
        let (content, accepted) = (answer.headers["Content-Range"], answer.headers["Accept-Ranges"])
        switch status {
        case 206:
          let bytes = try #require(bytes)
          #expect(content == "bytes \(bytes.lowerBound)-\(bytes.upperBound)/100", "\(range)")
          #expect(try answer.bytes == Array(whole[bytes]), "\(range)")
        case 416: #expect(content == "bytes */100" && answer.headers["ETag"] == nil, "\(range)")
        default:
          #expect(content == nil && accepted == "bytes", "\(range)")
          #expect(try answer.bytes == whole, "\(range)")
        }
      }
      // An empty file has no satisfiable range, but an empty one at its start.
      for (range, expected) in [
        ("bytes=0-", RequestedRange.whole), ("bytes=0-9", .whole), ("bytes=-5", .whole),
        ("bytes=-0", .whole), ("bytes=90-", .unsatisfiable), ("bytes=90-99", .unsatisfiable),
      ] {
        #expect(RequestedRange(range, of: 0) == expected, "\(range)")
      }
    }

    @Test("Media types depend on the ending, and only media are shown by browsers")
    func types() {
      for (name, type) in [
        ("a.JPG", "image/jpeg"), ("a/b.c.mp3", "audio/mpeg"), ("a.svg", "image/svg+xml"),
        ("a", MediaType.bytes), ("jpg", "image/jpeg"), ("a.", MediaType.bytes),
      ] {
        #expect(MediaType.of(name) == type && MediaType.ofMedia(name) == type, "\(name)")
      }
      #expect(MediaType.of("report.html") == MediaType.html)
      for name in ["a.html", "a.js", "a.css", "a.json"] {
        #expect(MediaType.ofMedia(name) == MediaType.bytes, "\(name)")
      }
    }

    @Test("Ranges depend on the version of the file")
    func conditions() async throws {
      try writeTour()
      try folder.write([UInt8](0..<100), to: "a.mp3")
      let server = try tourServer()
      func status(_ headers: HeaderFields, method: String = "GET") async throws -> UInt {
        var headers = headers
        headers["Range"] = "bytes=90-"
        return try await server.answer(
          request("/tours/x/media/a.mp3", method: method, headers: headers)
        ).status.code
      }
      let etag = try #require(
        try await server.answer(request("/tours/x/media/a.mp3")).headers["ETag"])
      for (condition, expected) in [
        (etag, 206), ("W/" + etag, 200), ("\"old\"", 200), (etag + "x", 200), ("", 200),
        ("*", 200), (etag + ", " + etag, 200), ("Mon, 01 Jan 2001 00:00:00 GMT", 200),
      ] as [(String, UInt)] {
        #expect(try await status(["If-Range": condition]) == expected, "\(condition)")
      }
      for (known, expected) in [(etag, 304), ("\"x\"", 206), ("*", 304)] as [(String, UInt)] {
        #expect(try await status(["If-None-Match": known]) == expected, "\(known)")
      }
      #expect(try await status([:], method: "HEAD") == 200)
      try folder.write([UInt8](0..<101), to: "a.mp3")
      #expect(try await status(["If-Range": etag]) == 200)
      #expect(try await status(["If-None-Match": etag]) == 206)
    }

    @Test("Parts are stored for a year, and manifests are revalidated")
    func caching() async throws {
      let guide = folder.path("source.guide")
      _ = try GuideBundle.write(parts: ["a.bin": [1, 2]], name: "Campus", to: guide)
      try writeTour()
      try folder.write([1], to: "a.mp3")
      let part = "/guide/" + (try GuideBundle(reading: guide).manifest.parts[0].file)
      for token in [nil, "12345678"] {
        let server = try server {
          $0.guide = try ServedGuide(folder: guide)
          $0.tours = try ServedTours(tours: [folder.path("tour.json")], keys: [])
          $0.token = token
        }
        // Proxies must not send a guide that requires a token to clients without it.
        let scope = token == nil ? "public" : "private"
        for (path, caching) in [
          (part, scope + ", max-age=31536000, immutable"), ("/guide/guide.json", "no-cache"),
          ("/tours", "no-cache"), ("/tours/x", "no-cache"), ("/tours/x/media/a.mp3", "no-cache"),
        ] {
          var headers: HeaderFields = [:]
          headers["Authorization"] = token.map { "Bearer " + $0 }
          let first = try await server.answer(request(path, headers: headers))
          #expect(first.status == .ok && first.headers["Cache-Control"] == caching, "\(path)")
          let etag: String = try #require(first.headers["ETag"], "\(path)")
          headers["If-None-Match"] = etag
          let second = try await server.answer(request(path, headers: headers))
          #expect(second.status == .notModified, "\(path)")
          #expect(second.headers["Cache-Control"] == caching, "\(path)")
          #expect(second.headers["ETag"] == etag, "\(path)")
          #expect(try second.bytes.isEmpty, "\(path)")
        }
        let missing = try await server.answer(
          request("/guide/x.bin", headers: ["Authorization": "Bearer 12345678"]))
        #expect(missing.headers["Cache-Control"] == "no-store")
      }
    }

    @Test("A changed tour is read again, but an invalid one is not served")
    func reload() async throws {
      try writeTour("First")
      try folder.write([1], to: "a.mp3")
      let lines = Locked<[String]>([])
      let server = try tourServer(log: { line in lines.withLock { $0.append(line) } })
      func served() async throws -> (title: String, etag: String?) {
        let answer = try await server.answer(request("/tours/x"))
        let tour = try Tour(json: answer.bytes, path: "x")
        return (tour.text(tour.title), answer.headers["ETag"])
      }
      let first = try await served()
      #expect(first.title == "First")
      try writeTour("The second")
      let second = try await served()
      #expect(second.title == "The second" && second.etag != first.etag)
      let list = try await server.answer(request("/tours"))
      #expect(String(decoding: try list.bytes, as: UTF8.self).contains("The second"))
      for (write, words) in [
        ({ try folder.write("{", to: "tour.json") }, "tour.json"),
        ({ try writeTour("Third", id: "other") }, "the tour ID changed from x to other"),
        ({ try writeTour("Fourth", more: #","passkey":true"#) }, "now requires a passkey"),
      ] as [(() throws -> Void, String)] {
        try write()
        for _ in 1...2 { #expect(try await served().title == "The second") }
        let logged = lines.withLock { lines in
          defer { lines = [] }
          return lines
        }
        #expect(logged.count == 1 && logged.first?.contains(words) == true, "\(logged)")
        #expect(logged.first?.hasSuffix("still serving the previous version") == true)
      }
      try writeTour("The last one")
      #expect(try await served().title == "The last one")
      #expect(lines.withLock { $0 }.isEmpty)
    }

    @Test("Media of the previous version are served, with its passkey")
    func previousMedia() async throws {
      try writeTour("First", more: #","passkey":true"#)
      try folder.write([1], to: "a.mp3")
      try folder.write([2], to: "b.mp3")
      let made = PasskeySet.make(count: 1, tour: "x")
      try made.set.create(path: folder.path("keys.json"))
      let server = try tourServer(keys: [folder.path("keys.json")])
      let opened = try await server.answer(
        request("/tours/x", method: "POST", post: made.codes[0]))
      let ticket = try #require(
        try JSONSerialization.jsonObject(with: Data(opened.bytes)) as? [String: String])["ticket"]
      let query = "?ticket=" + (try #require(ticket))
      let old = String(decoding: try folder.bytes("tour.json"), as: UTF8.self)
      func publish(_ text: String) async throws {
        try folder.write(text, to: "tour.json")
        _ = try await server.answer(request("/tours"))
      }
      let new = old.replacing("a.mp3", with: "b.mp3").replacing(#","passkey":true"#, with: "")
      try await publish(new)
      func status(_ path: String) async throws -> UInt {
        try await server.answer(request("/tours/x/media/" + path)).status.code
      }
      #expect(try await status("b.mp3") == 200)
      #expect(try await status("a.mp3") == 403)
      #expect(try await status("a.mp3" + query) == 200)
      try await publish(new.replacing("First", with: "The third version"))
      #expect(try await status("a.mp3" + query) == 404)
      #expect(try await status("b.mp3") == 200)
    }

    @Test("A download continues when the tour and its media are replaced")
    func download() async throws {
      let count = 16 << 20
      try writeTour("First")
      try folder.write([UInt8](repeating: 7, count: count), to: "a.mp3")
      let server = try tourServer()
      try await RunningServer.run(server) { running in
        try await running.talk { talk in
          let head =
            "GET /tours/x/media/a.mp3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
          try await talk.say(Array(head.utf8))
          // The file is larger than the buffers between server and client.
          try await talk.hear { $0.count > 1000 }
          let start = talk.heard
          try FileManager.default.removeItem(atPath: folder.path("a.mp3"))
          try folder.write([8, 9], to: "a.mp3")
          try writeTour("The second")
          let answer = await running.ask(
            "GET /tours/x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
          #expect(answer.contains("The second"))
          try await talk.hear()
          let all = start + talk.heard
          #expect(all.suffix(count) == ArraySlice([UInt8](repeating: 7, count: count)))
        }
        let answer = await running.ask(
          "GET /tours/x/media/a.mp3 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        #expect(answer.contains("Content-Length: 2\r\n"))
      }
    }
  }
#endif

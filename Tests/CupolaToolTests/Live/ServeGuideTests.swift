@testable import CupolaTours

#if Serve
  import CupolaTestSupport
  import Foundation
  import NIOHTTP1
  import Testing

  @testable import Cupola
  @testable import CupolaGuide
  @testable import CupolaServe

  @Suite("cupola serve with guide and tours")
  struct ServeGuideTests {
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
      _ target: String, headers: HeaderFields = [:], post body: String? = nil
    ) throws -> ServedRequest {
      try #require(
        ServedRequest(
          body == nil ? "GET" : "POST", target: target, headers: headers,
          body: Array((body ?? "").utf8)))
    }

    private func bundle(_ name: String, _ parts: [String: [UInt8]]) throws -> String {
      let path = folder.path + "/" + name
      _ = try GuideBundle.write(parts: parts, name: "Campus", to: path)
      return path
    }

    @Test("An update downloads, resumes and revalidates a guide")
    func update() async throws {
      let parts = ["a.bin": [UInt8](repeating: 7, count: 300_000), "b.bin": [1, 2, 3]]
      let source = try bundle("source.guide", parts)
      let server = try server { $0.guide = try ServedGuide(folder: source) }
      let target = folder.path + "/target.guide"
      let update = GuideUpdate(of: target) { asked throws -> GuideResponse in
        var headers: HeaderFields = [:]
        if asked.offset > 0 {
          headers["Range"] = "bytes=\(asked.offset)-"
          headers["If-Range"] = asked.etag
        } else {
          headers["If-None-Match"] = asked.etag
        }
        let response = try await server.answer(request("/guide/" + asked.file, headers: headers))
        let etag = response.headers["ETag"]
        let body = try response.bytes
        switch response.status {
        case .ok: return .whole(body, etag: etag)
        case .partialContent: return .partial(body, etag: etag)
        case .notModified: return .notModified
        default: throw GuideError.canceled
        }
      }
      guard case .updated = try await update.run() else {
        Issue.record("the guide was not updated")
        return
      }
      #expect(try GuideBundle(reading: target).bytes(ofPart: "a.bin") == parts["a.bin"])
      guard case .upToDate = try await update.run() else {
        Issue.record("the guide was updated twice")
        return
      }
    }

    @Test("Sends byte ranges, and only files of the guide")
    func files() async throws {
      let source = try bundle("source.guide", ["a.bin": Array(0..<100)])
      try folder.write("secret", to: "source.guide/other.bin")
      let file = try GuideBundle(reading: source).manifest.parts[0].file
      let server = try server { $0.guide = try ServedGuide(folder: source) }
      let tail = try await server.answer(request("/guide/" + file, headers: ["Range": "bytes=90-"]))
      #expect(tail.status == .partialContent)
      #expect(try tail.bytes == Array(90..<100))
      #expect(tail.headers["Content-Range"] == "bytes 90-99/100")
      let old: HeaderFields = ["Range": "bytes=90-", "If-Range": "\"old\""]
      #expect(try await server.answer(request("/guide/" + file, headers: old)).status == .ok)
      let etag = try #require(tail.headers["ETag"])
      for (known, status) in [
        (etag, 304), ("W/" + etag, 304), ("\"x\", " + etag, 304), ("*", 304), ("\"x\"", 200),
      ] {
        let answer = try await server.answer(
          request("/guide/" + file, headers: ["If-None-Match": known]))
        #expect(answer.status.code == status, "\(known)")
      }
      // Only GET supports ranges.
      let head = try #require(
        ServedRequest("HEAD", target: "/guide/" + file, headers: ["Range": "bytes=90-"]))
      let whole = await server.respond(to: head)
      #expect(whole.status == .ok && whole.headers["Content-Length"] == "100")
      for name in ["other.bin", "../secret", "", "/", file + "/", "guide.json/.."] {
        #expect(try await server.answer(request("/guide/" + name)).status == .notFound, "\(name)")
      }
      #expect(throws: GuideError.self) { try ServedGuide(folder: folder.path) }
    }

    private func writeTour(_ name: String, passkey: Bool) throws -> String {
      try folder.write(
        """
        {"format":"cupola.tour/1","id":"\(name)","title":"T","languages":["en"],"order":"free",\
        "passkey":\(passkey),"stops":[{"id":"a","title":"A","latitude":48,"longitude":11,\
        "media":[{"path":"a/b.jpg","kind":"image","alt":"B"},{"path":"out.jpg","kind":"image"}]}]}
        """, to: name + ".json")
      return folder.path + "/\(name).json"
    }

    private func keys(of tour: String, count: Int) throws -> (path: String, codes: [String]) {
      let made = PasskeySet.make(count: count, tour: tour)
      let path = folder.path + "/\(tour)-keys.json"
      try made.set.create(path: path)
      return (path, made.codes)
    }

    @Test("A passkey opens a tour once, and all refusals look alike")
    func passkeys() async throws {
      let tour = try writeTour("secret", passkey: true)
      try folder.write("jpeg", to: "a/b.jpg")
      let (path, codes) = try keys(of: "secret", count: 2)
      let server = try server { $0.tours = try ServedTours(tours: [tour], keys: [path]) }
      let list = try await server.answer(request("/tours"))
      #expect(try String(decoding: list.bytes, as: UTF8.self).contains("\"secret\""))
      try expectValid(json: list.bytes)
      #expect(try await server.answer(request("/tours/secret")).status == .forbidden)
      let opened = try await server.answer(
        request("/tours/secret", post: codes[0].lowercased() + "\n"))
      try expectValid(json: opened.bytes)
      let ticket = try #require(
        try JSONSerialization.jsonObject(with: Data(opened.bytes)) as? [String: String])[
          "ticket"]
      let query = "?ticket=" + (try #require(ticket))
      let whole = try await server.answer(request("/tours/secret" + query))
      #expect(whole.status == .ok)
      #expect(try Tour(json: whole.bytes, path: "x").id == "secret")
      let photo = try await server.answer(request("/tours/secret/media/a/b.jpg" + query))
      #expect(photo.status == .ok && photo.headers["Content-Type"] == "image/jpeg")
      #expect(
        try await server.answer(request("/tours/secret/media/a/b.jpg")).status == .forbidden)
      for path in ["out.jpg", "../secret-keys.json", "secret.json"] {
        let answer = try await server.answer(request("/tours/secret/media/" + path + query))
        #expect(answer.status == .notFound)
      }
      var refusals: Set<[UInt8]> = []
      for passkey in [codes[0], "00000-00000-00000", "", String(repeating: "7", count: 5000)] {
        let answer = try await server.answer(request("/tours/secret", post: passkey))
        #expect(answer.status == .forbidden)
        refusals.insert(try answer.bytes)
      }
      #expect(refusals.count == 1)
    }

    @Test("Wrong passkeys delay the last forwarded address")
    func wrongPasskeys() async throws {
      let tour = try writeTour("secret", passkey: true)
      let (path, codes) = try keys(of: "secret", count: 1)
      let server = try server { $0.tours = try ServedTours(tours: [tour], keys: [path]) }
      func open(_ passkey: String, from addresses: String) async throws -> HTTPResponseStatus {
        return try await server.answer(
          request("/tours/secret", headers: ["X-Forwarded-For": addresses], post: passkey)
        )
        .status
      }
      let wrong = PasskeySet.make(count: 1, tour: "other").codes[0]
      for number in 0..<PasskeyExchange.mostRejections {
        let status = try await open(wrong, from: "1.1.1.\(number), 10.0.0.9")
        #expect(status == .forbidden)
      }
      #expect(try await open(codes[0], from: "10.0.0.9") == .forbidden)
      #expect(try await open(codes[0], from: "10.0.0.8") == .ok)
    }

    @Test("Only local and trusted proxies may state the client address")
    func clients() throws {
      let proxies = try ["10.0.0.0/24", "fd00::/8"].map { try #require(AddressRange($0)) }
      for (own, forwarded, client) in [
        ("127.0.0.1", "1.1.1.1, 10.0.1.9", "10.0.1.9"), ("::1", "1.1.1.1, 10.0.1.9", "10.0.1.9"),
        ("::ffff:127.0.0.1", "10.0.1.9", "10.0.1.9"), ("::2", "10.0.1.9", "::2"),
        ("::ffff:10.0.1.8", "10.0.1.9", "::ffff:10.0.1.8"), ("10.0.1.8", "10.0.1.9", "10.0.1.8"),
        ("10.0.0.8", "1.1.1.1, 10.0.1.9", "10.0.1.9"), ("fd12::1", "2.2.2.2", "2.2.2.2"),
        ("10.0.0.8", "1.1.1.1, 2.2.2.2, 10.0.0.7, fd00::2", "2.2.2.2"),
        ("10.0.0.8", "10.0.0.7", "10.0.0.7"),
      ] {
        let request = try #require(
          ServedRequest(
            "POST", target: "/tours/x", headers: ["X-Forwarded-For": forwarded],
            remoteAddress: own))
        #expect(request.client(behind: proxies) == client, "\(own) \(forwarded)")
      }
    }

    @Test("Address ranges")
    func ranges() throws {
      for (text, inside, outside) in [
        ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"), ("192.168.4.0/22", "192.168.7.9", "192.168.8.1"),
        ("10.1.2.3", "10.1.2.3", "10.1.2.4"), ("0.0.0.0/0", "8.8.8.8", "::1"),
        ("2001:db8::/33", "2001:db8:7fff::1", "2001:db8:8000::1"),
        ("10.0.0.0/8", "::ffff:10.1.1.1", "nonsense"), ("::1/128", "::1", "::2"),
      ] {
        let range = try #require(AddressRange(text))
        #expect(range.contains(inside) && !range.contains(outside), "\(text)")
      }
      for text in ["", "/", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0/8", "x/8"]
      {
        #expect(AddressRange(text) == nil, "\(text)")
      }
    }

    @Test("Malformed passkeys count as tries, but the file is not read")
    func malformedPasskeys() async throws {
      let (path, codes) = try keys(of: "secret", count: 2)
      let exchange = PasskeyExchange()
      func redeem(_ passkey: String, file: String) async -> PasskeyExchange.Outcome {
        await exchange.redeem(passkey, of: "secret", file: file, from: "10.0.0.9")
      }
      // The last character is a check character.
      let other = codes[0].last == "0" ? "1" : "0"
      let mistyped = String(codes[0].dropLast()) + other
      for _ in 0..<PasskeyExchange.mostRejections {
        #expect(await redeem(mistyped, file: "/no/such/file") == .refused)
      }
      #expect(await redeem(codes[1], file: path) == .refused, "too many tries")
      #expect(try PasskeySet(path: path).unused == 2)
    }

    @Test("Busy and broken passkey files have their own responses")
    func brokenKeys() async throws {
      let tour = try writeTour("secret", passkey: true)
      let (path, codes) = try keys(of: "secret", count: 1)
      let lines = Locked<[String]>([])
      let server = try server {
        $0.tours = try ServedTours(tours: [tour], keys: [path])
        $0.log = { line in lines.withLock { $0.append(line) } }
      }
      try folder.write("damaged", to: "secret-keys.json")
      let broken = try await server.answer(request("/tours/secret", post: codes[0]))
      #expect(broken.status == .internalServerError)
      #expect(try !String(decoding: broken.bytes, as: UTF8.self).contains(folder.path))
      let logged = lines.withLock { $0 }
      #expect(logged.count == 1 && logged.first?.contains("secret-keys.json") == true)
      let full = PasskeyExchange(mostWaiting: 0)
      #expect(
        await full.redeem(codes[0], of: "secret", file: path, from: "10.0.0.9") == .busy)
    }

    @Test("Tickets are checked without waiting for passkeys")
    func tickets() async throws {
      let (path, codes) = try keys(of: "secret", count: 1)
      let desk = PasskeyExchange()
      guard
        case .ticket(let ticket) = await desk.redeem(
          codes[0], of: "secret", file: path, from: "")
      else {
        Issue.record("the passkey was refused")
        return
      }
      // These checks are synchronous.
      func isGiven(_ tour: String) -> Bool { desk.has(ticket, of: tour) }
      #expect(isGiven("secret") && !isGiven("other") && !desk.has("", of: "secret"))
    }

    @Test("Only one of several concurrent uses of a passkey succeeds")
    func concurrentUse() async throws {
      let tour = try writeTour("secret", passkey: true)
      let (path, codes) = try keys(of: "secret", count: 1)
      let server = try server { $0.tours = try ServedTours(tours: [tour], keys: [path]) }
      let open = try await withThrowingTaskGroup(of: Bool.self) { group in
        for _ in 0..<8 {
          group.addTask {
            try await server.answer(request("/tours/secret", post: codes[0])).status == .ok
          }
        }
        return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
      }
      #expect(open == 1)
    }

    @Test("Passkeys are accepted only at their tour")
    func methods() async throws {
      let tour = try writeTour("open", passkey: false)
      try folder.write("jpeg", to: "a/b.jpg")
      let server = try server { $0.tours = try ServedTours(tours: [tour], keys: []) }
      for path in ["/", "/tours", "/tours/open/media/a/b.jpg", "/guide/guide.json"] {
        let answer = try await server.answer(request(path, post: ""))
        #expect(answer.status == .methodNotAllowed, "\(path)")
        #expect(answer.headers["Allow"] == "GET, HEAD", "\(path)")
      }
      let asked = try #require(ServedRequest("OPTIONS", target: "/tours/open"))
      #expect(await server.answer(asked).headers["Allow"] == "GET, HEAD, POST")
    }

    @Test("Invalid files are rejected before serving")
    func wrongFiles() throws {
      let (path, _) = try keys(of: "secret", count: 1)
      let closed = try writeTour("secret", passkey: true)
      let free = try writeTour("free", passkey: false)
      #expect(throws: GuideError.self) { try ServedTours(tours: [closed], keys: []) }
      #expect(throws: GuideError.self) { try ServedTours(tours: [free], keys: [path]) }
      #expect(throws: GuideError.self) { try ServedTours(tours: [free, free], keys: []) }
      #expect(throws: GuideError.self) { try ServedTours(tours: [closed], keys: [path, path]) }
      #expect(throws: Never.self) { try ServedTours(tours: [free, closed], keys: [path]) }
    }

    @Test("Guide and tours require the token")
    func token() async throws {
      let source = try bundle("source.guide", ["a.bin": [1]])
      let server = try server {
        $0.guide = try ServedGuide(folder: source)
        $0.token = "12345678"
      }
      let refused = try await server.answer(request("/guide/guide.json"))
      #expect(refused.status == .unauthorized)
      #expect(refused.headers["WWW-Authenticate"] == #"Bearer realm="cupola""#)
      for (field, status) in [
        ("Bearer 12345678", HTTPResponseStatus.ok), ("bearer  12345678", .ok),
        ("Bearer 1234567", .unauthorized), ("Bearer", .unauthorized),
        ("Basic 12345678", .unauthorized), ("12345678", .unauthorized),
      ] {
        let asked = try request("/guide/guide.json", headers: ["Authorization": field])
        #expect(await server.answer(asked).status == status, "\(field)")
        let both = try request(
          "/guide/guide.json?token=12345678", headers: ["Authorization": field])
        #expect(await server.answer(both).status == .ok, "\(field)")
      }
      #expect(try await server.answer(request("/guide/guide.json?token=12345678")).status == .ok)
      let none = LiveServer(recognizer, LiveServer.Options())
      for path in ["/guide/guide.json", "/tours", "/tours/x"] {
        #expect(try await none.answer(request(path)).status == .notFound)
      }
      #expect(try await none.answer(request("/", post: "x")).status == .methodNotAllowed)
    }
  }
#endif

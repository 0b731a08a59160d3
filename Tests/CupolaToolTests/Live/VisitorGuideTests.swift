#if Serve
  import CupolaTestSupport
  import Foundation
  import NIOHTTP1
  import Testing

  @testable import Cupola
  @testable import CupolaGuide
  @testable import CupolaServe

  @Suite("The visitors' page of cupola serve")
  struct VisitorGuideTests {
    private let folder: TemporaryFolder
    /// Monday, 2026-11-23, 10:00 in Berlin.
    private static let now = 1_795_424_400.0

    init() throws {
      folder = try TemporaryFolder()
      for (name, bytes) in try Self.built.get() { try folder.write(Array(bytes), to: name) }
    }

    private static let built = Result {
      let folder = try TemporaryFolder()
      let feed = Repository.root.appending(path: "Examples/SampleBus").path
      expectSuccess(
        try Tool.run(
          [
            "guide", "build", Repository.sampleMap, Repository.sampleCampus + "/paths.geojson",
            "--gtfs", feed, "-o", "campus.guide", "--time-zone", "Europe/Berlin",
          ], in: folder))
      return try folder.contents()
    }

    private func reader(log: @escaping LiveServer.Log = { _ in }) -> VisitorGuideReader {
      VisitorGuideReader(
        folder: folder.path("campus.guide"), labels: ["founders_hall", "unknown"], log: log)
    }

    private func server(_ change: (inout LiveServer.Options) -> Void = { _ in }) async throws
      -> LiveServer
    {
      var options = LiveServer.Options()
      options.guide = try ServedGuide(folder: folder.path("campus.guide"))
      change(&options)
      let model = try Model(bytes: try await TinyCampus.model())
      return LiveServer(Recognizer(model: model), options)
    }

    private func request(
      _ target: String, method: String = "GET", headers: HeaderFields = [:]
    ) throws -> ServedRequest {
      try #require(ServedRequest(method, target: target, headers: headers))
    }

    private func fields(_ response: ServedResponse) throws -> [String: Any] {
      #expect(response.status == .ok)
      let bytes = try response.bytes
      try expectValid(json: bytes)
      return try #require(try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
    }

    @Test("Places have opening hours for several days, and labels of the recognizer")
    func places() throws {
      var reader = reader()
      let places = try fields(reader.answer(.places, request("/"), at: Self.now))
      #expect(places["time_zone"] as? String == "Europe/Berlin")
      #expect(places["departures"] as? Bool == true)
      #expect(places["labels"] as? [String: String] == ["founders_hall": "founders_hall"])
      let all = try #require(places["places"] as? [[String: Any]])
      let office = try #require(all.first { $0["title"] as? String == "Registrar's Office" })
      #expect(office["level"] as? Double == 0 && office["building"] as? String == "founders_hall")
      let hours = try #require(places["hours"] as? [String: [String: Any]])
      let text = try #require(office["opening_hours"] as? String)
      let changes = try #require(hours[text]?["changes"] as? [[String: Any]])
      // Closed at midnight, open at 9, 12, 13 and 16 o'clock on four days, and again on the next Monday.
      let midnight = Self.now - 10 * 3600
      let clocks = changes.compactMap { $0["time"] as? Double }.map { ($0 - midnight) / 3600 }
      #expect(clocks.prefix(6) == [0, 9, 12, 13, 16, 33])
      #expect(changes.prefix(3).compactMap { $0["open"] as? Bool } == [false, true, false])
      #expect(changes.count == 1 + 5 * 4)
    }

    @Test("Opening hours that mention holidays or cannot be read are marked")
    func hours() throws {
      let day = try #require(LocalDate(year: 2026, month: 11, day: 23))
      func changes(_ text: String) -> [(time: LocalTime, isOpen: Bool?)] {
        OpeningHours(text).changes(from: day, days: 2)
      }
      #expect(changes("sunrise-sunset").isEmpty)
      #expect(changes("24/7").map { $0.isOpen } == [true])
      #expect(changes("Mo 22:00-02:00").map { $0.isOpen } == [false, true, false])
      #expect(changes("Mo 22:00-02:00").map { $0.time.clock } == ["00:00", "22:00", "02:00"])
      #expect(
        changes("18:00-20:00+").map { $0.isOpen } == [nil, false, true, nil, false, true, nil])
      #expect(OpeningHours("Mo-Fr 09:00-17:00; PH off").missing() == "public holidays")
      #expect(OpeningHours("Mo-Fr 09:00-17:00").missing() == nil)
    }

    @Test("The map contains the floors")
    func map() throws {
      var reader = reader()
      let map = try fields(reader.answer(.map, request("/")))
      #expect(map["levels"] as? [Double] == [0, 1])
      let areas = try #require(map["areas"] as? [[String: Any]])
      #expect(areas.contains { $0["id"] as? String == "founders_hall" && $0["level"] == nil })
      #expect(areas.contains { $0["kind"] as? String == "room" && $0["level"] as? Double == 1 })
      let lines = try #require(map["lines"] as? [[String: Any]])
      #expect(lines.contains { $0["kind"] as? String == "steps" })
    }

    @Test("Routes lead from places or positions, and problems are sentences for visitors")
    func routes() throws {
      var reader = reader()
      func answer(_ query: String) throws -> ServedResponse {
        reader.answer(.route, try request("/visit/route.json?" + query))
      }
      for query in [
        "from=old_library&to=founders_hall/1.4@1",
        "from=48.3,10.9&to=old_library&profile=step-free",
        "from=48.30127,10.90067@1&to=chapel",
      ] {
        let route = try fields(answer(query))
        #expect((route["maneuvers"] as? [Any])?.isEmpty == false, "\(query)")
        #expect((route["meters"] as? Double) ?? 0 > 10, "\(query)")
      }
      for query in [
        "", "from=old_library", "from=old_library&to=nowhere", "from=48.3&to=chapel",
        "from=95,10&to=chapel", "from=48.3,10.9@x&to=chapel", "from=48.3,10.9@1@2&to=chapel",
        "from=48.3,10.9@inf&to=chapel", "from=@&to=chapel",
        "from=chapel&to=old_library&profile=fly",
      ] {
        #expect(try answer(query).status == .badRequest, "\(query)")
      }
      let far = try answer("from=48.3,20&to=chapel")
      #expect(far.status == .notFound)
      #expect(
        try String(decoding: far.bytes, as: UTF8.self)
          == "There is no path near one of these places.\n"
      )
    }

    @Test("Departures are those of the stops nearby")
    func departures() throws {
      var reader = reader()
      let request = try request("/visit/departures.json?near=old_library")
      let board = try fields(reader.answer(.departures, request, at: Self.now))
      let stops = try #require(board["stops"] as? [[String: Any]])
      #expect(stops.first?["id"] as? String == "library")
      let departures = try #require(board["departures"] as? [[String: Any]])
      #expect(departures.count == 12 && board["ended"] == nil)
      #expect(departures.allSatisfy { ($0["time"] as? Double ?? 0) >= Self.now })
      let year = 366.0 * 86_400
      let late = try fields(reader.answer(.departures, request, at: Self.now + year))
      #expect(late["ended"] as? String == "2027-08-31")
      #expect((late["departures"] as? [Any])?.isEmpty == true)
      #expect(
        try reader.answer(.departures, self.request("/?near=nowhere")).status == .badRequest)
    }

    @Test("A rebuilt guide is read again, and a broken one is reported once")
    func reload() throws {
      let lines = Locked<[String]>([])
      var reader = reader(log: { line in lines.withLock { $0.append(line) } })
      let first = reader.answer(.places, try request("/"), at: Self.now)
      let etag = try #require(first.headers["ETag"])
      let again = try request("/", headers: ["If-None-Match": etag])
      #expect(reader.answer(.places, again, at: Self.now).status == .notModified)
      #expect(reader.answer(.places, again, at: Self.now + 86_400).status == .ok)
      let guide = try Guide(contentsOf: folder.path("campus.guide"))
      try guide.write(to: folder.path("campus.guide"), version: "2")
      #expect(
        try fields(reader.answer(.places, again, at: Self.now))["version"] as? String == "2")
      try folder.write("{", to: "campus.guide/guide.json")
      for _ in 1...2 {
        #expect(
          try fields(reader.answer(.places, again, at: Self.now))["version"] as? String == "2")
      }
      #expect(lines.withLock { $0 }.count == 1)
      var other = self.reader()
      #expect(other.answer(.map, try request("/")).status == .internalServerError)
    }

    @Test("The page has a strict policy, and its worker stores only existing files")
    func page() async throws {
      let server = try await server()
      let page = try await server.answer(request("/visit/"))
      #expect(page.status == .ok && page.headers["Content-Type"] == "text/html; charset=utf-8")
      let policy = page.headers["Content-Security-Policy"]
      #expect(policy?.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'") == true)
      let script = try await server.answer(request("/visit/worker.js"))
      #expect(script.headers["Content-Type"] == "text/javascript; charset=utf-8")
      let text = String(decoding: try script.bytes, as: UTF8.self)
      let names = text.matches(of: /"(\.\/|(?:\.\.\/)?[a-z]+\.(?:css|js|json))"/).map {
        String($0.1)
      }
      #expect(names.count > 10)
      let root = try #require(URL(string: "http://localhost/visit/worker.js"))
      for name in names {
        let path = try #require(URL(string: name, relativeTo: root)).absoluteURL.path(
          percentEncoded: false)
        #expect(try await server.answer(request(path)).status == .ok, "\(path)")
      }
    }

    @Test("Data requires a guide, the token and the own origin, and waiting requests are limited")
    func access() async throws {
      let paths = [
        "/visit/", "/visit/places.json", "/visit/map.json",
        "/visit/route.json?from=chapel&to=old_library",
      ]
      let open = try await server()
      let closed = try await server { $0.token = "12345678" }
      let none = try await server { $0.guide = nil }
      for path in paths {
        let separator = path.contains("?") ? "&" : "?"
        #expect(try await open.answer(request(path)).status == .ok, "\(path)")
        #expect(try await open.answer(request(path, method: "POST")).status == .methodNotAllowed)
        #expect(
          try await open.answer(request(path, headers: ["Host": "evil.example"])).status
            == .forbidden, "\(path)")
        #expect(try await closed.answer(request(path)).status == .unauthorized, "\(path)")
        #expect(
          try await closed.answer(request(path + separator + "token=12345678")).status == .ok,
          "\(path)")
        #expect(try await none.answer(request(path)).status == .notFound, "\(path)")
      }
      let first = try await closed.answer(request("/visit/?token=12345678"))
      #expect(first.headers["Set-Cookie"]?.contains("Path=/;") == true)
      for path in ["/visit", "/visit/x", "/visit/places.json/", "/visit/../guide/guide.json"] {
        #expect(try await open.answer(request(path)).status == .notFound, "\(path)")
      }
      let full = VisitorGuide(
        folder: folder.path("campus.guide"), labels: [], mostWaiting: 0, log: { _ in })
      let busy = try #require(await full.answer("map.json", request("/")))
      #expect(busy.status == .serviceUnavailable && busy.headers["Retry-After"] == "2")
      let other = try await full.answer("nothing.json", request("/"))
      #expect(other?.status == nil)
    }
  }
#endif

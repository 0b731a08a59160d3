#if Serve
  import Cupola
  import CupolaCampus
  import CupolaTestSupport
  import CupolaTraining
  import Foundation
  import NIOHTTP1
  import Testing

  @testable import CupolaServe

  /// What Studio has in common with `cupola serve`: the token, messages, limits and temporary files.
  extension StudioTests {
    @Test("A cookie replaces the token, and wrong tokens are logged and slow down their sender")
    func tokens() async throws {
      let lines = Locked<[String]>([])
      var options = StudioServer.Options(token: Self.token)
      options.log = { line in lines.withLock { $0.append(line) } }
      let server = try StudioServer(folder: temporary.path("q"), options)
      func ask(_ target: String, _ cookie: String? = nil) async throws -> ServedResponse {
        var headers: HeaderFields = ["Host": "127.0.0.1:8090"]
        headers["Cookie"] = cookie
        return await server.answer(
          try #require(ServedRequest("GET", target: target, headers: headers)))
      }
      let first = try await ask("/?token=\(Self.token)")
      let field = try #require(first.headers["Set-Cookie"])
      #expect(field.contains("HttpOnly") && field.contains("SameSite=Strict"))
      #expect(first.status == .ok && !field.contains(Self.token))
      for _ in 0..<20 { #expect(try await ask("/api/state?token=x").status == .unauthorized) }
      #expect(try await ask("/?token=\(Self.token)").status == .tooManyRequests)
      let cookie = String(field.prefix { $0 != ";" })
      #expect(try await ask("/api/state", cookie).status == .ok)
      #expect(lines.withLock { $0.count } == 20)
      // The page removes the token from the address.
      let script = String(decoding: try await ask("/studio.js").bytes, as: UTF8.self)
      #expect(script.contains(#"visible.searchParams.delete("token")"#))
      #expect(script.contains("history.replaceState"))
    }

    @Test("Errors name files as the page does, and the whole path is logged")
    func messages() async throws {
      let lines = Locked<[String]>([])
      var options = StudioServer.Options(token: Self.token)
      options.log = { line in lines.withLock { $0.append(line) } }
      let server = try StudioServer(folder: temporary.path("q"), options)
      try FileManager.default.removeItem(atPath: temporary.path("q/.studio/incoming"))
      try temporary.write("no folder", to: "q/.studio/incoming")
      let request = try #require(
        ServedRequest(
          "POST", target: "/api/fence?token=\(Self.token)", headers: ["Host": "localhost"],
          body: Array(#"{"rings":[[[10,48],[10.03,48],[10.03,48.02]]]}"#.utf8)))
      let response = await server.answer(request)
      let message = try #require(try response.value["message"]?.text)
      #expect(response.status == .unprocessableEntity && message.contains("cannot be written"))
      #expect(message.hasPrefix(".studio/incoming/change-1: ") && !message.contains(temporary.path))
      #expect(lines.withLock { $0.first?.contains("q/.studio/incoming/change-1: ") } == true)
    }

    @Test("Studio removes temporary files of killed servers")
    func temporaryFiles() throws {
      let places = [".studio", ".studio/thumbs", ".studio/runs"]
      for place in places {
        let left = try temporary.write("x", to: "q/\(place)/x.part-0123456789abcdef")
        try FileManager.default.setAttributes(
          [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: left)
      }
      _ = try StudioServer(folder: temporary.path("q"), StudioServer.Options(token: Self.token))
      #expect(try !temporary.contents().keys.contains { $0.contains(".part-") })
    }

    @Test("The bodies of all requests together have at most 128 MB")
    func bodies() throws {
      func place(_ target: String, _ length: Int?) throws -> UploadPlace? {
        var headers: HeaderFields = [
          "Host": "localhost", "Authorization": "Bearer \(Self.token)",
        ]
        headers["Content-Length"] = length.map { String($0) }
        let request = try #require(ServedRequest("POST", target: target, headers: headers))
        guard case .admitted(let place, _) = server.upload(request) else { return nil }
        return place
      }
      let photo = "/api/upload?batch=b&name=x.jpg"
      var places = [try place(photo, 64 << 20), try place(photo, 63 << 20)]
      // The size of a body in chunks is not known.
      #expect(try places.allSatisfy { $0 != nil } && place(photo, nil) == nil)
      places.append(try place("/api/undo", nil))
      #expect(try places[2] != nil && place("/api/undo", 2) == nil)
      places.removeAll()
      #expect(try place(photo, nil) != nil)
    }
  }
#endif

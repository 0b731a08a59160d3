#if Serve
  import Cupola
  import CupolaCampus
  import CupolaTestSupport
  import CupolaTraining
  import Foundation
  import NIOHTTP1
  import Testing

  @testable import CupolaServe

  @Suite("cupola studio", .serialized, .timeLimit(.minutes(5)))
  struct StudioTests {
    static let token = "0123456789abcdef"
    let temporary: TemporaryFolder
    let server: StudioServer

    /// A stand-in for the program: copies imported files, and otherwise prints progress and figures.
    private static let stub = """
      #!/bin/sh
      case "$1" in
      model) echo run >> "${0%/*}/runs"; sleep 0.3; echo card ;;
      import) cp -R "$2" "$4"; rm -f "$4"/*/odd.txt
        printf '{"failed":["%s/arch/bad.jpg: damaged JPEG"],"incomplete":[]}' "$2" ;;
      train) echo "computing features: 3 of 8, 1 min 5 s left" >&2
        if [ -f "${0%/*}/wait" ]; then sleep 60; fi
        if [ -f "${0%/*}/fail" ]; then echo "cupola: ${2%/*}/photos/x.jpg: too few photos" >&2; exit 65; fi
        echo model > "$4"; echo '{"photos":8,"labels":{"arch":5,"_other":3,"_drawn":48},"held_out_accuracy":0.9}' ;;
      check) echo '{"findings":[{"kind":"blurred","message":"1 photo is blurred","advice":"remove it",
        "items":[{"name":"arch/1.jpg","note":"sharpness 3"}]},{"kind":"imbalance","message":"m","advice":"a",
        "items":[]}],"coverage":[]}'; exit 1 ;;
      explain) echo '{"match":{"photo":"arch/2.jpg","cosine":0.5}}' ;;
      split) cp "$4" "$4.new"; echo "arch/4.jpg,arch,test,g9" >> "$4.new"; mv "$4.new" "$4" ;;
      *) exit 64 ;;
      esac
      """

    init() throws {
      temporary = try TemporaryFolder()
      let program = try temporary.write(program: Self.stub, to: "cupola")
      for kind in ["arch", "barn"] {
        for number in 1...3 {
          try temporary.write("\(kind) \(number)", to: "p/photos/\(kind)/\(number).jpg")
        }
      }
      var options = StudioServer.Options(token: Self.token)
      (options.port, options.program) = (0, program)
      server = try StudioServer(folder: temporary.path("p"), options)
    }

    private func get(_ target: String) async throws -> ServedResponse {
      try await answer("GET", target, "")
    }

    private func post(_ target: String, _ body: String = "{}") async throws -> ServedResponse {
      try await answer("POST", target, body)
    }

    private func answer(
      _ method: String, _ target: String, _ body: String
    ) async throws -> ServedResponse {
      let headers: HeaderFields = [
        "Host": "localhost:8090", "Authorization": "Bearer \(Self.token)",
      ]
      let request = try #require(
        ServedRequest(method, target: target, headers: headers, body: Array(body.utf8)))
      return await server.answer(request)
    }

    private func state() async throws -> JSONValue { try await get("/api/state").value }

    /// The photos and maps, but not Studio's own files.
    private func files() throws -> [String: Data] {
      try temporary.contents().filter { $0.key.hasPrefix("p/") && !$0.key.contains(".studio") }
    }

    private func finishedJob() async throws -> JSONValue {
      for _ in 0..<600 {
        if let job = try await state()["job"], job["state"]?.text != "running" { return job }
        try await Task.sleep(for: .milliseconds(50))
      }
      throw CancellationError()
    }

    // MARK: - Photos

    @Test("The state lists labels with counts, and two windows see the same changes")
    func listing() async throws {
      let first = try await state()
      #expect(first["labels"]?.elements.compactMap { $0["label"]?.text } == ["arch", "barn"])
      #expect(first["labels"]?.elements.first?["photos"] == .integer(3))
      let known = try #require(first["revision"]?.integer)
      async let other = get("/api/state?after=\(known + 1000)")
      #expect(try await other.value["labels"] == first["labels"])
      _ = try await post(
        "/api/change", #"{"op":"move","photos":["photos/arch/1.jpg"],"label":"cone"}"#)
      async let one = get("/api/state?after=\(known)")
      async let two = get("/api/state?after=\(known)")
      let (a, b) = (try await one.value, try await two.value)
      #expect(a["labels"] == b["labels"] && a["undo"] == b["undo"])
      #expect(a["undo"] == .string("Move 1 photo to cone"))
      let photos = try await get("/api/photos").value["photos"]?.elements ?? []
      #expect(photos.contains { $0.elements.first == .string("photos/cone/1.jpg") })
    }

    @Test("Undoing twenty random changes restores all files byte for byte")
    func randomChanges() async throws {
      let before = try files()
      var random = SplitMix64(seed: 7)
      for _ in 0..<20 {
        let photos = try await get("/api/photos").value["photos"]?.elements ?? []
        let paths = photos.compactMap { $0.elements.first?.text }
        let path = try #require(paths.randomElement(using: &random))
        let label = ["arch", "barn", "cone", "_other"].randomElement(using: &random) ?? ""
        let own = path.split(separator: "/")[1]
        let body =
          switch Int.random(in: 0..<4, using: &random) {
          case 0 where paths.count > 2: #"{"op":"remove","photos":["\#(path)"]}"#
          case 1: #"{"op":"rename","label":"\#(own)","to":"\#(label)"}"#
          default: #"{"op":"move","photos":["\#(path)"],"label":"\#(label)"}"#
          }
        let response = try await post("/api/change", body)
        #expect(response.status == .ok, "\(body)")
      }
      let after = try files()
      var count = 0
      while try await post("/api/undo").value["title"] != nil { count += 1 }
      #expect(count > 5)
      #expect(try files() == before)
      while try await post("/api/redo").value["title"] != nil {}
      #expect(try files() == after)
    }

    @Test("Added files go to the folders of their labels, and each odd file is reported")
    func adding() async throws {
      for (name, text) in [
        ("campus/arch/9.jpg", "new"), ("campus/arch/1.jpg", "other"),
        ("campus/arch/copy.jpg", "arch 1"), ("campus/cone/5.jpg", "cone"),
        ("campus/arch/odd.txt", "text"), ("campus/cone/film.mov", "film"),
      ] {
        let target = "/api/upload?batch=b1&name=\(name)"
        #expect(try await post(target, text).status == .ok)
      }
      let report = try await post("/api/add", #"{"batch":"b1"}"#).value
      #expect(report["added"] == .integer(3), "\(report)")
      let problems = report["problems"]?.elements ?? []
      let messages = Dictionary(
        problems.map { ($0["name"]?.text ?? "", $0["message"]?.text ?? "") }
      ) { first, _ in first }
      #expect(messages["campus/arch/odd.txt"] == "not a photo; not added")
      #expect(messages["campus/cone/film.mov"] == "not a photo; not added")
      #expect(messages["arch/bad.jpg"] == "damaged JPEG")
      #expect(
        messages["campus/arch/copy.jpg"] == "identical to photos/arch/1.jpg; not added")
      let files = try files()
      #expect(files["p/photos/arch/1-2.jpg"] == Data("other".utf8))
      #expect(files["p/photos/cone/5.jpg"] == Data("cone".utf8))
      #expect(try await state()["undo"] == .string("Add 3 photos"))
      _ = try await post("/api/undo")
      #expect(try self.files().count == files.count - 3)
    }

    @Test(
      "Labels come from the folders below the common one",
      arguments: [
        (["x/a/1.jpg", "x/b/2.jpg"], ["a", "b"]), (["a/1.jpg", "a/2.jpg"], ["a", "a"]),
        (["1.jpg", "b/2.jpg"], [nil, "b"]), (["DCIM/100APPLE/1.jpg"], [nil]),
        (["x/train/a/1.jpg", "x/test/b/2.jpg"], ["a", "b"]),
        (["Training/a/1.jpg", "test_unknown/b/2.jpg"], ["a", "_other_buildings"]),
        (["train/a/1.jpg", "c/2.jpg", "test/3.jpg"], ["a", "c", "test"]),
      ] as [([String], [String?])])
    func labels(names: [String], labels: [String?]) {
      let found = StudioProject.labels(of: names)
      #expect(names.map { found[$0]?.label } == labels)
    }

    @Test("A table of splits follows all changes, and undo restores its bytes")
    func tables() async throws {
      let table =
        "path,label,split,group\r\narch/1.jpg,arch,train,g1\r\nbarn/2.jpg,barn,test,g2\r\n"
      try temporary.write(table, to: "p/photos/split.csv")
      let before = try files()
      for (body, rows) in [
        (
          #"{"op":"move","photos":["photos/arch/1.jpg"],"label":"cone"}"#,
          "cone/1.jpg,cone,train,g1"
        ),
        (#"{"op":"rename","label":"cone","to":"barn"}"#, "barn/1-2.jpg,barn,train,g1"),
        (#"{"op":"remove","photos":["photos/barn/1-2.jpg"]}"#, ""),
      ] {
        #expect(try await post("/api/change", body).status == .ok)
        let lines = String(decoding: try temporary.bytes("p/photos/split.csv"), as: UTF8.self)
          .split(whereSeparator: \.isNewline)
        #expect(lines.dropFirst().dropLast().joined() == rows)
        #expect(lines.last == "barn/2.jpg,barn,test,g2")
      }
      // Training adds new photos to the table of `cupola split`.
      try temporary.write("arch 4", to: "p/photos/arch/4.jpg")
      _ = try await post("/api/job", #"{"kind":"train"}"#)
      #expect(try await finishedJob()["state"] == .string("done"))
      #expect(
        String(decoding: try temporary.bytes("p/photos/split.csv"), as: UTF8.self).contains("g9"))
      while try await post("/api/undo").value["title"] != nil {}
      #expect(
        try files().filter { !$0.key.contains("4.jpg") && !$0.key.contains("safetensors") }
          == before)
    }

    @Test("The page can ask which uploads a restarted server still has")
    func batches() async throws {
      for name in ["a/1.jpg", "2.jpg"] {
        #expect(try await post("/api/upload?batch=b&name=\(name)", "x").status == .ok)
      }
      let names = try await post("/api/batch", #"{"batch":"b"}"#).value["names"]?.elements
      #expect(names == [.string("2.jpg"), .string("a/1.jpg")])
      await server.project.end()
      let again = try StudioServer(folder: temporary.path("p"), StudioServer.Options(token: "x"))
      #expect(try again.project.received("b").isEmpty)
    }

    @Test("The nearest training photo is searched with the model")
    func nearest() async throws {
      #expect(try await post("/api/nearest", "photo").status == .conflict)
      try temporary.write("model", to: "p/campus.safetensors")
      let answer = try await post("/api/nearest", "photo").value
      #expect(answer["photo"] == .string("photos/arch/2.jpg") && answer["cosine"] == .number(0.5))
      #expect(try temporary.contents().keys.allSatisfy { !$0.contains("incoming") })
    }

    // MARK: - Refusals

    @Test("Requests without the token, to other names or from other websites are refused")
    func access() async throws {
      let known = "Bearer \(Self.token)"
      let closed = [
        "/api/state", "/", "/campus.json", "/api/report", "/api/photo?path=photos/arch/1.jpg",
      ]
      for (fields, status, targets) in [
        (["Host": "localhost"], 401, closed),
        (["Host": "localhost", "Authorization": "Bearer x"], 401, closed),
        (
          ["Host": "localhost", "Authorization": known, "Origin": "http://other.example"], 403,
          closed + ["/studio.js", "/nothing"]
        ),
        // Another website's name can resolve to this computer.
        (["Host": "other.example:8090", "Authorization": known], 403, closed + ["/studio.js"]),
        (["Host": "localhost:80@evil", "Authorization": known], 400, closed + ["/studio.js"]),
      ] as [([String: String], UInt, [String])] {
        let headers = HeaderFields(fields.map { (name: $0.key, value: $0.value) })
        for (method, target) in targets.map({ ("GET", $0) }) + [("POST", "/api/undo")] {
          let request = try #require(ServedRequest(method, target: target, headers: headers))
          let response = await server.answer(request)
          #expect(response.status.code == status, "\(target) \(fields)")
          #expect(response.headers["X-Content-Type-Options"] == "nosniff")
          #expect(response.headers["Cross-Origin-Opener-Policy"] == "same-origin")
          #expect(response.headers["Cross-Origin-Resource-Policy"] == "same-origin")
          #expect(response.headers["Permissions-Policy"]?.contains("microphone=()") == true)
        }
      }
      #expect(try await answer("PUT", "/", "").status == .methodNotAllowed)
      #expect(try await answer("DELETE", "/api/state", "").status == .methodNotAllowed)
    }

    @Test("Names that leave the project are refused")
    func paths() async throws {
      try temporary.write("secret", to: "secret.jpg")
      try FileManager.default.createSymbolicLink(
        atPath: temporary.path("p/photos/arch/link.jpg"),
        withDestinationPath: temporary.path("secret.jpg"))
      try FileManager.default.createSymbolicLink(
        atPath: temporary.path("p/photos/linked"), withDestinationPath: temporary.path)
      let before = try temporary.contents().count
      for path in [
        "../secret.jpg", "photos/../../secret.jpg", "/etc/passwd", "photos/arch/link.jpg",
        "photos/linked/secret.jpg", ".studio/journal.jsonl", "campus.geojson", "",
      ] {
        for kind in ["thumb", "photo"] {
          let status = try await get("/api/\(kind)?path=\(path)").status
          #expect(status == .notFound, "\(kind) \(path)")
        }
      }
      for name in ["../x.jpg", "/x.jpg", "a/../../x.jpg", "a//x.jpg", ".x.jpg", "a\\x.jpg", ""] {
        let status = try await post("/api/upload?batch=b&name=\(name)", "x").status
        #expect(status == .badRequest, "\(name)")
      }
      for batch in ["..", "a/b", "", "change-1"] {
        let status = try await post("/api/upload?batch=\(batch)&name=x.jpg", "x").status
        #expect(status == .badRequest, "\(batch)")
      }
      for label in ["..", "a/b", ".x", "-x", "_drawn", ""] {
        let body = #"{"op":"move","photos":["photos/arch/1.jpg"],"label":"\#(label)"}"#
        #expect(try await post("/api/change", body).status == .badRequest, "\(label)")
      }
      for name in ["..%2fstudio", "../../secret.jpg"] {
        #expect(try await get("/api/report/\(name)").status == .badRequest)
      }
      #expect(try await get("/api/export?format=../photos").status == .notFound)
      #expect(try temporary.contents().count == before)
    }

    @Test("Uploads over the limit are refused before their bytes are received")
    func largeUploads() async throws {
      try await RunningServer.run(server) { running in
        for (path, length, token, status) in [
          ("/api/upload?batch=b&name=x.jpg", 2 << 30, Self.token, 413),
          ("/api/change", 2 << 20, Self.token, 413),
          ("/api/upload?batch=b&name=x.jpg", 9, "wrong", 401), ("/elsewhere", 9000, "", 413),
        ] {
          let heard = await running.ask(
            "POST \(path) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
              + "Content-Length: \(length)\r\n\r\n")
          #expect(RunningServer.statuses(heard) == [status], "\(path)")
          #expect(heard.contains(#"{"message":"#))
        }
        let long = String(repeating: "A", count: 17 << 10)
        let heard = await running.ask("GET / HTTP/1.1\r\nHost: localhost\r\nX-A: \(long)\r\n\r\n")
        #expect(RunningServer.statuses(heard) == [431])
      }
      #expect(!FileManager.default.fileExists(atPath: temporary.path("p/.studio/incoming/b")))
    }

    @Test("A second server cannot open the project")
    func locking() async throws {
      let options = StudioServer.Options(token: Self.token)
      #expect(throws: StudioProblem.self) {
        _ = try StudioServer(folder: temporary.path("p"), options)
      }
      await server.project.end()
      _ = try StudioServer(folder: temporary.path("p"), options)
    }

    // MARK: - Jobs

    @Test("A training reports progress, replaces the model and is recorded")
    func training() async throws {
      #expect(try await post("/api/job", #"{"kind":"export","format":"web"}"#).status == .conflict)
      #expect(try await post("/api/job", #"{"kind":"train"}"#).status == .ok)
      let job = try await finishedJob()
      #expect(job["state"] == .string("done") && job["done"] == .integer(3), "\(job)")
      #expect(job["secondsLeft"] == .integer(65))
      let state = try await state()
      let run = state["runs"]?.elements.first
      #expect(run?["photos"] == .integer(8) && run?["labels"] == .integer(1))
      #expect(run?["figures"]?["held_out_accuracy"] == .number(0.9))
      #expect(state["model"]?["file"] == .string("campus.safetensors"))
      #expect(try temporary.bytes("p/campus.safetensors") == Array("model\n".utf8))
    }

    @Test("A failed training reports its last message, and a canceled one changes nothing")
    func unfinishedTrainings() async throws {
      try temporary.touch("fail")
      _ = try await post("/api/job", #"{"kind":"train"}"#)
      var job = try await finishedJob()
      #expect(job["state"] == .string("failed"))
      #expect(job["message"] == .string("photos/x.jpg: too few photos"), "\(job)")
      try temporary.touch("wait")
      _ = try await post("/api/job", #"{"kind":"train"}"#)
      #expect(try await post("/api/job", #"{"kind":"check"}"#).status == .conflict)
      _ = try await post("/api/job/cancel")
      job = try await finishedJob()
      #expect(job["state"] == .string("canceled"))
      #expect(try await state()["model"] == nil)
    }

    @Test("One process describes the model for all windows")
    func card() async throws {
      #expect(try await get("/api/card").status == .conflict)
      _ = try await post("/api/job", #"{"kind":"train"}"#)
      _ = try await finishedJob()
      async let one = get("/api/card")
      async let two = get("/api/card")
      for response in [try await one, try await two, try await get("/api/card")] {
        #expect(try response.bytes == Array("card\n".utf8))
      }
      #expect(try temporary.bytes("runs") == Array("run\n".utf8))
    }

    @Test("Findings are listed with their photos and follow them")
    func findings() async throws {
      _ = try await post("/api/job", #"{"kind":"check"}"#)
      #expect(try await finishedJob()["state"] == .string("done"))
      var findings = try await state()["findings"]
      let items = findings?["byPhoto"]?["photos/arch/1.jpg"]?.elements
      #expect(items?.first?["kind"] == .string("blurred"))
      #expect(findings?["general"]?.elements == [.string("m: a")])
      _ = try await post(
        "/api/change", #"{"op":"move","photos":["photos/arch/1.jpg"],"label":"cone"}"#)
      findings = try await state()["findings"]
      #expect(findings?["byPhoto"]?["photos/cone/1.jpg"] != nil)
    }

    // MARK: - Map

    @Test("A map is matched, fenced and removed, and each change can be undone")
    func maps() async throws {
      let report = try await post("/api/map?name=x.geojson", TinyCampus.openStreetMap).value
      #expect(report["message"] == .string("x.geojson: 3 buildings"), "\(report)")
      var map = try #require(try await state()["map"])
      #expect(map["unmatched"]?.elements == [.string("barn")])
      #expect(map["fence"]?.elements.count == 1)
      let body = #"{"label":"barn","building":"way/3"}"#
      #expect(try await post("/api/match", body).status == .ok)
      map = try #require(try await state()["map"])
      #expect(map["buildings"]?.elements.compactMap { $0["label"]?.text }.contains("barn") == true)
      let fence = #"{"rings":[[[10,48],[10.03,48],[10.03,48.02]]]}"#
      #expect(try await post("/api/fence", fence).status == .ok)
      map = try #require(try await state()["map"])
      #expect(map["fence"]?.elements.first?.elements.count == 4)
      #expect(map["buildings"]?.elements.count == 3)
      #expect(try await post("/api/map/remove").status == .ok)
      #expect(try await state()["map"] == nil)
      #expect(try await post("/api/fence", fence).status == .ok)
      #expect(try await state()["map"]?["buildings"]?.elements == [])
      while try await post("/api/undo").value["title"] != nil {}
      #expect(try await state()["map"] == nil)
      #expect(try await post("/api/map?name=x", "nonsense").status == .badRequest)
    }

    @Test("Overpass JSON becomes a map with a fence around its buildings")
    func overpass() async throws {
      let overpass = """
        {"elements":[{"type":"node","id":1,"lat":48,"lon":10},{"type":"node","id":2,"lat":48,"lon":10.001},
        {"type":"node","id":3,"lat":48.001,"lon":10.001},{"type":"way","id":7,"nodes":[1,2,3,1],
        "tags":{"building":"yes","name":"Arch"}}]}
        """
      let report = try await post("/api/map?name=overpass.json", overpass).value
      let message = report["message"]?.text ?? ""
      #expect(message.hasPrefix("overpass.json: 1 building; a fence was drawn 250 m"), "\(report)")
      let map = try await state()["map"]
      #expect(map?["buildings"]?.elements.first?["name"] == .string("Arch"))
      #expect(map?["unmatched"]?.elements == [.string("barn")])
    }

    @Test("Names come from a table without coordinates, once there is a map")
    func names() async throws {
      let table = "Folder;Name\narch;The Arch\nnone;Nothing\n"
      let refusal = try await post("/api/map?name=n.csv", table)
      #expect(refusal.status == .badRequest)
      #expect(try refusal.value["message"]?.text?.contains("draw a fence") == true)
      let fence = #"{"rings":[[[10,48],[10.03,48],[10.03,48.02]]]}"#
      #expect(try await post("/api/fence", fence).status == .ok)
      let report = try await post("/api/map?name=n.csv", table).value
      #expect(report["message"] == .string("1 name from n.csv used"), "\(report)")
      #expect(report["problems"]?.elements.count == 1)
      #expect(try await state()["labels"]?.elements.first?["name"] == .string("The Arch"))
      #expect(try await post("/api/undo").value["title"] == .string("Use 1 name from n.csv"))
    }

    @Test("Maps without buildings or a fence get a next step")
    func incompleteMaps() async throws {
      func map(_ features: String) -> String {
        #"{"type":"FeatureCollection","features":[\#(features)]}"#
      }
      let ring = "[[[10,48],[10.03,48],[10.03,48.02],[10,48]]]"
      let area = #""geometry":{"type":"Polygon","coordinates":\#(ring)}"#
      let fence = #"{"type":"Feature","properties":{"role":"boundary"},\#(area)}"#
      let building = #"{"type":"Feature","properties":{"building":"yes","name":"A"},\#(area)}"#
      let park = #"{"type":"Feature","properties":{"leisure":"park"},\#(area)}"#
      for features in ["", park] {
        let refusal = try await post("/api/map?name=x.geojson", map(features))
        #expect(refusal.status == .badRequest)
        #expect(try refusal.value["message"]?.text?.contains("Draw a fence") == true)
      }
      let report = try await post("/api/map?name=x.geojson", map(fence)).value
      #expect(report["message"]?.text?.contains("without buildings; add a map") == true)
      // A map of another program that lacks a fence can be completed by drawing one.
      try temporary.write(map(building), to: "p/campus.geojson")
      // Lists the files again, which is done at most every two seconds otherwise.
      _ = try await post("/api/change")
      var found = try #require(try await state()["map"])
      #expect(found["problem"]?.text?.contains("draw one") == true, "\(found)")
      #expect(try await post("/api/fence", #"{"rings":\#(ring)}"#).status == .ok)
      found = try #require(try await state()["map"])
      #expect(found["problem"] == nil && found["buildings"]?.elements.count == 1)
    }

    // MARK: - Exports

    @Test("A zip file has the bytes of its entries")
    func zip() async throws {
      try temporary.write("one", to: "p/exports/web/a.txt")
      try temporary.write("two", to: "p/exports/web/b/c.txt")
      let response = try await get("/api/export?format=web")
      let bytes = try response.bytes
      try temporary.write(bytes, to: "x.zip")
      #expect(bytes.starts(with: [0x50, 0x4B, 3, 4]))
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(text.contains("a.txtone") && text.contains("b/c.txttwo"))
    }
  }

  extension ServedResponse {
    var value: JSONValue {
      get throws { try JSONReader.value(of: try bytes) }
    }
  }
#endif

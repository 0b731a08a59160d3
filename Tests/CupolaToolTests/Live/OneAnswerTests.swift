#if Serve
  import CupolaTestSupport
  import Foundation
  import NIOHTTP1
  import Testing

  @testable import Cupola
  @testable import CupolaServe
  @testable import CupolaTraining

  /// A still photo gets the same answer, in the same words, from every command and page.
  @Suite("One answer")
  struct OneAnswerTests {
    private struct Answer: Equatable {
      let verdict, title, detail: String?
      let probability: Double?

      init(_ json: [String: Any]) {
        (verdict, title) = (json["verdict"] as? String, json["title"] as? String)
        (detail, probability) = (json["detail"] as? String, Self.rounded(json["probability"]))
      }

      init(_ answer: Recognition, in campus: Campus?) {
        let text = answer.text(in: campus)
        (verdict, title, detail) = (answer.verdict.rawValue, text.title, text.detail)
        probability = Self.rounded(answer.probability)
      }

      /// Foundation's JSON reader can change the last digit.
      private static func rounded(_ probability: Any?) -> Double? {
        (probability as? Double).map { ($0 * 1e12).rounded() / 1e12 }
      }
    }

    /// The models, with the photos for each of them.
    private static let models = ["sure", "unsure", "ambiguous"]

    private let folder: TemporaryFolder

    init() async throws {
      folder = try TemporaryFolder()
      try writeModels(try await TinyCampus.model())
      try writePhotos()
    }

    private func writeModels(_ model: [UInt8]) throws {
      var file = try SafeTensors(bytes: model)
      let map = try #require(file.metadata["campus"])
      let well = """
        {"type":"Feature","properties":{"role":"building","id":"well","name":"Deep Well"},\
        "geometry":{"type":"Point","coordinates":[10.012,48.0074]}},
        """
      file.metadata["campus"] = map.replacing(#""features":["#, with: #""features":["# + well)
      try folder.write(try ModelSeal.bytes(of: file), to: "sure.safetensors")
      // At high temperatures, images are ambiguous.
      try TinyCampus.calibrate(
        "sure.safetensors", in: folder, to: "ambiguous.safetensors",
        wrongNames: (photos: 99, scores: []), temperature: 30)
      try TinyCampus.calibrate(
        "sure.safetensors", in: folder, to: "unsure.safetensors",
        wrongNames: (photos: 19, scores: []), temperature: 9)
      // Requires more than the probability of the best building, and less than that of the two best.
      let recognizer = Recognizer(model: try Model(contentsOf: folder.path("unsure.safetensors")))
      let best = try recognizer.recognize(photo: try TinyCampus.jpeg(.arch, seed: 90)).candidates
      try TinyCampus.calibrate(
        "sure.safetensors", in: folder, to: "unsure.safetensors",
        wrongNames: (photos: 19, scores: [best[0].probability + best[1].probability / 2]),
        temperature: 9)
    }

    /// Writes 60 photos: without a position, on campus, off campus, at the well, and facing away from the building.
    private func writePhotos() throws {
      let buildings: [TinyCampus.Kind] = [.arch, .barn, .cone]
      func write(
        _ model: String, _ kind: TinyCampus.Kind, _ seeds: ClosedRange<UInt64>, exif: [UInt8] = []
      ) throws {
        for seed in seeds {
          let name = "\(model)/\(kind)-\(seed)-\(exif.count)-\(exif.last ?? 0).jpg"
          try folder.write(try TinyCampus.jpeg(kind, seed: seed, exif: exif), to: name)
        }
      }
      for kind in buildings {
        try write("sure", kind, 90...93)
        try write("sure", kind, 90...93, exif: Self.place(48.0049, 10.011, heading: 10))
        try write("ambiguous", kind, 90...93, exif: Self.place(48.0071, 10.012, heading: 0))
        try write("unsure", kind, 90...93)
      }
      try write("sure", .street, 90...95)
      try write("sure", .arch, 94...99, exif: Self.place(48.5, 10.01, heading: 0))
    }

    /// An EXIF position with an accuracy of 5 m, and a heading from true north.
    private static func place(
      _ latitude: Double, _ longitude: Double, heading: UInt32
    ) -> [UInt8] {
      func degrees(_ value: Double) -> EXIFBuilder.Value {
        .rationals([(UInt32((value * 1e7).rounded()), 10_000_000), (0, 1), (0, 1)])
      }
      let direction: [(UInt32, UInt32)] = [(heading, 1)]
      return EXIFBuilder().payload([
        EXIFBuilder.Tag.gps: .directory([
          EXIFBuilder.Tag.latitudeReference: .text("N"),
          EXIFBuilder.Tag.latitude: degrees(latitude),
          EXIFBuilder.Tag.longitudeReference: .text("E"),
          EXIFBuilder.Tag.longitude: degrees(longitude),
          EXIFBuilder.Tag.directionReference: .text("T"),
          EXIFBuilder.Tag.direction: .rationals(direction),
          EXIFBuilder.Tag.horizontalError: .rationals([(5, 1)]),
        ])
      ])
    }

    private static func served(
      _ server: LiveServer, _ photo: [UInt8]
    ) async throws -> [String: Any] {
      let request = try #require(ServedRequest("POST", target: "/photo", body: photo))
      let response = await server.answer(request)
      #expect(response.status == .ok)
      let json = try JSONSerialization.jsonObject(with: Data(response.bytes))
      return try #require(json as? [String: Any])
    }

    @Test("All commands and the page agree about 60 photos")
    func everyPath() async throws {
      var (count, verdicts) = (0, Set<String?>())
      for name in Self.models {
        let model = name + ".safetensors"
        let recognizer = Recognizer(model: try Model(contentsOf: folder.path(model)))
        let server = LiveServer(recognizer, LiveServer.Options())
        let output = try Tool.run(["classify", model, name, "--jsonl", "-q"], in: folder)
        expectSuccess(output)
        for (number, classified) in try output.jsonLines().enumerated() {
          let path = try #require(classified["photo"] as? String)
          let photo = try folder.bytes(path)
          let answer = try recognizer.recognize(photo: photo)
          let wanted = Answer(answer, in: recognizer.model.campus)
          #expect(Answer(classified) == wanted, "classify \(path)")
          #expect(Answer(try await Self.served(server, photo)) == wanted, "serve \(path)")
          (count, _) = (count + 1, verdicts.insert(wanted.verdict))
          // Starting the command takes longer than its work, so not all photos are watched.
          guard number.isMultiple(of: 4) else { continue }
          let watched = try Tool.run(["watch", model, path, "--jsonl", "-q"], in: folder)
          #expect(try watched.jsonLines().map(Answer.init) == [wanted], "watch \(path)")
        }
      }
      #expect(count == 60)
      #expect(
        verdicts == [
          "building", "mapped_building", "unsure", "not_a_campus_building", "not_on_campus",
        ])
    }

    @Test("Earlier frames and the position of the viewer do not change the answer for a photo")
    func earlierFrames() async throws {
      let recognizer = Recognizer(
        model: try Model(contentsOf: folder.path("sure.safetensors")))
      let server = LiveServer(recognizer, LiveServer.Options())
      let photo = try TinyCampus.jpeg(.arch, seed: 90)
      let before = try await Self.served(server, photo)
      let connection = LiveConnection(recognizer, nil)
      let away = #"{"type":"place","latitude":10,"longitude":10,"accuracy":5}"#
      _ = await connection.answer(to: Array(away.utf8))
      for seed in 1...9 as ClosedRange<UInt64> {
        _ = await connection.answer(toFrame: try TinyCampus.jpeg(.barn, seed: seed))
      }
      let after = try await Self.served(server, photo)
      #expect(Answer(after) == Answer(before) && after["position"] == nil)
      #expect(after["title"] as? String == "Old Arch")
      let placed = try TinyCampus.jpeg(
        .arch, seed: 90, exif: Self.place(48.0049, 10.01, heading: 0))
      let position = try await Self.served(server, placed)["position"] as? [String: Any]
      #expect(position?["latitude"] as? Double == 48.0049)
    }

    @Test("Photos are explained, kept, and rejected with a reason")
    func otherRequests() async throws {
      let recognizer = Recognizer(
        model: try Model(contentsOf: folder.path("sure.safetensors")))
      var options = LiveServer.Options()
      options.collect = folder.path("kept")
      let server = LiveServer(recognizer, options)
      let photo = try TinyCampus.jpeg(.arch, seed: 90)
      func ask(_ query: String, _ body: [UInt8]) async throws -> (UInt, [String: Any]) {
        let request = try #require(ServedRequest("POST", target: "/photo" + query, body: body))
        let response = await server.answer(request)
        let json = try JSONSerialization.jsonObject(with: Data(response.bytes))
        return (response.status.code, try #require(json as? [String: Any]))
      }
      let explained = try await ask("?overlay=1", photo)
      #expect(explained.0 == 200 && explained.1["overlay"] != nil)
      try expectValid(json: JSONSerialization.data(withJSONObject: explained.1))
      let kept = try await ask("?label=barn", photo)
      #expect(kept.0 == 200 && kept.1["photos"] as? Int == 1)
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.path("kept/barn")).count == 1)
      for (query, body, status) in [
        ("", Array("text".utf8), 415), ("", Array(photo.dropLast(900)), 422), ("", [], 415),
        ("?label=../x", photo, 422), ("?label=barn", Array("text".utf8), 415),
      ] as [(String, [UInt8], UInt)] {
        let refused = try await ask(query, body)
        #expect(refused.0 == status && refused.1["message"] is String, "\(query) \(body.count)")
      }
    }
  }
#endif

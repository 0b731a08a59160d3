#if Serve
  import CupolaTestSupport
  import Foundation
  import Testing

  @testable import Cupola
  @testable import CupolaServe
  @testable import CupolaTraining

  @Suite("A page's connection")
  struct LiveConnectionTests {
    @Test("keeps frames of a building whose label can be no folder by its name")
    func openStreetMap() async throws {
      let folder = try TemporaryFolder()
      var model = try Model(bytes: try await TinyCampus.model())
      model.campus = try Campus(geoJSON: Array(TinyCampus.openStreetMap.utf8))
      let connection = LiveConnection(
        Recognizer(model: model), FrameCollector(folder: folder.path("photos")))
      func keep(_ label: String) async throws -> String {
        let message = #"{"type":"keep","label":"\#(label)"}"#
        let answer = await connection.answer(to: Array(message.utf8))
        return try JSONObject.text(try #require(answer))
      }
      _ = await connection.answer(toFrame: try TinyCampus.jpeg(.barn, seed: 41))
      let kept = try await keep("way/2")
      #expect(kept.contains("\"Red Barn\"") && kept.contains("\"kept\""))
      // Nobody's label leads anywhere.
      let refused = try await keep("way/7")
      #expect(refused.contains("\"error\""))
      let folders = try FileManager.default.contentsOfDirectory(atPath: folder.path("photos"))
      #expect(folders == ["Red Barn"])
      let matching = LabelMatching(folders, model.campus?.buildings ?? [])
      #expect(matching.joined.map(\.building.label) == ["way/2"])
    }
  }
#endif

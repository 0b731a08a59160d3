import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaExport

@Suite("Core ML exports of models") struct CoreMLExportTests {
  @Test("Int8 is refused before anything is written")
  func int8() throws {
    let source = try SampleModels.hog().bytes()
    #expect(throws: ExportError.weights(.int8, [.float32, .float16])) {
      try ModelExport(source: source, format: .coreml, weights: .int8)
    }
  }

  @Test("A map of more than a megabyte stands beside the package only")
  func largeMap() throws {
    for (count, isInside) in [(1, true), (1 << 20, false)] {
      var model = SampleModels.hog()
      let map = """
        {"type":"Feature","properties":{"role":"boundary","name":"\(String(repeating: "x", count: count))"},
         "geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}
        """
      model.campus = try Campus(geoJSON: Array(map.utf8))
      let texts = try CoreMLPackageTests.model(CoreMLPackageTests.package(model: model))
        .first(2, 100).entries(100)
      #expect((texts[ExportNotes.campusKey] != nil) == isInside)
    }
  }
}

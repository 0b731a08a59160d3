import CupolaTestSupport
import Testing

@testable import CupolaGuide

@Suite("Features of GeoJSON as entries of a journal") struct JournalFeatureTests {
  @Test("A day alone counts only where no other member says a time of it")
  func daysAndTimes() throws {
    let folder = try TemporaryFolder()
    var journal = try Journal(at: folder.path("j"), device: "laptop")
    let file =
      #"{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":"#
      + #"{"name":"Oak","date":"2026-11-23","datetime":"2026-11-23T15:30:05Z"}},{"type":"Feature","#
      + #""geometry":null,"properties":{"name":"Hall","date":"1892-05-01"}}]}"#
    _ = try journal.importGeoJSON(Array(file.utf8), now: 5)
    #expect(journal.entries.map(\.time) == [5, 1_795_447_805])
  }
}

import Testing

@testable import CupolaGuide

@Suite("Map features") struct MapFeatureTests {
  private func title(_ id: String, _ name: String?) -> String {
    let tags = name.map { ["name": $0] } ?? [:]
    return MapFeature(id: id, tags: tags, geometry: .point(0)).title
  }

  @Test("A feature is called by its name and identifier, on one line")
  func titles() {
    #expect(title("way/1", "Lab") == "Lab (way/1)")
    #expect(title("way/1", nil) == "way/1" && title("way/1", "") == "way/1")
    #expect(!title("way/1", "Lab\nof light").contains("\n"))
  }

  @Test("Of a long name or identifier only the beginning is told, however many marks a letter has")
  func longTitles() {
    let long = "a" + String(repeating: "\u{301}", count: 10_000)
    #expect(title("way/1", long).utf8.count < 1000 && title(long, nil).utf8.count < 1000)
  }
}

import CupolaCampus
import CupolaTestSupport
import Testing

@testable import CupolaGuide

@Suite("Search in journals") struct JournalQueryTests {
  private let folder: TemporaryFolder
  private let journal: Journal

  init() throws {
    folder = try TemporaryFolder()
    var journal = try Journal(at: folder.path("j"), device: "phone")
    let near = Position(latitude: 48.3, longitude: 10.9)
    let far = Position(latitude: 48.31, longitude: 10.9)
    try journal.append(.favorite, at: 1, position: near, building: "gate", place: "Café Müller")
    try journal.append(
      .note(JournalNote(title: "Stairs", text: "worn round", rating: 4)), at: 2, position: far)
    try journal.append(
      .seen(JournalSighting(label: "gate", confidence: 0.8)), at: 3, confirmedLabel: "hall")
    try journal.append(.question(JournalQuestion(text: "Open?", email: "ada@b.example")), at: 4)
    self.journal = journal
  }

  private func found(_ change: (inout JournalQuery) -> Void) -> [Int] {
    var query = JournalQuery()
    change(&query)
    return journal.entries(matching: query).map(\.id.number)
  }

  @Test("By words and their beginnings, whatever case and accents")
  func words() {
    #expect(found { $0.text = "CAFE mull" } == [1])
    #expect(found { $0.text = "worn sta" } == [2])
    #expect(found { $0.text = "worn gate" }.isEmpty)
    #expect(found { $0.text = "ada" } == [4])
    #expect(found { $0.text = " ?! " } == [1, 2, 3, 4])
  }

  @Test("By kind, building, time, place and rating, and all of them")
  func members() throws {
    #expect(found { $0.kinds = [.note, .question] } == [2, 4])
    #expect(found { $0.building = "gate" } == [1])
    // What the visitor confirmed counts more than what was recognized.
    #expect(found { $0.building = "hall" } == [3])
    #expect(found { $0.since = 2 } == [2, 3, 4] && found { $0.until = 2 } == [1])
    #expect(found { $0.leastRating = 4 } == [2] && found { $0.leastRating = 5 }.isEmpty)
    let middle = try #require(Position(latitude: 48.3003, longitude: 10.9))
    #expect(found { $0.near = JournalQuery.Circle(middle, radius: 50) } == [1])
    #expect(found { $0.near = JournalQuery.Circle(middle, radius: 5000) } == [1, 2])
    #expect(found { $0.near = JournalQuery.Circle(middle, radius: .nan) }.isEmpty)
    #expect(
      found {
        $0.kinds = [.favorite]
        $0.near = JournalQuery.Circle(middle, radius: 5000)
        $0.text = "café"
      } == [1])
  }
}

import Testing

@testable import CupolaTraining

@Suite("Text columns") struct TextColumnsTests {
  private let rows = [["part", "right", "wrong"], ["picture", "10", "2"], ["both", "12", "0"]]

  @Test("All columns stand beside each other where there is room")
  func wide() {
    let text = "part     right  wrong\npicture     10      2\nboth        12      0"
    #expect(TextColumns.aligned(rows, indent: 0) == text)
    #expect(TextColumns.aligned(rows, indent: 0, width: 21) == text)
  }

  @Test("What is too wide follows below, beside the first column, and none is left out")
  func narrow() {
    #expect(
      TextColumns.aligned(rows, indent: 0, width: 20)
        == """
        part     right
        picture     10
        both        12

        part     wrong
        picture      2
        both         0
        """)
    #expect(TextColumns.aligned(rows, indent: 0, width: 1).contains("wrong"))
    #expect(TextColumns.aligned([], indent: 0, width: 20) == "")
  }

  @Test("Ideographs take two columns each")
  func ideographs() {
    let rows = [["hall", "photos", "wrong"], ["図書館", "12", "館"]]
    let text = "hall    photos  wrong\n図書館      12     館"
    #expect(TextColumns.aligned(rows, indent: 0, width: 21) == text)
    #expect(TextColumns.aligned(rows, indent: 0, width: 20).contains("\n\n"))
    #expect(
      TextColumns.facts([("図書館", "12"), ("hall", "3")], width: 8) == "図書館  12\nhall    3")
  }
}

import Testing

@testable import CupolaCampus

@Suite struct ByteOrderMarkTests {
  @Test func isPassedOver() {
    #expect(ByteOrderMark.length(in: Array("\u{FEFF}name".utf8)) == 3)
    #expect(ByteOrderMark.length(in: Array("\u{FEFF}".utf8)) == 3)
  }

  @Test(arguments: ["", "name", " \u{FEFF}name"]) func isOnlyAtTheBeginning(text: String) {
    #expect(ByteOrderMark.length(in: Array(text.utf8)) == 0)
  }

  @Test func isWhole() {
    #expect(ByteOrderMark.length(in: [0xEF, 0xBB]) == 0)
    #expect(ByteOrderMark.length(in: [0xFE, 0xFF]) == 0)
  }
}

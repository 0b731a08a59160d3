import CupolaTestSupport
import Testing

@Suite("cupola journal delete") struct JournalDeleteTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["journal"] + arguments, in: folder)
  }

  @Test("Where one of several ids is unknown none is deleted, and one that comes twice only once")
  func several() throws {
    for text in ["one", "two", "three"] {
      expectSuccess(try run("add", "visit", "--text", text, "--device", "phone"))
    }
    let output = try run("delete", "visit", "phone-1", "phone-9", "--device", "phone")
    #expect(output.status == 65 && output.stderr.contains("no entry phone-9"))
    #expect(try run("check", "visit").stdout == "3 entries\n")
    expectSuccess(
      try run("delete", "visit", "phone-1", "phone-2", "phone-1", "--device", "phone"))
    #expect(try run("check", "visit").stdout == "1 entry\n")
  }
}

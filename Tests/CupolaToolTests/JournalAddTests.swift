import CupolaTestSupport
import Testing

@Suite("cupola journal add") struct JournalAddTests {
  @Test(
    "What an entry of the kind does not keep is refused, and nothing is written",
    arguments: [
      ("favorite", ["--text", "a"], "--text"), ("favorite", ["--rating", "3"], "--rating"),
      ("note", ["--text", "a", "--label", "hall"], "--label"),
      ("seen", ["--label", "hall", "--title", "a"], "--title"),
      ("question", ["--text", "a", "--photo", "x.jpg", "--title", "b"], "--title, --photo"),
      ("seen", ["--label", "hall", "--photo", "x.jpg", "--photo", "y.jpg"], "one --photo"),
      ("seen", ["--label", "hall", "--confidence", "2"], "--confidence must be 0 to 1"),
      ("note", ["--lines", "--rating", "3"], "--rating"),
    ])
  func unkept(kind: String, options: [String], words: String) throws {
    let folder = try TemporaryFolder()
    let output = try Tool.run(["journal", "add", "visit", "--kind", kind] + options, in: folder)
    #expect(output.status == 64 && output.stderr.contains(words))
    #expect(try folder.contents().isEmpty)
  }
}

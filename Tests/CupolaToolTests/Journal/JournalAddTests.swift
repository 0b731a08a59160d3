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

  @Test("A title and a text may begin with a dash", arguments: ["- steep", "-5 steps", "-q"])
  func dash(words: String) throws {
    let folder = try TemporaryFolder()
    let add = ["journal", "add", "visit", "--title", words, "--text", words, "--rating", "4"]
    expectSuccess(try Tool.run(add, in: folder))
    let list = try Tool.run(["journal", "list", "visit"], in: folder)
    #expect(list.stdout.contains("  \(words): \(words)  4 of 5"), "\(list.stdout)")
  }

  @Test("Lines that are no UTF-8 are told and left out, and the mark of a text is none of it")
  func brokenLines() throws {
    let folder = try TemporaryFolder()
    let add = ["journal", "add", "visit", "--lines"]
    // As bytes that are no UTF-8 are read.
    let some = try Tool.run(add, in: folder, input: "\u{FEFF}one\nB\u{FFFD}r\n\ntwo\n")
    expectFailure(some, 1, "stdin:2: the line is no UTF-8")
    #expect(some.stdout.count { $0 == "\n" } == 2)
    let list = try Tool.run(["journal", "list", "visit", "--json"], in: folder)
    #expect(list.stdout.contains("\"text\" : \"one\"") && list.stdout.contains(": \"two\""))
    expectFailure(try Tool.run(add, in: folder, input: "B\u{FFFD}r\n"), 65, "stdin:1: ")
  }

  @Test(
    "A place or a moment that is none is told with what to write",
    arguments: [
      (["add", "visit", "--text", "a", "--position", "91,0"], "did you mean 0.0000,91.0000?"),
      (["list", "visit", "--near", "48"], "it must be LAT,LON in degrees"),
      (["add", "visit", "--text", "a", "--at", "2026-02-29"], "such as 2026-11-23"),
      (["list", "visit", "--since", "yesterday"], "such as 2026-11-23"),
      (["list", "visit", "--until", "2026-13-01"], "such as 2026-11-23"),
      (["list", "visit", "--since", "2026"], "such as 2026-11-23"),
      (["list", "visit", "--until", "20261123"], "such as 2026-11-23"),
      (["list", "visit", "--within", "50"], "with --near"),
    ])
  func unreadable(arguments: [String], words: String) throws {
    let folder = try TemporaryFolder()
    let output = try Tool.run(["journal"] + arguments, in: folder)
    #expect(output.status == 64 && output.stderr.contains(words))
  }
}

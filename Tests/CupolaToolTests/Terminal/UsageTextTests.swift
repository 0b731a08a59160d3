import Testing

@testable import CupolaTool

@Suite("Usage lines")
struct UsageTextTests {
  @Test(
    "A usage line wraps between arguments",
    arguments: [
      (16, "USAGE: cupola a\n       <b> ...\n       [--c <d>]"),
      (28, "USAGE: cupola a <b> ...\n       [--c <d>] --e <f>\n       [<g> ...] --h"),
      (80, "USAGE: cupola a <b> ... [--c <d>] --e <f> [<g> ...] --h"),
    ])
  func wrap(columns: Int, expected: String) {
    let line =
      columns == 16
      ? "USAGE: cupola a <b> ... [--c <d>]"
      : "USAGE: cupola a <b> ... [--c <d>] --e <f> [<g> ...] --h"
    #expect(UsageText.wrapped(line, to: columns) == expected)
  }

  @Test("An argument that is wider than the terminal is not broken")
  func narrow() {
    #expect(
      UsageText.wrapped("Usage: cupola [--name <name>]", to: 1)
        == "Usage:\n       cupola\n       [--name <name>]")
  }

  @Test("Other lines stay unchanged")
  func others() {
    let text = "OVERVIEW: a  b\n\n  USAGE: c\n"
    #expect(UsageText.wrapped(text, to: 5) == text)
  }
}

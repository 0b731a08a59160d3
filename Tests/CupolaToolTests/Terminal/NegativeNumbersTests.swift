import Testing

@testable import CupolaTool

@Suite("Negative numbers")
struct NegativeNumbersTests {
  @Test(
    "A negative number is the value of the option before it",
    arguments: [
      (["classify", "m", "--top", "-1", "x"], ["classify", "m", "--top=-1", "x"]),
      (["--noise", "-.5", "--seed", "-1e3"], ["--noise=-.5", "--seed=-1e3"]),
      (["--at", "-33.9,18.4"], ["--at", "-33.9,18.4"]), (["--top", "1"], ["--top", "1"]),
      (["--top=3", "-1"], ["--top=3", "-1"]), (["-o", "-1"], ["-o", "-1"]),
      (["--json", "-q"], ["--json", "-q"]), (["--", "--top", "-1"], ["--", "--top", "-1"]),
      (["---completion", "--top", "-1"], ["---completion", "--top", "-1"]), ([], []),
    ])
  func joined(words: [String], expected: [String]) {
    #expect(NegativeNumbers.joined(to: words) == expected)
  }
}

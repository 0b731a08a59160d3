import Testing

@testable import CupolaCampus

@Suite("Percent signs of addresses") struct PercentEncodingTests {
  @Test(
    "Two digits stand for a byte",
    arguments: [
      ("", ""), ("a b", "a b"), ("a%20b", "a b"), ("%C3%a9", "é"), ("%2525", "%25"), ("%00", "\0"),
    ])
  func decoded(text: String, expected: String) {
    #expect(PercentEncoding.decoded(text) == expected)
  }

  @Test(
    "What has no two digits or is no UTF-8 is nothing",
    arguments: ["%", "%4", "a%", "%g0", "%0g", "%+1", "% 1", "%ff", "%C3", "%é"])
  func nothing(text: String) {
    #expect(PercentEncoding.decoded(text) == nil)
  }
}

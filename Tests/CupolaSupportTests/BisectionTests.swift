import Testing

@testable import CupolaSupport

@Suite("Bisection") struct BisectionTests {
  @Test("Finds the first true number or the end")
  func twin() {
    for count in 0...9 {
      for first in 0...count {
        let range = 5..<5 + count
        #expect(range.bisection { $0 >= 5 + first } == 5 + first)
      }
    }
  }
}

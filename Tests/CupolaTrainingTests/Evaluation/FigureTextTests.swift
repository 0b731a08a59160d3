import Testing

@testable import CupolaTraining

@Suite("Numbers as people read them") struct FigureTextTests {
  @Test("two shares are told with as many digits as it takes to tell them apart")
  func apart() {
    for (first, second, one, other) in [
      (0.643, 0.7, "64.3 %", "70.0 %"), (0.9999, 0.99996, "99.99 %", "100.00 %"),
      (0.999_991, 0.999_994, "99.9991 %", "99.9994 %"), (1, 1, "100.0 %", "100.0 %"),
    ] as [(Double, Double, String, String)] {
      let texts = FigureText.apart(first, second)
      #expect(texts.0 == one && texts.1 == other)
    }
  }
}

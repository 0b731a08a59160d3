import Testing

@testable import CupolaCampus

@Suite("Saturating integers") struct SaturatingIntegerTests {
  @Test(
    "Every number has a whole one",
    arguments: [
      (0, 0), (-0.0, 0), (2.9, 2), (-2.9, -2), (1e15, 1_000_000_000_000_000),
      (.infinity, .max), (-.infinity, .min), (.nan, 0), (1e300, .max), (-1e300, .min),
      (9_223_372_036_854_775_808, .max), (-9_223_372_036_854_775_808, .min),
      (9_223_372_036_854_774_784, 9_223_372_036_854_774_784), (.leastNonzeroMagnitude, 0),
    ] as [(Double, Int)])
  func values(value: Double, whole: Int) { #expect(Int(saturating: value) == whole) }
}

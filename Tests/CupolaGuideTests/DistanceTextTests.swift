import Testing

@testable import CupolaGuide

@Suite("Distances that are told") struct DistanceTextTests {
  @Test(
    "Whole meters, and kilometers from 1,000 on",
    arguments: [
      (0, "0 m"), (84.6, "85 m"), (999.4, "999 m"), (999.6, "1.0 km"), (1_000, "1.0 km"),
      (1_449, "1.4 km"), (12_345, "12.3 km"), (.infinity, "far"), (.nan, "far"),
    ] as [(Double, String)])
  func distances(meters: Double, text: String) {
    #expect(DistanceText.text(meters: meters) == text)
  }
}

import Testing

@testable import Cupola

@Suite("UnknownBuilding") struct UnknownBuildingTests {
  private static func logRatio(_ share: Double) -> Double {
    UnknownBuilding.logRatio(
      probabilities: [0, share, 1 - share], labels: Labels(["_a", "b", "c"]))
  }

  @Test("The surer the picture is of one building, the less it is of an unknown one")
  func order() {
    let ratios = [0.5, 0.7, 0.9, 0.95, 0.99, 0.9999].map(Self.logRatio)
    #expect(zip(ratios, ratios.dropFirst()).allSatisfy { $0 > $1 })
    #expect(ratios[0] > 0.8 && ratios[4] < -2)
    // As Formats.md tells it.
    #expect(abs(Self.logRatio(0.92)) < 0.01 && abs(Self.logRatio(0.99) + 2.3) < 0.05)
  }

  @Test("A picture that is like none of the buildings speaks for another one, however sure it is")
  func unfamiliar() {
    let labels = Labels(["b", "c", Labels.unfamiliar])
    let sure = UnknownBuilding.logRatio(probabilities: [0.999, 0.001, 0], labels: labels)
    let unlike = UnknownBuilding.logRatio(probabilities: [0.3, 0, 0.7], labels: labels)
    #expect(sure < -5 && unlike > 0.8 && unlike <= 1)
  }

  @Test("It is never infinite")
  func limits() {
    #expect(Self.logRatio(1) == -8 && Self.logRatio(0) == -8)
    let none = UnknownBuilding.logRatio(probabilities: [1], labels: Labels(["_a"]))
    #expect(none == 1)
  }
}

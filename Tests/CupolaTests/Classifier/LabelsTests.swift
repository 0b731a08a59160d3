import Testing

@testable import Cupola

@Suite("Labels")
struct LabelsTests {
  @Test("without the unfamiliar, which keeps its own, probabilities sum to one")
  func familiar() {
    let labels = Labels(["_street", "hall", "tower", Labels.unfamiliar])
    let shares = labels.amongFamiliar([0.1, 0.3, 0.1, 0.5])
    #expect(zip(shares, [0.2, 0.6, 0.2, 0.5]).allSatisfy { abs($0 - $1) < 1e-12 })
    #expect(labels.amongFamiliar([0, 0, 0, 1]) == [0, 0, 0, 1])
    #expect(Labels(["hall", "tower"]).amongFamiliar([0.3, 0.7]) == [0.3, 0.7])
    // Where 1 less the unfamiliar is rounding.
    for rest in [1e-15, 1e-16, 3e-17, 1e-300] {
      let few = labels.amongFamiliar([0, 0.75 * rest, 0.25 * rest, 1 - rest])
      #expect(zip(few, [0, 0.75, 0.25]).allSatisfy { abs($0 - $1) < 1e-12 }, "\(rest)")
    }
  }
}

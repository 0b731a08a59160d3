import Testing

@testable import Cupola

@Suite("Decision") struct DecisionTests {
  static let labels = Labels(["_sky", "hall", "_trees", "library", "tower"])

  static func outcome(
    _ probabilities: [Double], threshold: Double = 0.3, labels: Labels = labels
  ) -> Decision.Outcome {
    let calibration = Calibration(temperature: 1, threshold: threshold, falseRejectionRate: nil)
    return Decision(labels: labels, calibration: calibration).outcome(probabilities)
  }

  @Test("Labels that begin with an underscore are background")
  func backgrounds() {
    #expect(Self.labels.buildings == [1, 3, 4] && Self.labels.backgrounds == [0, 2])
    #expect(Labels.isBackground("_") && !Labels.isBackground("") && !Labels.isBackground("a_b"))
  }

  @Test("The most probable building is recognised, and all are ranked")
  func recognised() {
    let outcome = Self.outcome([0.1, 0.2, 0.1, 0.5, 0.1])
    #expect(outcome.reason == .recognised && outcome.ranked == [3, 1, 4])
  }

  @Test("A more probable background wins over every building")
  func background() {
    let outcome = Self.outcome([0.1, 0.35, 0.45, 0.05, 0.05])
    #expect(outcome.reason == .background(probability: 0.45) && outcome.ranked == [1, 3, 4])
  }

  @Test("Backgrounds are not added up: each stands for itself")
  func severalBackgrounds() {
    #expect(Self.outcome([0.3, 0.4, 0.3, 0, 0]).reason == .recognised)
  }

  @Test("A building below the threshold is unfamiliar, one at the threshold is not")
  func threshold() {
    let unfamiliar = Self.outcome([0, 0.29, 0.27, 0.22, 0.22])
    #expect(unfamiliar.reason == .unfamiliar(probability: 0.29, threshold: 0.3))
    #expect(Self.outcome([0.2, 0.3, 0.2, 0.15, 0.15]).reason == .recognised)
  }

  @Test("As probable as a background is still a building")
  func tie() { #expect(Self.outcome([0.4, 0.4, 0, 0.1, 0.1]).reason == .recognised) }

  @Test("Without any building nothing is recognised")
  func noBuildings() {
    let outcome = Self.outcome([1], labels: Labels(["_sky"]))
    #expect(outcome.reason == .noBuildings && outcome.ranked == [])
  }

  @Test("A calibration survives its JSON")
  func coding() throws {
    let calibration = Calibration(temperature: 1.5, threshold: 0.25, falseRejectionRate: 0.05)
    #expect(try throughJSON(calibration) == calibration)
    #expect(try jsonText(Calibration.identity) == #"{"temperature":1,"threshold":0}"#)
  }
}

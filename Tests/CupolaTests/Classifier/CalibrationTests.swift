import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Calibration") struct CalibrationTests {
  @Test("A calibration survives its JSON")
  func coding() throws {
    let calibration = Calibration(
      temperature: 1.5, notBuildings: ErrorCurve(photos: 40, wrong: [-0.5, 0.123_456]),
      wrongNames: ErrorCurve(photos: 60, wrong: [0.4]), falseRejectionRate: 0.05)
    #expect(try throughJSON(calibration) == calibration)
    #expect(
      try jsonText(calibration) == """
        {"false_rejection_rate":0.05,"not_buildings":{"photos":40,"scores":[0.123456,-0.5]},\
        "temperature":1.5,"wrong_names":{"photos":60,"scores":[0.4]}}
        """)
  }

  @Test("What is not known is absent")
  func identity() throws {
    #expect(try jsonText(Calibration.identity) == #"{"temperature":1}"#)
    #expect(try throughJSON(Calibration.identity) == .identity)
  }
}

import Testing

@testable import CupolaGuide

@Suite("Surveys of beacons")
struct BeaconSurveyTests {
  private let beacons = (0..<4).map { MadeBeacons.beacon($0) }

  @Test("take the mean of 1.5 s before and after a moment")
  func meansAround() {
    var survey = BeaconSurvey()
    for (time, rssi) in [(8.4, -10.0), (8.5, -60), (10, -62), (11.4, -64), (11.5, -10)] {
      for (place, id) in beacons.prefix(3).enumerated() {
        survey.observe(id, rssi: rssi - Double(place), at: time)
      }
    }
    let print = survey.fingerprint(nearest: beacons[3], at: 10)
    #expect(print?.nearest == beacons[3])
    #expect(print?.strengths == [beacons[0]: -62, beacons[1]: -63, beacons[2]: -64])
    #expect(survey.fingerprint(nearest: beacons[0], at: 20) == nil)
    #expect(survey.fingerprint(nearest: beacons[0], at: .nan) == nil)
  }

  @Test("pass over what is no strength, and need three beacons")
  func passesOver() {
    var survey = BeaconSurvey()
    for odd in [0, 127, Double.nan] { survey.observe(beacons[2], rssi: odd, at: 1) }
    survey.observe(beacons[2], rssi: -60, at: .infinity)
    survey.observe(beacons[0], rssi: -60, at: 1)
    survey.observe(beacons[1], rssi: -60, at: 1)
    #expect(survey.fingerprint(nearest: beacons[0], at: 1) == nil)
  }

  @Test("forget the older half of too many readings")
  func forgets() {
    var survey = BeaconSurvey()
    for step in 0..<70_000 {
      survey.observe(beacons[step % 3], rssi: -60, at: Double(step) / 100)
    }
    #expect(survey.fingerprint(nearest: beacons[0], at: 100) == nil)
    #expect(survey.fingerprint(nearest: beacons[0], at: 690) != nil)
  }
}

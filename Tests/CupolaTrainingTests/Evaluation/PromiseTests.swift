import Testing

@testable import Cupola
@testable import CupolaTraining

@Suite("Promise")
struct PromiseTests {
  private static func promise(
    held: Int = 100, days: [String: Int] = ["chapel": 2, "tower": 3], unknown: ErrorCurve? = nil
  ) -> Promise {
    var model = ReportFixture.model()
    model.calibration.wrongNames = ErrorCurve(photos: held, wrong: [0.7])
    model.calibration.unknownBuildings = unknown
    model.provenance.captureDays = days
    return Promise(model)
  }

  @Test("what is promised names the photos that it rests on, and where they are too few nothing is")
  func names() {
    #expect(
      Self.promise().names.contains("at most 5.0 % are expected to get a wrong name, by 100 photos")
    )
    #expect(
      Self.promise(held: 3).names
        == "No error of names can be promised: only 3 photos of other sessions could be held out, and "
        + "5.0 % takes 19.")
    #expect(Self.promise(held: 1).names.contains("only 1 photo of other sessions could be"))
  }

  @Test("where no photo gets a name that is said instead of a promise")
  func nothing() {
    var model = ReportFixture.model()
    model.calibration.wrongNames = ErrorCurve(photos: 19, wrong: [1])
    #expect(
      Promise(model).names
        == "No photo gets a name: held-out photos got another building's name with all of the buildings' "
        + "probability, and a name takes more.")
    model.calibration.unknownBuildings = ErrorCurve(photos: 19, wrong: [2, 1])
    #expect(Promise(model).unknown == "Photos of buildings without a folder get no name either.")
    model.calibration.wrongNames = nil
    model.calibration.notBuildings = ErrorCurve(photos: 19, wrong: [700])
    let strict = OperatingPoint(model.calibration, maximumError: 0.05)
    #expect(
      Promise(model, point: strict).names.hasPrefix("No photo gets a name: held-out photos of som"))
    #expect(!Promise(model).names.contains("No photo gets"))
  }

  @Test("a promise that rests on some of the buildings says so")
  func someBuildings() {
    var model = ReportFixture.model()
    model.calibration.wrongNames = ErrorCurve(photos: 100, wrong: [0.7])
    model.provenance.recall = ["chapel": Provenance.Recall(right: 9, asked: 10)]
    #expect(
      Promise(model).names.contains("by 100 photos of 1 of 2 buildings, held out in turn that"))
  }

  @Test("nothing is promised for other light where buildings trained on photos of one day")
  func light() {
    #expect(Self.promise().light == nil)
    #expect(
      Self.promise(days: ["chapel": 1, "tower": 1]).light
        == "Each building trained on photos of one day only: no promise for other light.")
    #expect(
      Self.promise(days: ["chapel": 4, "tower": 1]).light
        == "1 of 2 buildings trained on photos of one day only: no promise for other light there.")
    #expect(
      Self.promise(days: ["chapel": 4]).light
        == "Nobody knows on how many days the photos of 1 of 2 buildings were taken: no promise for other light "
        + "there.")
    #expect(
      Self.promise(days: ["chapel": 1]).light
        == "1 of 2 buildings trained on photos of one day only, and of 1 nobody knows on how many days: no "
        + "promise for other light there.")
    #expect(
      Self.promise(days: [:]).light
        == "Nobody knows on how many days they were taken: no promise for other light.")
  }

  @Test("what becomes of unknown buildings is told where training left some out")
  func unknown() {
    #expect(Self.promise().unknown == nil && Self.promise().sentences.count == 1)
    let told = Self.promise(unknown: ErrorCurve(photos: 10, wrong: [1, 2, 3, -1]))
    #expect(told.unknown?.contains("30.0 %") == true && told.sentences.count == 2)
    let none = Self.promise(unknown: ErrorCurve(photos: 10, wrong: [-1]))
    #expect(none.unknown?.hasPrefix("Of 10 photos of buildings left out of") == true)
    #expect(none.unknown?.contains("in turn none got another building's name") == true)
  }
}

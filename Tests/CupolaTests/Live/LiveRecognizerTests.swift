import CAllocations
import Foundation
import Testing

@testable import Cupola

@Suite("Live recognizer") struct LiveRecognizerTests {
  private static func live(_ maximumError: Double? = nil) throws -> LiveRecognizer {
    LiveRecognizer(Recognizer(model: try SampleModel.model(), maximumError: maximumError))
  }

  private static func answers(
    _ live: inout LiveRecognizer, _ subjects: [(SampleModel.Subject, Int)]
  ) throws -> [LiveAnswer] {
    try subjects.flatMap { subject, count in
      try (0..<count).map { _ in try live.update(SampleModel.picture(subject)) }
    }
  }

  @Test("A name appears after some frames and follows the building")
  func changingBuildings() throws {
    var live = try Self.live()
    let answers = try Self.answers(&live, [(.hall, 12), (.tower, 12), (.slanting, 12)])
    let names = answers.map(\.label)
    #expect(names[0] == nil && answers[0].verdict == .looking)
    #expect(names[..<8].contains("hall") && names[11] == "hall")
    #expect(names[12] == nil, "a scene cut resets the name")
    #expect(names[12..<20].contains("tower") && names[23] == "tower")
    #expect(names[24...].allSatisfy { $0 == nil })
    #expect(answers[35].verdict == .notACampusBuilding)
    #expect(answers.map(\.isCut).filter { $0 }.count == 2)
    #expect(answers[11].building?.name == "Great Hall")
    let probability = try #require(answers[11].probability)
    #expect(probability >= VerdictHysteresis.appearThreshold && probability <= 1)
    #expect(answers[11].frameLabel == "hall" && live.frames == 36)
  }

  @Test("One different frame does not remove the name")
  func flicker() throws {
    var live = try Self.live()
    var answers = try Self.answers(&live, [(.hall, 12)])
    // Similar to the hall, so there is no cut, but with some slanting edges.
    let hall = SampleModel.picture(.hall)
    var pixels = hall.pixels
    for y in 0..<24 {
      for x in 0..<24 where ((x + y) / 4).isMultiple(of: 2) {
        for channel in 0..<3 { pixels[3 * (y * 64 + x) + channel] = 130 }
      }
    }
    answers.append(try live.update(RGBImage(width: 64, height: 64, pixels: pixels)))
    answers += try Self.answers(&live, [(.hall, 3)])
    #expect(answers[11...].allSatisfy { $0.label == "hall" })
  }

  @Test("Frames outside the fence are skipped and reset the beliefs")
  func outside() throws {
    var live = try Self.live()
    _ = try Self.answers(&live, [(.hall, 12)])
    let far = try #require(Position(latitude: 10, longitude: 10, horizontalError: 5))
    let answer = try live.update(SampleModel.picture(.hall), at: far)
    #expect(answer.verdict == .notOnCampus && answer.label == nil && answer.frameLabel == nil)
    #expect(answer.fence == .outside)
    #expect(live.candidates().isEmpty)
    let inside = try live.update(SampleModel.picture(.hall))
    #expect(live.candidates().count == 2)
    #expect(inside.verdict == .looking && inside.label == nil)
  }

  @Test("Equal frames yield equal answers, also after a reset")
  func deterministic() throws {
    let subjects: [(SampleModel.Subject, Int)] = [(.hall, 6), (.fog, 4), (.tower, 9)]
    var first = try Self.live()
    let expected = try Self.answers(&first, subjects)
    var second = try Self.live()
    #expect(try Self.answers(&second, subjects) == expected)
    first.reset()
    #expect(try Self.answers(&first, subjects) == expected && first.frames == 19)
  }

  @Test("Candidates are ranked and limited to the number of buildings")
  func candidates() throws {
    var live = try Self.live()
    #expect(live.candidates().isEmpty)
    _ = try Self.answers(&live, [(.tower, 12)])
    let candidates = live.candidates(5)
    #expect(candidates.map(\.label) == ["tower", "hall"])
    #expect(candidates[0].probability > 0.95 && live.candidates(1).count == 1)
  }

  @Test("A hint is given if there is no name")
  func hints() throws {
    var live = try Self.live()
    let dark = RGBImage.random(64, 64, seed: 1)
    let black = RGBImage(width: 64, height: 64, pixels: dark.pixels.map { $0 / 16 })
    #expect(try live.update(black).hint == .moreLight)
    let white = RGBImage(width: 64, height: 64, pixels: dark.pixels.map { 240 + $0 / 17 })
    #expect(try live.update(white).hint == .lessLight)
    #expect(try live.update(.gray(64, 64) { _, _ in 128 }).hint == .stepBack)
    live.reset()
    let blurred = RGBImage.gray(64, 64) { x, _ in UInt8(2 * x + 64) }
    #expect(try live.update(blurred).hint == .holdStill)
    let named = try Self.answers(&live, [(.hall, 12)])
    #expect(named.last?.hint == nil && named.last?.label == "hall")
  }

  @Test("The position counts once, regardless of the number of frames")
  func place() throws {
    var placed = LivePlaceEvidence()
    let model = try SampleModel.model()
    let here = try #require(Position(latitude: -12.05, longitude: -77.05))
    let shot = CaptureInfo(position: here, heading: nil, view: .usual, year: 2026)
    Recognizer(model: model).locate(shot, in: &placed)
    #expect(placed.fence != nil)
    var beliefs = [0.0, 0, 0]
    let belief = LiveFilter(model, error: 0.05)
    placed.write(&beliefs, from: belief)
    // The sample model has no position evidence.
    #expect(placed.shifts == nil && beliefs == belief.values && !placed.contradicts(0))
  }

  @Test("Position evidence shifts the beliefs")
  func shifts() throws {
    let recognizer = try RecognizerPlaceTests.recognizer()
    let shot = CaptureInfo(
      position: try RecognizerPlaceTests.place("hall", 90, 60), heading: nil, view: .usual,
      year: 2026)
    var placed = LivePlaceEvidence()
    recognizer.locate(shot, in: &placed)
    let shifts = try #require(placed.shifts)
    // Less than one twentieth: the logarithm is below -3.
    #expect(shifts.count == 2 && shifts[0] == 0 && shifts[1] < -3.1)
    #expect(!placed.contradicts(0) && placed.contradicts(1))
    var beliefs = [0.0, 0, 0]
    placed.write(&beliefs, from: LiveFilter(recognizer.model, error: 0.05))
    // Before any frame both buildings have a quarter, and all else a half.
    let weights = [0.25, 0.25 * exp(shifts[1]), 0.5]
    for (belief, weight) in zip(beliefs, weights) {
      #expect(abs(belief - weight / weights.reduce(0, +)) < 1e-12)
    }
  }

  @Test("A position that contradicts the frames makes the verdict unsure")
  func contradiction() throws {
    for (label, verdict) in [("hall", LiveAnswer.Verdict.building), ("tower", .unsure)] {
      var live = LiveRecognizer(try RecognizerPlaceTests.recognizer())
      let place = try RecognizerPlaceTests.place(label, 0, 20)
      let answers = try (0..<12).map { _ in
        try live.update(SampleModel.picture(.hall), at: place)
      }
      #expect(answers.last?.frameLabel == "hall" && answers.last?.verdict == verdict)
      #expect(answers.contains { $0.label == "hall" } == (label == "hall"))
    }
  }

  @Test("Position evidence is updated if the view or the year changes")
  func shot() throws {
    let recognizer = try RecognizerPlaceTests.recognizer()
    let here = try RecognizerPlaceTests.place("hall", 90, 60)
    let needle = Heading(degrees: 245, reference: .magneticNorth)
    let upright = FieldOfView(focalLength: nil, width: 3, height: 4)
    var kept = LivePlaceEvidence()
    for (view, year) in [(FieldOfView.usual, 2026.0), (upright, 2026), (upright, 2030)] {
      let shot = CaptureInfo(position: here, heading: needle, view: view, year: year)
      let before = kept.shifts
      var fresh = LivePlaceEvidence()
      recognizer.locate(shot, in: &kept)
      recognizer.locate(shot, in: &fresh)
      #expect(kept.shifts == fresh.shifts && kept.shifts != before)
    }
  }

  @Test("The field of view depends on the focal length")
  func focalLength() throws {
    let recognizer = try RecognizerPlaceTests.recognizer()
    let here = try RecognizerPlaceTests.place("hall", 90, 60)
    let image = SampleModel.picture(.fog)
    let beliefs = try [nil, 27, 200].map { (focalLength: Double?) in
      var metadata = PhotoMetadata()
      metadata.focalLength = focalLength
      let shot = CaptureInfo(of: image, metadata, at: here, heading: Heading(degrees: 230))
      var live = LiveRecognizer(recognizer)
      _ = try live.update(image, taken: shot, time: 0)
      return try #require(live.candidates(1).first).probability
    }
    #expect(beliefs[0] == beliefs[1] && beliefs[0] != beliefs[2])
  }

  @Test(
    "No frame after the first ones allocates memory",
    .enabled(if: callocations_counts(), "allocations are counted with glibc only"),
    arguments: FrameWorkspaceTests.Kind.allCases)
  func allocations(kind: FrameWorkspaceTests.Kind) throws {
    var live = LiveRecognizer(Recognizer(model: try kind.model()))
    let position = Position(latitude: -12.05, longitude: -77.05)
    let frames = (0..<9).map { RGBImage.random(320, 240, seed: $0) }
    let luma = [UInt8](repeating: 90, count: 320 * 240)
    let chroma = [UInt8](repeating: 120, count: 320 * 120)
    func look() throws {
      for frame in frames { _ = try live.update(frame, at: position) }
      let frame = CameraFrame(
        luma: luma.span, bytesPerRow: 320, chroma: chroma.span, chromaBytesPerRow: 320,
        encoding: YCbCr(), width: 320, height: 240, orientation: .right)
      _ = try live.update(frame, at: position)
    }
    // Changing the frame size rebuilds the tables, so use one size here.
    for frame in frames { _ = try live.update(frame, at: position) }
    let before = callocations_count()
    // Without optimization, iterators allocate memory.
    var number = 0
    while number < frames.count {
      _ = try live.update(frames[number], at: position)
      number += 1
    }
    #expect(callocations_count() - before == 0)
    try look()
  }
}

import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("Error curve") struct ErrorCurveTests {
  /// Scores of the wrong answers to photos of which each is wrong with some probability.
  private static func wrong(
    _ photos: Int, _ probability: Double, _ generator: inout SplitMix64
  ) -> [Double] {
    let all = (0..<photos).map { _ in Double.random(in: 0..<1, using: &generator) }
    return all.filter { _ in Double.random(in: 0..<1, using: &generator) < probability }
  }

  @Test(
    "Over many draws the share of wrong answers that are given is what was promised, and not far less",
    arguments: [(19, 0.05), (40, 0.05), (99, 0.05), (60, 0.2), (99, 0.01), (9, 0.1)])
  func promise(photos: Int, error: Double) throws {
    var generator = SplitMix64(seed: UInt64(photos))
    for probability in [0.6, 1] {
      let draws = 4000
      var (mean, square) = (0.0, 0.0)
      for _ in 0..<draws {
        let curve = ErrorCurve(
          photos: photos, wrong: Self.wrong(photos, probability, &generator))
        let threshold = try #require(curve.threshold(error: error))
        // Of the next photo: wrong, with a score that is uniform in 0..<1.
        let given = probability * (1 - min(max(threshold, 0), 1))
        mean += given / Double(draws)
        square += given * given / Double(draws)
      }
      let noise = 4 * ((square - mean * mean) / Double(draws)).squareRoot() + 1e-6
      #expect(mean <= error + noise, "\(mean)")
      // What so many photos can tell apart.
      let steps = (error * Double(photos + 1) + 1e-9).rounded(.down)
      #expect(mean >= steps / Double(photos + 1) - noise, "\(mean)")
    }
  }

  @Test("At the threshold so many errors are left as the promise allows, just below it too many")
  func allowance() throws {
    var generator = SplitMix64(seed: 5)
    for photos in [1, 7, 19, 20, 39, 100, 333] {
      for error in [0.01, 0.02, 0.05, 0.1, 0.3, 0.5, 0.9] {
        let curve = ErrorCurve(photos: photos, wrong: Self.wrong(photos, 0.7, &generator))
        guard let threshold = curve.threshold(error: error) else {
          #expect(Double(photos) + 1 < 1 / error)
          continue
        }
        func risk(_ threshold: Double) -> Double {
          Double(curve.scores.count { $0 >= threshold } + 1) / Double(photos + 1)
        }
        #expect(risk(threshold) <= error + 1e-9)
        if threshold > -.infinity { #expect(risk(threshold.nextDown) > error) }
      }
    }
  }

  @Test("A lower error never asks for less")
  func monotone() {
    var generator = SplitMix64(seed: 6)
    let curve = ErrorCurve(photos: 200, wrong: Self.wrong(200, 0.5, &generator))
    let thresholds = (1..<100).compactMap { curve.threshold(error: Double($0) / 100) }
    #expect(thresholds.count == 99 && thresholds == thresholds.sorted(by: >))
    #expect(curve.strictest >= thresholds[0] && curve.strictest == curve.scores[0].nextUp)
  }

  @Test("It takes as many photos as are needed, and with one less nothing is promised")
  func photosNeeded() {
    #expect(ErrorCurve.photosNeeded(error: 0.05) == 19)
    #expect(ErrorCurve.photosNeeded(error: 0.01) == 99)
    #expect(ErrorCurve.photosNeeded(error: 0.02) == 49)
    #expect(ErrorCurve.photosNeeded(error: 0.5) == 1)
    for error in [0.001, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.3, 0.33, 0.6, 0.9, 0.999] {
      let needed = ErrorCurve.photosNeeded(error: error)
      #expect(ErrorCurve(photos: needed, wrong: []).threshold(error: error) == -.infinity)
      #expect(ErrorCurve(photos: needed - 1, wrong: []).threshold(error: error) == nil)
    }
  }

  @Test("Errors too small to count to are no trap", arguments: [1e-15, 1e-30, 1e-300, 1e-307])
  func tiny(error: Double) {
    #expect(ErrorCurve.photosNeeded(error: error) > 1_000_000)
    #expect(ErrorCurve(photos: 100, wrong: [0.5]).threshold(error: error) == nil)
    let huge = ErrorCurve(photos: .max, wrong: [0.5])
    #expect(huge.threshold(error: 1.0.nextDown) == -.infinity)
  }

  @Test("Without errors every answer may be given")
  func noErrors() {
    let curve = ErrorCurve(photos: 19, wrong: [])
    #expect(curve.threshold(error: 0.05) == -.infinity && curve.strictest == -.infinity)
    #expect(ErrorCurve(photos: 0, wrong: []).threshold(error: 0.5) == nil)
  }

  @Test("Equal scores are kept out together")
  func ties() throws {
    // Two of 59 may be wrong; the second to the fourth are equal.
    let curve = ErrorCurve(photos: 59, wrong: [0.2, 0.8, 0.8, 0.9, 0.8])
    #expect(curve.threshold(error: 0.05) == 0.8.nextUp)
    #expect(curve.threshold(error: 0.02) == 0.9.nextUp)
    #expect(curve.threshold(error: 0.09) == 0.2.nextUp)
  }

  @Test("Scores are sorted, bounded and rounded up to a millionth")
  func rounding() {
    let curve = ErrorCurve(photos: 9, wrong: [0.123_456_1, .infinity, -0.5, -.infinity, 1, 0])
    #expect(curve.scores == [700, 1, 0.123_457, 0, -0.5, -700] && curve.photos == 9)
    var generator = SplitMix64(seed: 7)
    let scores = (0..<100).map { _ in Double.random(in: -9...9, using: &generator) }
    for (kept, score) in zip(ErrorCurve(photos: 100, wrong: scores).scores, scores.sorted(by: >)) {
      #expect(kept >= score && kept < score + 1.1e-6)
    }
  }

  @Test("Of many errors the highest 512 are kept, and the promise with them")
  func truncation() throws {
    let scores = (0..<2000).map { Double($0) / 2000 }
    let curve = ErrorCurve(photos: 2000, wrong: scores)
    #expect(curve.scores.count == 512 && curve.photos == 2000)
    #expect(curve.scores == Array(scores.sorted(by: >).prefix(512)))
    // As without the cut while it does not matter...
    #expect(curve.threshold(error: 0.05) == scores[1900].nextUp)
    // ...and strict where what was cut off would be needed.
    #expect(curve.threshold(error: 0.5) == scores[1488].nextUp)
    #expect(
      ErrorCurve(photos: 2000, wrong: Array(scores[..<511])).threshold(error: 0.5) == -.infinity)
  }

  @Test("A curve survives its JSON, exactly")
  func coding() throws {
    var generator = SplitMix64(seed: 8)
    let curve = ErrorCurve(photos: 300, wrong: Self.wrong(300, 0.5, &generator))
    #expect(try throughJSON(curve) == curve)
    #expect(
      try jsonText(ErrorCurve(photos: 3, wrong: [0.25, -1.5]))
        == #"{"photos":3,"scores":[0.25,-1.5]}"#)
  }
}

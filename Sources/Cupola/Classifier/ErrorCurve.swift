internal import CupolaCampus

/// How sure a model was of wrong answers to photos that its fits had not seen.
///
/// Says how sure an answer must be so that errors stay rare: conformal risk control (Angelopoulos,
/// Bates, Fisch, Lei & Schuster, ICLR 2024). The promise holds for photos like those, whatever the
/// model; it is an average over all such photos, right or wrong.
public struct ErrorCurve: Equatable, Codable, Sendable {
  /// Photos that were asked about.
  public let photos: Int
  /// The scores of the wrong answers among them, -700...700, highest first; at most 512.
  public let scores: [Double]

  /// No more scores are kept.
  package static let mostScores = 512
  /// Scores beyond these, such as infinite ones, are kept as these.
  static let bounds = -700.0...700

  /// A curve from the scores of the wrong answers, in any order, to some photos.
  public init(photos: Int, wrong: [Double]) {
    precondition(photos >= wrong.count, "\(wrong.count) wrong answers to \(photos) photos")
    self.photos = photos
    // Rounded up, so that files stay small and no promise is lost.
    scores = wrong.sorted(by: >).prefix(Self.mostScores).map {
      (min(max($0, Self.bounds.lowerBound), Self.bounds.upperBound) * 1e6).rounded(.up) / 1e6
    }
  }

  /// The lowest score from which on answers may be given, so that at most a share `error` of all
  /// photos is expected to get a wrong one; `nil` when the photos are too few to promise that.
  ///
  /// - Parameter error: more than 0, less than 1.
  public func threshold(error: Double) -> Double? {
    let allowed = max(0, Int(saturating: error * (Double(photos) + 1) + 1e-9)) - 1
    guard allowed >= 0 else { return nil }
    guard allowed < scores.count else {
      return scores.count < Self.mostScores ? -.infinity : scores[scores.count - 1].nextUp
    }
    return scores[allowed].nextUp
  }

  /// How many of the wrong answers are given when answers need some score.
  package func given(from score: Double) -> Int { scores.count { $0 >= score } }

  /// A score above those of all wrong answers.
  public var strictest: Double { scores.first?.nextUp ?? -.infinity }

  /// How many photos it takes to promise an error.
  ///
  /// - Parameter error: more than 0.
  public static func photosNeeded(error: Double) -> Int {
    precondition(error > 0, "an error of \(error)")
    // What is more than a whole number can be is more photos than anybody has, too.
    return Int(min((1 / error - 1e-9).rounded(.up), 1e15)) - 1
  }
}

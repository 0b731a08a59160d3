internal import Cupola

/// How much better a model would seem on a random split: the same classifier fitted out of fold twice,
/// once with photos of a session, burst, viewpoint and all copies kept together, once dealt at random.
public struct SplitComparison: Equatable, Sendable {
  /// Photos asked about, by both the same.
  public let photos: Int
  /// With groups kept together: what to expect of photos of another day.
  public let grouped: Share
  /// Dealt at random: what leaks would make of it.
  public let random: Share
  /// By how much the random split flatters: its share less the other, -1...1.
  public let difference: Double
  /// Whether that is more than chance: photos that only the random split's fits name right come first.
  public let mcnemar: McNemar

  /// `nil` when no photo can be held out both ways.
  init?(of problem: LearningCurve.Problem, threads: Int) async {
    var dealt = problem
    var generator = SplitMix64(seed: problem.seed)
    // As many, so that both learn from as many photos.
    dealt.folds = Folds(
      labels: problem.targets, groups: Array(problem.targets.indices),
      maximum: max(2, problem.folds.count), using: &generator)
    let grouped = await problem.answers(threads: threads)
    let random = await dealt.answers(threads: threads)
    let both = grouped.keys.filter { random[$0] != nil }
    guard !both.isEmpty else { return nil }
    func count(_ isCounted: (_ grouped: Bool, _ random: Bool) -> Bool) -> Int {
      both.count { isCounted(grouped[$0] ?? false, random[$0] ?? false) }
    }
    photos = both.count
    self.grouped = Share(right: count { grouped, _ in grouped }, of: photos)
    self.random = Share(right: count { _, random in random }, of: photos)
    difference = (self.random.accuracy ?? 0) - (self.grouped.accuracy ?? 0)
    mcnemar = McNemar(
      onlyFirst: count { grouped, random in random && !grouped },
      onlySecond: count { grouped, random in grouped && !random })
  }

  var json: JSONObject {
    func json(_ share: Share) -> JSONObject? {
      Table([share], Share.columns).without("photos").json[0]
    }
    return [
      "photos": photos, "grouped": json(grouped), "random": json(random), "difference": difference,
      "mcnemar": mcnemar.json,
    ]
  }

  /// What the comparison says, for people.
  public var sentence: String {
    let (own, other) = (FigureText.percent(grouped.accuracy), FigureText.percent(random.accuracy))
    return
      "Of \(FigureText.count(photos, "training photo")), fits that saw none of their session name \(own) "
      + "right; on a random split it would be \(other), \(FigureText.points(difference)) points "
      + (difference < 0 ? "less." : "more.")
  }
}

extension LearningCurve.Problem {
  /// Whether each photo that is held out once is named right, by all that its fold may learn from.
  fileprivate func answers(threads: Int) async -> [Int: Bool] {
    let parts = await parallelMap(Array(0..<folds.count), threads: threads) { fold in
      answers(in: fold, size: Int.max)
    }
    return Dictionary(parts.joined().map { ($0.photo, $0.isRight) }) { first, _ in first }
  }
}

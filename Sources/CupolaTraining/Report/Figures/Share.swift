#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Fractions of photos, their uncertainty, and tests for differences. The photos of a session share their errors.
// 1. A fraction and its 95% interval (Wilson 1927), with the effective number of photos (Rao & Scott 1992).
// 2. The interval of a difference of two fractions (Newcombe 1998).
// 3. A test of two models on the same photos (McNemar 1947), by exchanging the models in whole sessions.

package struct Share: Equatable, Sendable {
  package let right: Int
  package let photos: Int
  /// The number of sessions; equal to ``photos`` if each photo is its own session.
  package let sessions: Int
  /// The number of independent photos that would give an equally certain fraction; see ``designEffect(_:)``.
  let effectivePhotos: Double

  /// Creates the fraction of photos that are each their own session.
  package init(right: Int, of photos: Int) {
    (self.right, self.photos, sessions) = (right, photos, photos)
    effectivePhotos = Double(photos)
  }

  /// Creates the fraction of photos whose outcomes by session are unknown: only the number of sessions counts.
  init(right: Int, of photos: Int, sessions: Int?) {
    (self.right, self.photos, self.sessions) = (right, photos, sessions ?? photos)
    effectivePhotos = Double(min(photos, sessions ?? photos))
  }

  init(of answers: [Evaluation.Answer], where isRight: (Evaluation.Answer) -> Bool) {
    self.init(answers.map(isRight), sessions: answers.sessions)
  }

  /// Creates the fraction of right answers.
  ///
  /// - Parameters:
  ///   - isRight: Whether each answer is right; `nil` excludes the photo.
  ///   - sessions: The session of each photo; `nil` if each photo is its own session.
  init(_ isRight: [Bool?], sessions: [Int]? = nil) {
    right = isRight.count { $0 == true }
    photos = isRight.count { $0 != nil }
    let counts = sessions.map { SessionCounts(isRight, $0) }
    self.sessions = counts?.photos.count ?? photos
    effectivePhotos = Double(photos) / (counts.map(Self.designEffect) ?? 1)
  }

  /// The factor by which the variance of a fraction exceeds that of as many independent photos (Kish 1965).
  ///
  /// The variance is estimated from the differences between sessions (Rao & Scott, Biometrics 1992). The factor is
  /// between 1 and the value for sessions whose photos all have the same outcome. That value is also used if all photos
  /// have the same outcome, or if there is only one session, because the data then contain no estimate.
  private static func designEffect(_ counts: SessionCounts) -> Double {
    let (photos, right) = (counts.photos.reduce(0, +), counts.right.reduce(0, +))
    let (n, sessions) = (Double(photos), Double(counts.photos.count))
    guard counts.photos.count < photos else { return 1 }
    let most = counts.photos.reduce(0) { $0 + Double($1) * Double($1) } / n
    guard right > 0, right < photos, sessions > 1 else { return most }
    let share = Double(right) / n
    let residuals = zip(counts.right, counts.photos).reduce(0) { sum, session in
      let residual = Double(session.0) - share * Double(session.1)
      return sum + residual * residual
    }
    let variance = sessions / (sessions - 1) * residuals / (n * n)
    return min(max(variance * (n - 1) / (share * (1 - share)), 1), most)
  }

  package var accuracy: Double? { photos == 0 ? nil : Double(right) / Double(photos) }
  package var interval: WilsonInterval {
    WilsonInterval(share: accuracy ?? 0, of: effectivePhotos)
  }

  /// The standard error of ``accuracy``; 0 without photos.
  var standardError: Double {
    let accuracy = accuracy ?? 0
    return (accuracy * (1 - accuracy) / max(1, effectivePhotos)).squareRoot()
  }

  /// The photos, and their sessions if there are fewer of these, such as "48 photos of 6 sessions".
  var basis: String {
    FigureText.count(photos, "photo")
      + (sessions < photos ? " of " + FigureText.count(sessions, "session") : "")
  }

  static let columns: [Column<Share>] = [
    .count("photos") { $0.photos }, .count("right") { $0.right },
    .share("accuracy") { $0.accuracy }, .interval { $0.photos > 0 ? $0.interval.ends : nil },
  ]
}

extension Collection {
  /// Sorts buildings by the upper end of the interval of their share of right photos, lowest first.
  ///
  /// Training, evaluation and reports use this order. One mistake in two photos may be chance, so such a building
  /// follows one with many mistakes in many photos. Equal buildings keep their order.
  package func weakestFirst(_ share: (Element) -> Share) -> [Element] {
    let ends = map { share($0).interval.upper }
    return zip(self, ends).enumerated().sorted {
      ($0.element.1, $0.offset) < ($1.element.1, $1.offset)
    }.map(\.element.0)
  }
}

/// The number of photos and of right answers of each session, in the order of their first photos.
private struct SessionCounts {
  private(set) var photos: [Int] = []
  private(set) var right: [Int] = []

  init(_ isRight: [Bool?], _ sessions: [Int]) {
    var index: [Int: Int] = [:]
    for (isRight, session) in zip(isRight, sessions) {
      guard let isRight else { continue }
      let place = index[session] ?? photos.count
      if place == photos.count {
        index[session] = place
        photos.append(0)
        right.append(0)
      }
      photos[place] += 1
      if isRight { right[place] += 1 }
    }
  }
}

extension [Evaluation.Answer] {
  /// Whether capture times and named groups are missing for most photos, which may be from the sessions of training
  /// photos.
  var areVisitsUnknown: Bool {
    2 * untimed > count
  }

  /// The number of photos without capture time and named group.
  var untimed: Int {
    count { $0.photo.namedSession == nil && $0.facts.shot.map { !$0.hasDate } ?? false }
  }

  /// The session of each photo: its group, or otherwise its burst or viewpoint, or the photo itself.
  var sessions: [Int] {
    var index: [String: Int] = [:]
    let shots = Grouping.sessions(of: map { $0.photo.group == nil ? $0.facts.shot : nil })
    return zip(self, shots).enumerated().map { number, photo in
      guard let group = photo.0.photo.group else { return photo.1 ?? number }
      index[group] = index[group] ?? number
      return index[group] ?? number
    }
  }

  /// The name of each photo's session: its group, or otherwise a number in the order of the photos.
  var sessionNames: [String] {
    var numbers: [Int: Int] = [:]
    return zip(self, sessions).map { answer, session in
      if let group = answer.photo.group { return group }
      let number = numbers[session] ?? numbers.count + 1
      numbers[session] = number
      return "session-\(number)"
    }
  }
}

/// The 95% confidence interval of a fraction (Wilson, JASA 1927).
package struct WilsonInterval: Equatable, Sendable {
  package let lower: Double
  package let upper: Double
  var ends: [Double] { [lower, upper] }

  package init(successes: Int, of trials: Int) {
    precondition(
      successes >= 0 && successes <= trials, "\(successes) successes of \(trials) trials")
    self.init(share: trials > 0 ? Double(successes) / Double(trials) : 0, of: Double(trials))
  }

  /// - Parameter n: The effective number of trials, which need not be an integer.
  init(share: Double, of n: Double) {
    guard n > 0 else {
      (lower, upper) = (0, 1)
      return
    }
    let z = 1.959_963_984_540_054
    let center = (share + z * z / (2 * n)) / (1 + z * z / n)
    let spread =
      z / (1 + z * z / n) * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    // At 0 and 1, set the end exactly, without rounding error.
    lower = share == 0 ? 0 : max(0, center - spread)
    upper = share == 1 ? 1 : min(1, center + spread)
  }
}

/// The difference of two independent fractions, and its 95% interval (Newcombe, Statistics in Medicine 1998, method
/// 10).
struct NewcombeInterval: Equatable, Sendable {
  let difference: Double
  let lower: Double
  let upper: Double

  init?(_ first: Share, minus second: Share) {
    guard let p = first.accuracy, let q = second.accuracy else { return nil }
    let (a, b) = (first.interval, second.interval)
    func root(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
    difference = p - q
    lower = p - q - root(p - a.lower, b.upper - q)
    upper = p - q + root(a.upper - p, q - b.lower)
  }
}

/// A test of two models on the same photos, using the photos that only one model names correctly (McNemar,
/// Psychometrika 1947).
///
/// The unit is the session: if the models are equally good, exchanging their answers in any session is equally likely.
/// The p-value is the fraction of all such exchanges with a difference at least as large (a permutation test of clustered
/// pairs; Gail et al., Statistics in Medicine 1996). If each photo is its own session, this is McNemar's exact test.
package struct McNemar: Equatable, Sendable {
  package enum Method: String, Sendable {
    case exact
    /// Chi-squared with one degree of freedom and Edwards' continuity correction; for sessions, the statistic of Yang,
    /// Sun & Hardin (Biometrical Journal 2010).
    case chiSquared = "chi_squared"
  }

  package let onlyFirst: Int
  package let onlySecond: Int
  /// The method used for ``pValue``: exact up to 1,000 photos.
  package let method: Method
  /// The two-sided probability, 0...1, of a difference at least this large if the models are equally good.
  package let pValue: Double

  static let mostExact = 1000

  /// - Parameter differences: The nonzero differences between the counts of each session; `nil` if each photo is its
  ///   own session.
  init(onlyFirst: Int, onlySecond: Int, differences: [Int]? = nil) {
    (self.onlyFirst, self.onlySecond) = (onlyFirst, onlySecond)
    let sizes = differences?.map(abs) ?? [Int](repeating: 1, count: onlyFirst + onlySecond)
    let difference = abs(onlyFirst - onlySecond)
    method = sizes.reduce(0, +) <= Self.mostExact ? .exact : .chiSquared
    switch method {
    case .exact: pValue = Self.permutation(sizes, atLeast: difference)
    case .chiSquared:
      let variance = sizes.reduce(0) { $0 + Double($1) * Double($1) }
      let gap = Double(max(0, difference - 1))
      pValue = erfc((gap * gap / variance / 2).squareRoot())
    }
  }

  /// - Parameters:
  ///   - pairs: Whether each model is right about each photo.
  ///   - sessions: The session of each photo.
  init(_ pairs: [(first: Bool, second: Bool)], sessions: [Int]) {
    var differences: [Int: Int] = [:]
    for (pair, session) in zip(pairs, sessions) where pair.first != pair.second {
      differences[session, default: 0] += pair.first ? 1 : -1
    }
    self.init(
      onlyFirst: pairs.count { $0.first && !$0.second },
      onlySecond: pairs.count { !$0.first && $0.second },
      differences: differences.values.filter { $0 != 0 })
  }

  var json: JSONObject {
    [
      "only_first": onlyFirst, "only_second": onlySecond, "method": method.rawValue,
      "p_value": pValue,
    ]
  }

  var text: String {
    pValue < 0.0001 ? "< 0.0001" : FigureText.decimal(pValue, digits: 4)
  }

  /// Whether the difference is unlikely to be due to chance.
  var isClear: Bool { pValue < 0.05 }

  var equation: String { pValue < 0.0001 ? "p < 0.0001" : "p = \(text)" }

  /// The probability that the sum of the sizes, each with a random sign, is at least `least` away from 0.
  private static func permutation(_ sizes: [Int], atLeast least: Int) -> Double {
    let most = sizes.reduce(0, +)
    // The distribution of the sum, from -most to most.
    var distribution = [Double](repeating: 0, count: 2 * most + 1)
    distribution[most] = 1
    // The order of the sizes must not change the rounding errors.
    for size in sizes.sorted() {
      var next = [Double](repeating: 0, count: distribution.count)
      for index in distribution.indices where distribution[index] > 0 {
        next[index - size] += distribution[index] / 2
        next[index + size] += distribution[index] / 2
      }
      distribution = next
    }
    let outside = distribution.indices.filter { abs($0 - most) >= least }
    return min(1, outside.reduce(0) { $0 + distribution[$1] })
  }
}

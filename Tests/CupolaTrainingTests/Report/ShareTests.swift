import Testing

@testable import CupolaTraining

@Suite("Wilson interval")
struct WilsonIntervalTests {
  @Test(
    "The interval matches statsmodels",
    arguments: [
      // statsmodels 0.15.0, scipy 1.17.1:
      // proportion_confint(successes, trials, alpha=0.05, method="wilson")
      (0, 1, 0.0, 0.793450685623),
      (1, 1, 0.206549314377, 1.0),
      (0, 10, 0.0, 0.277532799863),
      (10, 10, 0.722467200137, 1.0),
      (5, 10, 0.236593090513, 0.763406909487),
      (1, 3, 0.06149194472, 0.792340399198),
      (37, 100, 0.281823605343, 0.467794704191),
      (95, 100, 0.888249530768, 0.978456320846),
      (999, 1000, 0.994357441402, 0.999823453629),
      (8, 9, 0.565000294423, 0.980109112361),
      (150, 284, 0.470121698955, 0.585464456235),
    ])
  func known(successes: Int, trials: Int, lower: Double, upper: Double) {
    let interval = WilsonInterval(successes: successes, of: trials)
    #expect(abs(interval.lower - lower) < 1e-11)
    #expect(abs(interval.upper - upper) < 1e-11)
  }

  @Test("Without trials the interval is 0 to 1")
  func noTrials() {
    let interval = WilsonInterval(successes: 0, of: 0)
    #expect(interval.lower == 0)
    #expect(interval.upper == 1)
  }

  @Test("The interval contains the share and narrows with trials")
  func shape() {
    for successes in 0...20 {
      let interval = WilsonInterval(successes: successes, of: 20)
      let mirrored = WilsonInterval(successes: 20 - successes, of: 20)
      let share = Double(successes) / 20
      #expect(interval.lower <= share && share <= interval.upper)
      #expect(abs(interval.lower - (1 - mirrored.upper)) < 1e-12)
      let more = WilsonInterval(successes: 10 * successes, of: 200)
      #expect(more.upper - more.lower < interval.upper - interval.lower)
    }
  }
}

@Suite("Shares of sessions")
struct SessionShareTests {
  @Test("Photos that are each their own session have the interval of independent photos")
  func ownSessions() {
    for right in 0...20 {
      let isRight = (0..<20).map { $0 < right }
      let share = Share(isRight, sessions: Array(5..<25))
      #expect(share == Share(right: right, of: 20) && share.basis == "20 photos")
      #expect(share.interval == WilsonInterval(successes: right, of: 20))
    }
  }

  @Test("The effective number of photos matches Rao & Scott 1992")
  func effective() {
    // Sessions of five photos with 5, 5, 4 and 1 right answers. By hand: the residuals have the squared sum 10.75, the
    // design effect is (4 / 3 * 10.75 / 400) / (0.75 * 0.25 / 19) = 3.6311.
    let right = [5, 5, 4, 1]
    let isRight = right.flatMap { right in (0..<5).map { $0 < right } }
    let share = Share(isRight, sessions: (0..<20).map { $0 / 5 })
    #expect(share.sessions == 4 && share.basis == "20 photos of 4 sessions")
    #expect(abs(share.effectivePhotos - 5.507_96) < 1e-4)
    #expect(share.interval.lower < WilsonInterval(successes: 15, of: 20).lower)
    // The order of the photos and the numbers of the sessions do not matter.
    let order = [7, 3, 19, 0, 12, 5, 1, 16, 10, 2, 14, 8, 18, 4, 6, 9, 11, 13, 15, 17]
    let other = Share(order.map { isRight[$0] }, sessions: order.map { 100 - $0 / 5 })
    #expect(abs(other.effectivePhotos - share.effectivePhotos) < 1e-9)
  }

  @Test("Only sessions count if all of their photos have the same outcome")
  func equalOutcomes() {
    for right in [0, 10, 20] {
      let share = Share((0..<20).map { $0 < right }, sessions: (0..<20).map { $0 / 5 })
      #expect(share.effectivePhotos == 4)
    }
    #expect(Share([true, false, true], sessions: [1, 1, 1]).effectivePhotos == 1)
    #expect(Share([Bool?](repeating: nil, count: 3), sessions: [1, 1, 2]).photos == 0)
    // Photos that differ less between sessions than chance count as independent.
    let even = Share((0..<20).map { $0 % 5 < 4 }, sessions: (0..<20).map { $0 / 5 })
    #expect(even.effectivePhotos == 20)
  }
}

@Suite("McNemar's test by session")
struct SessionMcNemarTests {
  private static func pairs(_ differences: [Int]) -> (pairs: [(Bool, Bool)], sessions: [Int]) {
    var (pairs, sessions): ([(Bool, Bool)], [Int]) = ([], [])
    for (session, difference) in differences.enumerated() {
      // One photo of each session is recognized by both models.
      for photo in 0...abs(difference) {
        pairs.append((photo == 0 || difference > 0, photo == 0 || difference < 0))
        sessions.append(session)
      }
    }
    return (pairs, sessions)
  }

  @Test("Photos that are each their own session give McNemar's exact test")
  func ownSessions() {
    for (first, second) in [(0, 0), (5, 0), (10, 20), (700, 600)] {
      let all = [Bool](repeating: true, count: first) + [Bool](repeating: false, count: second)
      let test = McNemar(all.map { ($0, !$0) }, sessions: Array(all.indices))
      #expect(test == McNemar(onlyFirst: first, onlySecond: second))
    }
  }

  @Test("The p-value counts the exchanges of whole sessions")
  func sessions() {
    // Of the 16 exchanges, 6 have a difference of at least 5 photos.
    let (pairs, sessions) = Self.pairs([3, -1, 1, 2])
    let test = McNemar(pairs, sessions: sessions)
    #expect(test.onlyFirst == 6 && test.onlySecond == 1 && test.method == .exact)
    #expect(abs(test.pValue - 0.375) < 1e-12)
    #expect(abs(McNemar(onlyFirst: 6, onlySecond: 1).pValue - 0.125) < 1e-12)
  }

  @Test("Many photos use the chi-squared test of sessions")
  func manyPhotos() {
    let differences = [Int](repeating: 2, count: 320) + [Int](repeating: -2, count: 280)
    let (pairs, sessions) = Self.pairs(differences)
    let test = McNemar(pairs, sessions: sessions)
    #expect(test.method == .chiSquared && test.onlyFirst == 640 && test.onlySecond == 560)
    #expect(abs(test.pValue - 0.106_84) < 1e-4)
  }
}

@Suite("Order of buildings")
struct WeakestFirstTests {
  @Test("A building with many mistakes is weaker than one with few photos")
  func weakestFirst() {
    let shares = [(9, 9), (2, 2), (1, 2), (80, 100), (3, 10), (1, 1)]
    let sorted = shares.weakestFirst { Share(right: $0.0, of: $0.1) }
    #expect(sorted.map(\.1) == [10, 100, 2, 9, 2, 1])
    #expect(sorted.map(\.0) == [3, 80, 1, 9, 2, 1])
  }
}

@Suite("Newcombe interval")
struct NewcombeIntervalTests {
  @Test(
    "The interval matches Newcombe 1998, table II, method 10",
    arguments: [
      ((56, 70), (48, 80), 0.0524, 0.3339), ((9, 10), (3, 10), 0.1705, 0.8090),
      ((6, 7), (2, 7), 0.0582, 0.8062), ((5, 56), (0, 29), -0.0381, 0.1926),
      ((0, 10), (0, 20), -0.1611, 0.2775), ((10, 10), (0, 20), 0.6791, 1),
    ])
  func published(first: (Int, Int), second: (Int, Int), lower: Double, upper: Double) throws {
    let shares = [first, second].map { Share(right: $0.0, of: $0.1) }
    let interval = try #require(NewcombeInterval(shares[0], minus: shares[1]))
    #expect(abs(interval.lower - lower) < 5e-5 && abs(interval.upper - upper) < 5e-5)
    let difference = Double(first.0) / Double(first.1) - Double(second.0) / Double(second.1)
    #expect(interval.difference == difference)
    let other = try #require(NewcombeInterval(shares[1], minus: shares[0]))
    #expect(abs(other.lower + interval.upper) < 1e-15)
  }

  @Test("Shares without photos have no difference")
  func nothing() {
    let (none, half) = (Share(right: 0, of: 0), Share(right: 1, of: 2))
    #expect(NewcombeInterval(none, minus: half) == nil)
    #expect(NewcombeInterval(half, minus: none) == nil)
  }
}

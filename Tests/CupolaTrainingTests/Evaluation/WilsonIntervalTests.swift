import CupolaTraining
import Testing

@Suite("Wilson interval")
struct WilsonIntervalTests {
  @Test(
    "agrees with statsmodels",
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

  @Test("without trials everything is possible")
  func noTrials() {
    let interval = WilsonInterval(successes: 0, of: 0)
    #expect(interval.lower == 0)
    #expect(interval.upper == 1)
  }

  @Test("holds the share, is mirrored for failures, and narrows with trials")
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

import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Cross-validation")
struct CrossValidationTests {
  private static let names = Labels(["_street", "chapel", "tower"])

  private static func material() -> (examples: Matrix, labels: [Int]) {
    var generator = SplitMix64(seed: 8)
    let labels = (0..<12).map { $0 % 3 }
    var examples = Matrix(rows: 24, columns: 5)
    for (photo, label) in labels.enumerated() {
      for view in 0..<2 {
        for column in 0..<5 {
          examples[photo * 2 + view, column] = generator.normal() + (column == label ? 2 : 0)
        }
      }
    }
    return (examples, labels)
  }

  private static func folds(_ labels: [Int], _ groups: [Int]) -> Folds {
    var generator = SplitMix64(seed: 0)
    return Folds(labels: labels, groups: groups, maximum: 4, using: &generator)
  }

  private static func strengths(
    _ regularizations: [Double], whitening: Double? = nil
  ) -> [ClassifierSettings] {
    regularizations.map { ClassifierSettings(whitening: whitening, regularization: $0) }
  }

  private static func validation(
    _ folds: Folds, threads: Int = 1, settings: [ClassifierSettings] = strengths([1, 10])
  ) async -> CrossValidation {
    let (examples, labels) = material()
    return await CrossValidation(
      LabeledExamples(
        source: Coordinates(examples),
        views: PhotoViews(counts: labels.map { _ in 2 }, testView: 1),
        labels: labels, names: names),
      folds: folds, settings: settings, threads: threads)
  }

  @Test("There are no trials if no photo can be held out")
  func nothingHeldOut() async {
    let (_, labels) = Self.material()
    let validation = await Self.validation(Self.folds(labels, labels))
    #expect(validation.trials.isEmpty)
    #expect(validation.photos.isEmpty)
    #expect(CrossValidation.best(validation.trials) == nil)
  }

  @Test("Trials have logits if only backgrounds can be held out")
  func onlyBackgroundHeldOut() async {
    let (_, labels) = Self.material()
    let groups = (0..<12).map { labels[$0] == 0 ? $0 : 100 + labels[$0] }
    let folds = Self.folds(labels, groups)
    #expect(folds.count > 1)
    let validation = await Self.validation(folds)
    #expect(validation.photos == labels.indices.filter { labels[$0] == 0 })
    #expect(validation.trials.map(\.accuracy) == [0, 0])
    #expect(validation.trials.allSatisfy { $0.logits.rows == 4 })
    #expect(CrossValidation.best(validation.trials) == validation.trials.first)
  }

  @Test("Held-out logits come from a fit without the photo's fold")
  func heldOut() async throws {
    let (examples, labels) = Self.material()
    let folds = Self.folds(labels, Array(0..<12))
    let validation = await Self.validation(folds)
    #expect(validation.photos == Array(0..<12))
    let trial = try #require(validation.trials.first)
    for photo in 0..<12 {
      let training = (0..<12).filter { folds.assignment[$0] != folds.assignment[photo] }
      let rows = training.flatMap { [2 * $0, 2 * $0 + 1] }
      let fit = SoftmaxRegression(regularization: 1, solver: SoftmaxRegression.usualSolver).fit(
        examples.selecting(rows: rows), labels: training.flatMap { [labels[$0], labels[$0]] },
        labelCount: 3)
      let view = examples.values[examples.range(ofRow: 2 * photo + 1)]
      let wanted = fit.classifier.logits(Array(view))
      for label in 0..<3 { #expect(abs(trial.logits[photo, label] - wanted[label]) < 1e-4) }
    }
  }

  @Test("Photos that always train do not count")
  func alwaysTraining() async throws {
    let (_, labels) = Self.material()
    let groups = (0..<12).map { labels[$0] == 2 ? 100 : $0 }
    let validation = await Self.validation(Self.folds(labels, groups))
    #expect(validation.photos == (0..<12).filter { labels[$0] != 2 })
    #expect(try #require(validation.trials.first).logits.rows == 8)
  }

  @Test("Accuracy counts the most probable building")
  func accuracy() async throws {
    let (_, labels) = Self.material()
    let validation = await Self.validation(Self.folds(labels, Array(0..<12)))
    for trial in validation.trials {
      let right = (0..<12).count { photo in
        let (chapel, tower) = (trial.logits[photo, 1], trial.logits[photo, 2])
        return labels[photo] == 1 && chapel > tower || labels[photo] == 2 && tower > chapel
      }
      #expect(abs(trial.accuracy - Double(right) / 8) < 1e-12)
      #expect(trial.loss > 0)
      let temperature = TemperatureScaling.temperature(logits: trial.logits, labels: labels)
      let loss = TemperatureScaling.loss(trial.logits, labels, temperature)
      #expect(abs(trial.loss - loss) < 1e-12)
    }
  }

  @Test("The thread count changes nothing", arguments: [2, 8])
  func threads(count: Int) async {
    let (_, labels) = Self.material()
    let folds = Self.folds(labels, Array(0..<12))
    let one = await Self.validation(folds)
    let several = await Self.validation(folds, threads: count)
    #expect(one.trials.map(\.logits) == several.trials.map(\.logits))
  }

  @Test("Whitening excludes the held-out fold")
  func whitened() async throws {
    let (examples, labels) = Self.material()
    let folds = Self.folds(labels, Array(0..<12))
    let settings = Self.strengths([1], whitening: 0.5)
    let validation = await Self.validation(folds, settings: Self.strengths([2]) + settings)
    let trial = try #require(validation.trials.last)
    #expect(trial.settings == settings[0])
    for photo in 0..<12 {
      let training = (0..<12).filter { folds.assignment[$0] != folds.assignment[photo] }
      let fit = SoftmaxRegression.fits(
        settings, examples.selecting(rows: training.flatMap { [2 * $0, 2 * $0 + 1] }),
        labels: training.flatMap { [labels[$0], labels[$0]] }, names: Self.names)
      let view = examples.values[examples.range(ofRow: 2 * photo + 1)]
      let wanted = try #require(fit.first).classifier.logits(Array(view))
      for label in 0..<3 { #expect(abs(trial.logits[photo, label] - wanted[label]) < 1e-4) }
    }
  }

  @Test("The best trial is the first within one standard error")
  func best() async throws {
    let (_, labels) = Self.material()
    for strengths in [[1e-4, 0.01, 1, 100], [100, 1, 0.01, 1e-4]] {
      let settings = Self.strengths(strengths)
      let validation = await Self.validation(
        Self.folds(labels, Array(0..<12)), settings: settings)
      #expect(validation.trials.map(\.settings) == settings)
      let best = try #require(CrossValidation.best(validation.trials))
      let highest = try #require(validation.trials.map(\.accuracy).max())
      // Eight of the held-out photos show buildings.
      let error = (highest * (1 - highest) / 8).squareRoot()
      #expect(best.accuracy >= highest - error)
      for trial in validation.trials.prefix(while: { $0.settings != best.settings }) {
        #expect(trial.accuracy < highest - error)
      }
    }
  }
}

@Suite("One-standard-error rule")
struct OneStandardErrorTests {
  private static func share(_ right: Int) -> Share { Share(right: right, of: 100) }

  @Test("Accuracies that differ by sessions have larger standard errors")
  func sessions() {
    let isRight = (0..<100).map { $0 < 86 }
    let bursts = Share(isRight, sessions: (0..<100).map { $0 / 10 })
    #expect(abs(Self.share(86).standardError - 0.0347) < 1e-4)
    // By hand: the squared residuals of the sessions add up to 96.4, so the design effect is 8.81.
    #expect(abs(bursts.standardError - 0.102_98) < 1e-4)
    #expect(CrossValidation.best(of: [Self.share(80), Self.share(86)]) == 1)
    #expect(CrossValidation.best(of: [Self.share(80), bursts]) == 0)
  }

  @Test("Later settings replace the best one only if they are clearly better")
  func laterSettings() {
    let shares = [80, 83, 86].map(Self.share)
    #expect(CrossValidation.best(of: shares) == 1)
    // 83% is not clearly better than 80%, but 86% is.
    #expect(CrossValidation.best(of: shares, candidates: 1) == 2)
    #expect(CrossValidation.best(of: shares, candidates: 3) == 1)
    #expect(CrossValidation.best(of: [], candidates: 0) == nil)
  }
}

@Suite("Folds")
struct FoldsTests {
  private static func material(_ seed: UInt64) -> (labels: [Int], groups: [Int]) {
    var generator = SplitMix64(seed: seed)
    var (labels, groups): ([Int], [Int]) = ([], [])
    var group = 0
    for label in 0..<6 {
      for _ in 0..<Int.random(in: 2...9, using: &generator) {
        for _ in 0..<Int.random(in: 2...5, using: &generator) {
          labels.append(label)
          groups.append(group)
        }
        group += 1
      }
    }
    return (labels, groups)
  }

  private static func folds(
    _ labels: [Int], _ groups: [Int], maximum: Int = 5, seed: UInt64 = 0
  ) -> Folds {
    var generator = SplitMix64(seed: seed)
    return Folds(labels: labels, groups: groups, maximum: maximum, using: &generator)
  }

  @Test("A group is never split", arguments: 0..<10 as Range<UInt64>)
  func keepGroups(seed: UInt64) {
    let (labels, groups) = Self.material(seed)
    let folds = Self.folds(labels, groups, seed: seed)
    let parts = Dictionary(grouping: labels.indices, by: { groups[$0] })
    for photos in parts.values { #expect(Set(photos.map { folds.assignment[$0] }).count == 1) }
  }

  @Test("A group with several labels is never split", arguments: 0..<10 as Range<UInt64>)
  func keepGroupsAcrossLabels(seed: UInt64) {
    // Every label was photographed on seven days, each of which is a group.
    let labels = (0..<70).map { $0 % 5 }
    let groups = (0..<70).map { $0 / 10 }
    let folds = Self.folds(labels, groups, seed: seed)
    #expect(folds.count == 5)
    for day in 0..<7 {
      #expect(Set((0..<10).map { folds.assignment[day * 10 + $0] }).count == 1)
    }
  }

  @Test("A label with two groups has photos in two folds", arguments: 0..<10 as Range<UInt64>)
  func stratified(seed: UInt64) {
    let (labels, groups) = Self.material(seed)
    let folds = Self.folds(labels, groups, seed: seed)
    for label in 0..<6 {
      let photos = labels.indices.filter { labels[$0] == label }
      let filled = Set(photos.compactMap { folds.assignment[$0] })
      #expect(filled.count == min(folds.count, Set(photos.map { groups[$0] }).count))
    }
  }

  @Test(
    "A label with shared sessions has photos in two folds",
    arguments: 0..<20 as Range<UInt64>)
  func sharedSessions(seed: UInt64) {
    // One building was photographed in ten sessions, and the other eleven in two each.
    var (labels, groups): ([Int], [Int]) = ([], [])
    for session in 0..<10 {
      labels.append(0)
      groups.append(session)
    }
    for label in 1...11 {
      for session in [label % 10, (3 * label + 1) % 10] {
        labels += [label, label]
        groups += [session, session]
      }
    }
    let folds = Self.folds(labels, groups, seed: seed)
    let parts = Dictionary(grouping: labels.indices, by: { groups[$0] })
    for photos in parts.values { #expect(Set(photos.map { folds.assignment[$0] }).count == 1) }
    for label in 0...11 {
      let filled = Set(labels.indices.filter { labels[$0] == label }.map { folds.assignment[$0] })
      #expect(filled.count > 1, "\(label)")
    }
  }

  @Test("A label whose sessions cannot be separated always trains")
  func inseparableSessions() {
    // Each fold needs one session of the first label, but both sessions of the second label are in the same fold.
    for seed in 0..<20 as Range<UInt64> {
      let labels = [0, 0, 1, 1, 2, 2]
      let groups = [0, 1, 1, 2, 2, 0]
      let folds = Self.folds(labels, groups, maximum: 2, seed: seed)
      for label in 0..<3 {
        let filled = Set(labels.indices.filter { labels[$0] == label }.map { folds.assignment[$0] })
        #expect(filled.count == 2 || filled == [nil], "\(label)")
      }
    }
  }

  @Test("Equal groups are distributed evenly")
  func even() {
    let labels = (0..<60).map { $0 / 20 }
    let folds = Self.folds(labels, Array(0..<60))
    for label in 0..<3 {
      let sizes = (0..<5).map { fold in
        labels.indices.count { labels[$0] == label && folds.assignment[$0] == fold }
      }
      #expect(sizes == [4, 4, 4, 4, 4])
    }
  }

  @Test("A label with one group always trains")
  func oneGroup() {
    let folds = Self.folds([0, 0, 0, 1, 1, 1], [7, 7, 7, 1, 2, 3])
    #expect(folds.count == 3)
    #expect(folds.assignment.prefix(3) == [nil, nil, nil])
    #expect(folds.assignment.dropFirst(3).allSatisfy { $0 != nil })
  }

  @Test("There are no folds if no label has two groups")
  func none() {
    let folds = Self.folds([0, 0, 1, 1], [0, 0, 1, 1])
    #expect(folds.count == 0)
    #expect(folds.assignment == [nil, nil, nil, nil])
    #expect(Self.folds([], []).count == 0)
  }

  @Test(
    "The fold count is limited by request and group count",
    arguments: [(2, 2), (3, 3), (5, 4), (9, 4)])
  func count(maximum: Int, expected: Int) {
    let folds = Self.folds([0, 0, 0, 0, 1, 1], [0, 1, 2, 3, 4, 5], maximum: maximum)
    #expect(folds.count == expected)
    #expect(folds.assignment.compactMap { $0 }.allSatisfy { (0..<expected).contains($0) })
  }

  @Test("Equal seeds yield equal folds, other seeds different ones")
  func seeded() {
    let (labels, groups) = Self.material(1)
    #expect(
      Self.folds(labels, groups, seed: 4).assignment
        == Self.folds(labels, groups, seed: 4).assignment)
    let several = (0..<5).map { Self.folds(labels, groups, seed: $0).assignment }
    #expect(Set(several).count > 1)
  }

  @Test("Testing only some photos keeps their folds")
  func onlySome() {
    let (labels, groups) = Self.material(3)
    let folds = Self.folds(labels, groups)
    let part = folds.testing(only: [7, 2, 30])
    #expect(part.assignment == folds.assignment && part.count == folds.count)
    #expect(part.tested == [2, 7, 30].filter { folds.assignment[$0] != nil })
  }

  @Test(
    "A session is held out if enough of its label remains",
    arguments: [(50, 1, false), (50, 5, false), (31, 10, false), (30, 10, true), (6, 2, true)])
  func balanced(many: Int, few: Int, isHeldOut: Bool) {
    let labels = [Int](repeating: 0, count: many + few) + [1, 1, 1, 1]
    let groups = (0..<many + few).map { $0 < many ? 0 : 1 } + [2, 3, 4, 5]
    for seed in 0..<10 as Range<UInt64> {
      let folds = Self.folds(labels, groups, seed: seed)
      #expect((folds.assignment[0] != nil) == isHeldOut)
      #expect(folds.assignment[many] != nil)
      #expect(Set(folds.assignment.compactMap(\.self)) == Set(0..<folds.count))
    }
  }

  @Test(
    "Buildings are tested if half of them, or eight, can be",
    arguments: [(5, 2, false), (5, 3, true), (2, 1, true), (40, 7, false), (40, 8, true)])
  func testedBuildings(buildings: Int, asked: Int, areHeldOut: Bool) {
    let labels = (0..<buildings * 4).map { $0 / 4 } + [Int](repeating: buildings, count: 6)
    let groups = labels.enumerated().map { photo, label in
      label == buildings || (label < asked && photo % 2 == 0) ? 1000 + photo : label
    }
    let names = Labels((0..<buildings).map { "b\($0 + 100)" } + ["_street"])
    let folds = TrainingScale.full.folds(labels, groups, names, seed: 0)
    #expect(folds.tested.contains { labels[$0] < buildings } == areHeldOut)
    #expect(folds.tested.count { labels[$0] == buildings } == 6)
  }

  @Test(
    "The first folds with enough photos are kept")
  func first() {
    let folds = Self.folds((0..<100).map { $0 / 50 }, Array(0..<100))
    let all = { (_: Int) in true }
    for (enough, least, count) in [(1, 1, 1), (1, 2, 2), (21, 1, 2), (41, 2, 3), (1000, 2, 5)] {
      let part = folds.first(holding: enough, least: least, where: all)
      #expect(part.count == count)
      #expect(part.tested.count <= 2 * enough)
      for (photo, fold) in part.assignment.enumerated() {
        #expect(fold == folds.assignment[photo].flatMap { $0 < count ? $0 : nil })
      }
    }
    #expect(folds.first(holding: 15, least: 1, where: { $0 < 50 }).count == 2)
  }
}

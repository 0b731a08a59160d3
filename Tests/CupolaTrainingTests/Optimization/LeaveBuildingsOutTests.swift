import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Leaving buildings out")
struct LeaveBuildingsOutTests {
  private static let settings = ClassifierSettings(whitening: nil, regularization: 10)

  /// Photos in clusters, one a label: two views each.
  private static func material(
    _ labels: [String], photos: Int
  ) -> (SettingsSearch.Problem, Coordinates, Matrix) {
    var generator = SplitMix64(seed: 3)
    let names = Labels(labels)
    let targets = (0..<photos).map { $0 % labels.count }
    var examples = generator.matrix(2 * photos, labels.count + 1)
    for (row, _) in (0..<2 * photos).enumerated() { examples[row, targets[row / 2]] += 6 }
    var folding = SplitMix64(seed: 0)
    let problem = SettingsSearch.Problem(
      features: Recipe.hog.features, views: PhotoViews(counts: targets.map { _ in 2 }, testView: 1),
      labels: targets,
      names: names,
      folds: Folds(
        labels: targets, groups: Array(0..<photos), maximum: 5, using: &folding), threads: 2)
    return (problem, Coordinates(examples), examples)
  }

  @Test("each building's photos are asked of a fit without it, as a fit by hand has it")
  func byHand() async throws {
    let (problem, coordinates, examples) = Self.material(["_sky", "a", "b", "c"], photos: 24)
    var generator = SplitMix64(seed: 7)
    let left = await LeaveBuildingsOut(problem, coordinates, Self.settings, using: &generator)
    #expect(left.logits.rows == 18)
    let absent = (0..<18).map { row in
      problem.names.buildings.filter { left.logits[row, $0] < -1e8 }
    }
    #expect(absent.allSatisfy { $0.count == 1 })
    for building in problem.names.buildings {
      let training = problem.labels.indices.filter { problem.labels[$0] != building }
      let fit = ClassifierSettings.fits(
        [Self.settings], examples.selecting(rows: training.flatMap { [2 * $0, 2 * $0 + 1] }),
        labels: training.flatMap { photo in
          let label = problem.labels[photo]
          return [Int](repeating: label < building ? label : label - 1, count: 2)
        },
        names: Labels(problem.names.names.filter { $0 != problem.names.names[building] })
      )[0].classifier
      let asked = problem.labels.indices.filter { problem.labels[$0] == building }
      let wanted = fit.logits(ofRows: examples.selecting(rows: asked.map { 2 * $0 + 1 }))
      let rows = absent.indices.filter { absent[$0] == [building] }
      #expect(rows.count == asked.count)
      for (row, own) in zip(rows, 0..<wanted.rows) {
        for label in problem.names.names.indices where label != building {
          #expect(
            abs(left.logits[row, label] - wanted[own, label < building ? label : label - 1])
              < 1e-4)
        }
      }
    }
  }

  @Test("many buildings are left out several at a time, and no fit is left with one label")
  func several() async {
    let (problem, coordinates, _) = Self.material((1...12).map { "b\($0)" }, photos: 36)
    var generator = SplitMix64(seed: 7)
    let left = await LeaveBuildingsOut(problem, coordinates, Self.settings, using: &generator)
    #expect(left.logits.rows == 36)
    #expect(
      (0..<36).allSatisfy { row in
        (2...3).contains(problem.names.buildings.count { left.logits[row, $0] < -1e8 })
      })
    let (pair, few, _) = Self.material(["a", "b"], photos: 8)
    let none = await LeaveBuildingsOut(pair, few, Self.settings, using: &generator)
    #expect(none.logits.rows == 0)
  }

  @Test("the only building is not left out: nothing could then get its name")
  func only() async {
    let (problem, coordinates, _) = Self.material(["_sky", "_street", "a"], photos: 24)
    var generator = SplitMix64(seed: 7)
    let left = await LeaveBuildingsOut(problem, coordinates, Self.settings, using: &generator)
    #expect(left.logits.rows == 0)
  }
}

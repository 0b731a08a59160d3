import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Settings search on a part") struct SettingsSearchPartTests {
  /// Clusters, one a building, as many photos.
  private static func material(
    buildings: Int, photosEach: Int, views: Int = 1, columns: Int, groups: (Int) -> Int = { $0 }
  ) -> (examples: ExampleRows, problem: SettingsSearch.Problem) {
    var generator = SplitMix64(seed: 2)
    let labels = (0..<buildings * photosEach).map { $0 / photosEach }
    let groups = labels.indices.map(groups)
    let centers = generator.matrix(buildings, columns)
    let names = Labels((0..<buildings).map { "b\($0 + 10)" })
    let tensors = labels.map { label in
      let noise = generator.matrix(views, columns)
      let values = noise.values.enumerated().map { centers[label, $0 % columns] + 2 * $1 }
      return SafeTensors.Tensor(floats: values, shape: [views, columns])
    }
    var problem = SettingsSearch.Problem(
      features: Recipe.hog.features,
      views: PhotoViews(counts: labels.map { _ in views }, testView: 0), labels: labels,
      names: names, folds: TrainingScale.bounded.folds(labels, groups, names, seed: 0),
      groups: groups, threads: 1)
    problem.scale = .bounded
    return (ExampleRows(tensors, columns: columns), problem)
  }

  @Test("what was tried tells of the part, what was chosen of all photos")
  func trials() async throws {
    let (examples, problem) = Self.material(buildings: 10, photosEach: 60, columns: 12)
    let search = await SettingsSearch.find(examples, problem, regularization: nil, seed: 0)
    #expect(search.trials.count > 1)
    for trial in search.trials { #expect(trial.isRight.count == 8 * 60) }
    #expect(try #require(search.chosen).isRight.count == 10 * 60)
    #expect(search.trials.map(\.settings).contains(search.settings))
    #expect(search.isOfPart)
    // With nothing to choose all photos are asked at once.
    let given = await SettingsSearch.find(examples, problem, regularization: 3, seed: 0)
    #expect(given.trials.count == 1 && !given.isOfPart)
  }

  @Test("coordinates are the same whether settings are searched or given")
  func coordinates() async {
    // One session: nothing can be held out. More views than a sample has, and more values than directions.
    let (examples, problem) = Self.material(
      buildings: 10, photosEach: 3, views: PrincipalSubspace.mostSampled / 25, columns: 800,
      groups: { _ in 0 })
    let searched = await SettingsSearch.find(examples, problem, regularization: nil, seed: 0)
    let given = await SettingsSearch.find(examples, problem, regularization: 3, seed: 0)
    #expect(problem.sampled(seed: 0).count == 25)
    let first = searched.span.coordinates.selecting(rows: [0, 1])
    #expect(first == given.span.coordinates.selecting(rows: [0, 1]))
  }

  @Test("where no photo of a building is held out nothing is told of settings")
  func nothingHeldOut() async {
    let (examples, material) = Self.material(
      buildings: 3, photosEach: 4, columns: 12, groups: { $0 / 4 })
    var problem = material
    problem.names = Labels(["_sky", "b10", "b11"])
    let groups = [0, 1, 2, 3] + [Int](repeating: 9, count: 8)
    problem.groups = groups
    problem.folds = TrainingScale.bounded.folds(problem.labels, groups, problem.names, seed: 0)
    let search = await SettingsSearch.find(examples, problem, regularization: nil, seed: 0)
    #expect(search.photos == [0, 1, 2, 3] && search.trials.isEmpty)
  }
}

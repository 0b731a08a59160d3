import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Settings search")
struct SettingsSearchTests {
  private static let names = Labels(["_street", "chapel", "tower"])

  private static let fisher: FisherSettings = {
    var settings = FisherSettings.balanced
    settings.components = 8
    settings.hogDimensions = 1
    settings.colorDimensions = 1
    return settings
  }()

  /// The part of the features that identifies labels. The other part identifies lighting. Each label has one session in
  /// each lighting, so a held-out session contradicts its label.
  enum InformativePart { case hog, color, both }

  private static let sessions = (0..<243).map { $0 / 27 }
  private static let labels = sessions.map { $0 % 3 }

  /// Photos with one view; each part has norm 1 before the color weight is applied.
  private static func examples(
    _ informative: InformativePart, weight: Float = FisherSettings.usualColorWeight
  ) -> Matrix {
    var generator = SplitMix64(seed: 17)
    // Large enough for a different color weight to improve accuracy by several standard errors.
    let (signal, light): (Float, Float) =
      switch informative {
      case .hog: (0.4, 4)
      case .color: (1, 2)
      case .both: (3, 0)
      }
    let values = sessions.flatMap { session -> [Float] in
      func part(_ tells: Bool) -> [Float] {
        let group = tells ? session % 3 : session / 3
        return VectorMath.unit(
          (0..<48).map { column in
            generator.normal() + (column % 3 == group ? (tells ? signal : light) : 0)
          })
      }
      let hog = part(informative != .color)
      return VectorMath.unit(hog + part(informative != .hog).map { weight * $0 })
    }
    return Matrix(rows: sessions.count, columns: 96, values: values)
  }

  private static func problem(
    _ features: FeatureSettings, labels: [Int], groups: [Int]? = nil
  ) -> SettingsSearch.Input {
    var generator = SplitMix64(seed: 0)
    return SettingsSearch.Input(
      features: features, views: PhotoViews(counts: labels.map { _ in 1 }, testView: 0),
      labels: labels, names: names,
      folds: Folds(
        labels: labels, groups: groups ?? Array(labels.indices), maximum: 4, using: &generator),
      threads: 2)
  }

  @Test("Candidates start with the preferred settings")
  func candidates() {
    let hog = HOG.candidates(regularization: nil)
    #expect(hog.map(\.regularization) == [100, 1000, 10])
    #expect(hog.allSatisfy { $0.whitening == nil && $0.colorWeight == nil })
    let given = HOG.candidates(regularization: 3.5)
    #expect(given.map(\.regularization) == [3.5])
    let fisher = FisherSettings.candidates(regularization: nil)
    #expect(
      fisher.first
        == ClassifierSettings(
          whitening: 0.3, regularization: 100, colorWeight: 0.35, smoothing: 0.1))
    #expect(Set(fisher.map(\.whitening)) == [0.3, 0.7, nil])
    let strong = FisherSettings.candidates(regularization: 2)
    #expect(strong.map(\.whitening) == [0.3, 0.7, nil])
    #expect(strong.allSatisfy { $0.regularization == 2 && $0.colorWeight == 0.35 })
  }

  @Test(
    "The color weight with the higher accuracy is chosen",
    arguments: [InformativePart.hog, .color])
  func plantedColor(informative: InformativePart) async throws {
    // Fits with label smoothing depend too little on the color weight.
    let candidates = FisherSettings.candidates(regularization: nil).map { setting in
      ClassifierSettings(
        whitening: setting.whitening, regularization: setting.regularization,
        colorWeight: setting.colorWeight)
    }
    let search = await SettingsSearch(
      examples: ExampleRows(Self.examples(informative)),
      input: Self.problem(.fisher(Self.fisher), labels: Self.labels, groups: Self.sessions),
      regularization: nil, candidates: candidates)
    let best: Float = informative == .hog ? 0.2 : 0.5
    #expect(search.settings.colorWeight == best)
    #expect(search.chosen?.settings == search.settings)
    #expect(search.trials.count == 7)
    #expect(search.trials.suffix(2).map(\.settings.colorWeight) == [0.2, 0.5])
    #expect(search.photos == Array(0..<243))
    // Examples are reweighted as if they had been extracted with that color weight.
    let made = Self.examples(informative, weight: best)
    #expect(search.examples.all.largestDifference(to: made) < 1e-6)
    #expect(search.span.coordinates.rows == 243)
    // Color weights are tried with the best whitening and regularization strength.
    let usual = try #require(CrossValidation.best(Array(search.trials.prefix(5)))).settings
    for trial in search.trials.suffix(2) {
      #expect(trial.settings.whitening == usual.whitening)
      #expect(trial.settings.regularization == usual.regularization)
    }
  }

  @Test("The usual color weight is kept without a difference")
  func noDifference() async {
    // Each of the two parts identifies all labels.
    let examples = Self.examples(.both)
    let search = await SettingsSearch(
      examples: ExampleRows(examples),
      input: Self.problem(.fisher(Self.fisher), labels: Self.labels, groups: Self.sessions),
      regularization: nil)
    #expect(search.trials.allSatisfy { $0.accuracy == 1 } && search.trials.count == 7)
    #expect(search.settings == search.trials.first?.settings && search.examples.all == examples)
  }

  @Test("The first HOG strength within one standard error is chosen")
  func hog() async throws {
    var generator = SplitMix64(seed: 31)
    let labels = (0..<90).map { $0 % 3 }
    var examples = generator.matrix(90, 12)
    for (row, label) in labels.enumerated() { examples[row, label] += 1 }
    let problem = Self.problem(Recipe.hog.features, labels: labels)
    let search = await SettingsSearch(
      examples: ExampleRows(examples), input: problem, regularization: nil)
    let validation = await CrossValidation(
      LabeledExamples(
        source: Coordinates(examples), views: problem.views, labels: labels, names: Self.names),
      folds: problem.folds,
      settings: type(of: problem.features.trainable).candidates(regularization: nil),
      threads: 1)
    #expect(search.trials == validation.trials)
    #expect(search.chosen == CrossValidation.best(validation.trials))
    #expect(search.settings == search.chosen?.settings && search.examples.all == examples)
  }

  @Test("Nested logits use the setting chosen by the other folds")
  func nested() async throws {
    var generator = SplitMix64(seed: 33)
    let labels = (0..<60).map { $0 % 3 }
    var examples = generator.matrix(60, 12)
    for (row, label) in labels.enumerated() { examples[row, label] += 0.7 }
    let problem = Self.problem(Recipe.hog.features, labels: labels)
    let candidates = [1e-4, 0.01, 1, 100].map {
      ClassifierSettings(whitening: nil, regularization: $0)
    }
    let search = await SettingsSearch(
      examples: ExampleRows(examples), input: problem, regularization: nil,
      candidates: candidates)
    let nested = try #require(search.nested)
    #expect(nested.folds == search.photos.map { problem.folds.assignment[$0] })
    for fold in 0..<problem.folds.count {
      let others = nested.folds.indices.filter { nested.folds[$0] != fold }
      let accuracies = search.trials.map { trial in
        Double(others.count { trial.isRight[$0] == true })
          / Double(others.count { trial.isRight[$0] != nil })
      }
      let top = try #require(accuracies.max())
      let asked = Double(others.count { search.trials[0].isRight[$0] != nil })
      let error = (top * (1 - top) / asked).squareRoot()
      let best = try #require(accuracies.firstIndex { $0 >= top - error })
      for row in nested.folds.indices where nested.folds[row] == fold {
        #expect(nested.logits.row(row) == search.trials[best].logits.row(row))
      }
    }
  }

  @Test("The first setting is used if no photo can be held out")
  func nothingHeldOut() async {
    let labels = [0, 1, 2, 1]
    let examples = Self.examples(.hog).selecting(rows: Array(labels.indices))
    for regularization in [nil, 7.0] {
      let search = await SettingsSearch(
        examples: ExampleRows(examples),
        input: Self.problem(.fisher(Self.fisher), labels: labels, groups: [0, 1, 2, 1]),
        regularization: regularization)
      #expect(
        search.settings
          == ClassifierSettings(
            whitening: 0.3, regularization: regularization ?? 100, colorWeight: 0.35,
            smoothing: 0.1))
      #expect(search.trials.isEmpty && search.chosen == nil && search.photos.isEmpty)
      #expect(search.examples.all == examples)
    }
  }

  @Test("One setting yields logits if only backgrounds are held out")
  func onlyBackgroundHeldOut() async throws {
    let labels = [0, 0, 0, 1, 2, 1]
    let examples = Self.examples(.hog).selecting(rows: Array(labels.indices))
    let problem = Self.problem(.fisher(Self.fisher), labels: labels, groups: [0, 1, 2, 3, 4, 3])
    #expect(!problem.canChoose)
    let search = await SettingsSearch(
      examples: ExampleRows(examples), input: problem, regularization: nil)
    #expect(search.trials.isEmpty && search.photos == [0, 1, 2])
    #expect(try #require(search.chosen).logits.rows == 3)
    #expect(search.settings.regularization == 100 && search.settings.colorWeight == 0.35)
    #expect(search.recall(labels: labels, names: Self.names).isEmpty)
  }

  @Test("Reweighted features match an extractor with that weight")
  func reweighted() async throws {
    let folder = try TemporaryFolder()
    for (kind, label) in zip(Pictures.Kind.allCases, ["a", "b"]) {
      for number in 1...2 {
        try folder.write(
          try Pictures.jpeg(kind, seed: UInt64(number)), to: "\(label)/\(number).jpg")
      }
    }
    var settings = Self.fisher
    settings.sides = [64, 48]
    settings.hogDimensions = 6
    settings.colorDimensions = 4
    var trainer = Trainer()
    trainer.recipe = .fisher(settings)
    trainer.addsDrawnNegatives = false
    let model = try await trainer.train(on: try PhotoSet(root: folder.path).photos).model
    let photo = try model.recipe.decode(
      PhotoDecoder().open(Pictures.jpeg(.noise, seed: 9)))
    let picture = model.recipe.prepare(photo, geometry: .squash)
    func features(_ weight: Float) throws -> Matrix {
      let values = try model.extractor.weighing(color: weight).features(of: picture)
      return Matrix(rows: 1, columns: values.count, values: values)
    }
    for (old, new) in [(0.35, 0.2), (0.35, 0.5), (1, 0), (0.1, 3)] as [(Float, Float)] {
      let found = settings.reweighted(ExampleRows(try features(old)), from: old, to: new).all
      #expect(found.largestDifference(to: try features(new)) < 1e-6)
    }
  }

  @Test("Zero features stay zero when reweighted")
  func zeros() {
    let zeros = Matrix(rows: 2, columns: 96)
    #expect(Self.fisher.reweighted(ExampleRows(zeros), from: 0.35, to: 0.5).all == zeros)
  }
}

@Suite("Settings search on a part") struct SettingsSearchPartTests {
  private static func material(
    buildings: Int, photosEach: Int, views: Int = 1, columns: Int, groups: (Int) -> Int = { $0 }
  ) -> (examples: ExampleRows, problem: SettingsSearch.Input) {
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
    var problem = SettingsSearch.Input(
      features: Recipe.hog.features,
      views: PhotoViews(counts: labels.map { _ in views }, testView: 0), labels: labels,
      names: names, folds: TrainingScale.bounded.folds(labels, groups, names, seed: 0),
      groups: groups, threads: 1)
    problem.scale = .bounded
    return (ExampleRows(tensors, columns: columns), problem)
  }

  @Test("Trials use a part of the photos, the final fit all of them")
  func trials() async throws {
    let (examples, problem) = Self.material(buildings: 10, photosEach: 60, columns: 12)
    let search = await SettingsSearch.find(examples, problem, regularization: nil, seed: 0)
    #expect(search.trials.count > 1)
    for trial in search.trials { #expect(trial.isRight.count == 8 * 60) }
    #expect(try #require(search.chosen).isRight.count == 10 * 60)
    #expect(search.trials.map(\.settings).contains(search.settings))
    #expect(search.isOfPart)
    // A given setting is validated on all photos.
    let given = await SettingsSearch.find(examples, problem, regularization: 3, seed: 0)
    #expect(given.trials.count == 1 && !given.isOfPart)
  }

  @Test("Coordinates do not depend on the search")
  func coordinates() async {
    // There is only one session, so nothing is held out. There are more views than in a sample, and more values than
    // directions.
    let (examples, problem) = Self.material(
      buildings: 10, photosEach: 3, views: PrincipalSubspace.mostSampled / 25, columns: 800,
      groups: { _ in 0 })
    let searched = await SettingsSearch.find(examples, problem, regularization: nil, seed: 0)
    let given = await SettingsSearch.find(examples, problem, regularization: 3, seed: 0)
    #expect(problem.sampled(seed: 0).count == 25)
    let first = searched.span.coordinates.selecting(rows: [0, 1])
    #expect(first == given.span.coordinates.selecting(rows: [0, 1]))
  }

  @Test("There are no trials if no building photo is held out")
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

@Suite("Settings part")
struct SettingsPartTests {
  private static func part(
    photosEach: Int, buildings: Int, seed: UInt64 = 0
  ) -> (part: SearchSubset, labels: [Int], names: Labels) {
    let names = Labels(["_a", "_b"] + (0..<buildings).map { "c\($0 + 1000)" })
    let labels =
      [Int](repeating: 0, count: 250) + [Int](repeating: 1, count: 30)
      + (0..<buildings * photosEach).map { 2 + $0 / photosEach }
    var generator = SplitMix64(seed: seed)
    return (
      SearchSubset(labelOfPhoto: labels, names: names, using: &generator), labels, names
    )
  }

  @Test("A part has whole buildings and some of each background")
  func wholeBuildings() {
    let (part, labels, names) = Self.part(photosEach: 15, buildings: 240)
    #expect(part.photos == part.photos.sorted())
    let counts = Dictionary(grouping: part.photos, by: { labels[$0] }).mapValues(\.count)
    #expect(counts[0] == 100)
    #expect(counts[1] == 30)
    let buildings = part.labels.filter(names.buildings.contains)
    #expect(buildings.count == 27)
    for building in buildings { #expect(counts[building] == 15) }
    #expect(counts.count == part.labels.count)
  }

  @Test("Buildings with many photos still yield several buildings")
  func fewBuildings() {
    let (part, _, names) = Self.part(photosEach: 300, buildings: 20)
    #expect(part.labels.count(where: names.buildings.contains) == 8)
    #expect(Self.part(photosEach: 900, buildings: 3).part.labels.count == 5)
  }

  @Test("The part is random")
  func randomness() {
    let first = Self.part(photosEach: 15, buildings: 240).part
    #expect(Self.part(photosEach: 15, buildings: 240).part.photos == first.photos)
    #expect(Self.part(photosEach: 15, buildings: 240, seed: 1).part.photos != first.photos)
  }

  @Test("A part's problem has its own views, labels, names and folds")
  func problem() {
    let (part, labels, names) = Self.part(photosEach: 15, buildings: 240)
    var whole = SettingsSearch.Input(
      features: Recipe.hog.features,
      views: PhotoViews(counts: labels.indices.map { 1 + $0 % 2 }, testView: 0), labels: labels,
      names: names,
      folds: TrainingScale.bounded.folds(labels, Array(labels.indices), names, seed: 0),
      groups: Array(labels.indices), threads: 1)
    whole.scale = .bounded
    let own = part.input(of: whole, seed: 0)
    #expect(own.scale == .full)
    #expect(whole.folds.count < 5 && own.folds.count == 5)
    #expect(own.folds.tested == Array(part.photos.indices))
    #expect(own.names.names == part.labels.map { names.names[$0] })
    for (number, photo) in part.photos.enumerated() {
      #expect(own.names.names[own.labels[number]] == names.names[labels[photo]])
      #expect(own.groups[number] == whole.groups[photo])
      #expect(own.views.rows(of: number).count == whole.views.rows(of: photo).count)
    }
  }
}

@Suite("Training scale")
struct TrainingScaleTests {
  @Test("Training is bounded above a photo count")
  func threshold() {
    #expect(TrainingScale(photos: TrainingScale.mostPhotosInFull) == .full)
    #expect(TrainingScale(photos: TrainingScale.mostPhotosInFull + 1) == .bounded)
  }

  @Test("All views are plain and mirrored; drawn photos are not mirrored")
  func allViews() {
    let views = TrainingViews.all.views(of: .balanced, isDrawn: false)
    #expect(views.map(\.geometry) == [.squash, .centerCrop, .squash, .centerCrop])
    #expect(views.map(\.isMirrored) == [false, false, true, true])
    #expect(TrainingViews.all.views(of: .balanced, isDrawn: true) == Array(views.prefix(2)))
    #expect(TrainingViews.all.views(of: .hog, isDrawn: false).count == 6)
  }

  @Test("Single views never mirror the test view")
  func onceViews() {
    let views = TrainingViews.once.views(of: .balanced, isDrawn: false)
    #expect(views.map(\.geometry) == [.squash, .centerCrop])
    #expect(views.map(\.isMirrored) == [false, true])
    var turned = Recipe.balanced
    turned.geometry = .centerCrop
    #expect(turned.testView == 1)
    #expect(
      TrainingViews.once.views(of: turned, isDrawn: false).map(\.isMirrored) == [true, false])
    #expect(
      TrainingViews.once.views(of: .balanced, isDrawn: true).allSatisfy { !$0.isMirrored })
    #expect(
      TrainingViews.once.views(of: .hog, isDrawn: false)
        == TrainingViews.all.views(of: .hog, isDrawn: false))
  }

  @Test("Bounded training has only the folds that calibration needs")
  func folds() {
    let labels = (0..<4000).map { $0 / 10 }
    let names = Labels((0..<400).map { "b\($0 + 100)" })
    let groups = Array(labels.indices)
    let full = TrainingScale.full.folds(labels, groups, names, seed: 1)
    #expect(full.count == 5)
    #expect(full.tested == Array(labels.indices))
    let bounded = TrainingScale.bounded.folds(labels, groups, names, seed: 1)
    #expect(bounded.count == 2)
    #expect(bounded.tested.count >= TrainingScale.enoughHeldOut)
    for photo in labels.indices {
      let fold = full.assignment[photo]
      #expect(bounded.assignment[photo] == (fold == 0 || fold == 1 ? fold : nil))
    }
  }
}

import CupolaTestSupport
import Foundation
import Testing

@testable import Cupola

@Suite("Explainer") struct ExplainerTests {
  private static func gap(_ explanation: Explanation) -> Double {
    abs(explanation.map.total + explanation.biasDifference - explanation.logitDifference)
  }

  private static func hogModel() throws -> Model {
    let weights = SampleFisher.matrix(
      3, SampleModel.recipe.featureCount, in: -9...9, seed: 3)
    return try SampleModel.model(weights: weights)
  }

  private static func fullHOGModel() -> Model {
    Model(
      recipe: .hog, extractor: FeatureExtractor(hog: .standard), labels: Labels(["a", "b", "_c"]),
      classifier: .softmax(
        LinearClassifier(
          weights: SampleFisher.matrix(3, Recipe.hog.featureCount, in: -9...9, seed: 8),
          biases: [0.3, -2, 1])),
      calibration: .identity, campus: nil, provenance: SampleFisher.model().provenance)
  }

  @Test("Shares and biases sum to the logit difference")
  func sums() throws {
    for model in [try Self.hogModel(), Self.fullHOGModel(), SampleFisher.model()] {
      for seed in 0..<8 as Range<UInt64> {
        let image = RGBImage.random(50 + Int(seed), 70, seed: seed)
        for (label, against) in [(0, 1), (1, 2), (2, 0)] {
          let names = model.labels.names
          let explanation = try Explainer(model: model).explain(
            image, label: names[label], against: names[against])
          #expect(Self.gap(explanation) < 1e-4)
          let input = model.recipe.prepare(image, geometry: model.recipe.geometry)
          let logits = model.classifier.logits(try model.extractor.features(of: input))
          #expect(
            abs(explanation.logitDifference - Double(logits[label] - logits[against])) < 1e-5)
          #expect(abs(explanation.map.total) > 1e-3)
        }
      }
    }
  }

  private static let sampleModel = Repository.root
    .appending(path: "Models/sample-campus.safetensors")

  @Test(
    "Shares sum to the logit difference on the sample campus",
    .enabled(if: Repository.exists(sampleModel)))
  func samplePhotos() throws {
    let model = try Model(contentsOf: Self.sampleModel.path)
    for name in ["founders_hall/13.jpg", "chapel/14.jpg", "_not_a_building/03.jpg"] {
      let file = Repository.root.appending(path: "TrainingData/\(name)")
      let photo = try PhotoDecoder().open(contentsOf: file)
      let explanation = try Explainer(model: model).explain(photo)
      #expect(Self.gap(explanation) < 1e-4)
    }
  }

  @Test(
    "Shares sum to the logit difference on real photos",
    .enabled(if: RealPhotos.isPresent, RealPhotos.missing),
    .enabled(if: Repository.exists(sampleModel)),
    arguments: ["vyronas/building01", "notredame/knott_hall", "koe/oddai", "poznan/uam"])
  func realPhotos(place: String) throws {
    let folder = try #require(RealPhotos.folder).appending(path: place)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    for model in [try Model(contentsOf: Self.sampleModel.path), Self.fullHOGModel()] {
      for name in names.prefix(4) {
        let photo = try PhotoDecoder().open(contentsOf: folder.appending(path: name))
        let explanation = try Explainer(model: model).explain(photo)
        #expect(Self.gap(explanation) < 1e-4)
        #expect(explanation.map.magnitude > 0.1)
        let areas = ImageArea.allCases.compactMap { explanation.share(of: $0) }
        #expect(abs(areas.reduce(0, +) - 1) < 1e-9)
      }
    }
  }

  @Test("By default, the best building is compared with the rejection or the best other building")
  func labels() throws {
    let explainer = Explainer(model: try SampleModel.model())
    let hall = try explainer.explain(PhotoDecoder().open(SampleModel.photo(.hall)))
    #expect(hall.label == "hall" && hall.against == "tower" && hall.logitDifference > 0)
    let slanting = try explainer.explain(PhotoDecoder().open(SampleModel.photo(.slanting)))
    #expect(!Labels.isBackground(slanting.label) && slanting.against == "_slanting")
    #expect(slanting.logitDifference < 0 && slanting.probability < slanting.againstProbability)
    let asked = try explainer.explain(
      PhotoDecoder().open(SampleModel.photo(.hall)), label: "tower", against: "_slanting")
    #expect(asked.label == "tower" && asked.against == "_slanting")
    let turned = try explainer.explain(
      PhotoDecoder().open(SampleModel.photo(.hall)), label: "tower")
    #expect(turned.against == "hall")
    #expect(turned.logitDifference == -hall.logitDifference)
    #expect(zip(turned.map.values, hall.map.values).allSatisfy { abs($0 + $1) < 1e-12 })
    #expect(turned.probability == hall.againstProbability)
  }

  @Test("A lower error rate explains more rejections")
  func maximumError() throws {
    // The odds of a non-building photo were as high as those of buildings.
    var model = try SampleModel.model()
    model.calibration = Calibration(
      temperature: 1, notBuildings: ErrorCurve(photos: 99, wrong: [100]),
      wrongNames: ErrorCurve(photos: 99, wrong: []))
    let photo = try PhotoDecoder().open(SampleModel.photo(.hall))
    #expect(try Explainer(model: model).explain(photo).against == "tower")
    let strict = try Explainer(model: model, maximumError: 0.01).explain(photo)
    #expect(strict.label == "hall" && strict.against == "_slanting")
  }

  @Test("A novelty detector's evidence sums to the logit difference, too")
  func novelty() throws {
    let detailed = try SampleModel.model()
    let features = detailed.recipe.featureCount
    let directions = SampleFisher.matrix(2, features, in: -1...1, seed: 5)
    let weights = SampleFisher.matrix(4, features, in: -9...9, seed: 3)
    let model = Model(
      recipe: detailed.recipe, extractor: detailed.extractor,
      labels: Labels(["hall", "tower", "_slanting", Labels.unfamiliar]),
      classifier: .softmax(LinearClassifier(weights: weights, biases: [0, 0, 0, 0])),
      novelty: NoveltyDetector(directions: directions, intercept: -9, slope: 4),
      calibration: Calibration(temperature: 2), campus: nil, provenance: detailed.provenance)
    let image = RGBImage.random(64, 64, seed: 2)
    let explanation = try Explainer(model: model).explain(image)
    #expect(explanation.against == Labels.unfamiliar && explanation.logitDifference < 0)
    #expect(Self.gap(explanation) < 1e-4 && explanation.map.magnitude > 0.1)
    let turned = try Explainer(model: model).explain(
      image, label: Labels.unfamiliar, against: explanation.label)
    #expect(Self.gap(turned) < 1e-4 && turned.logitDifference == -explanation.logitDifference)
    #expect(zip(turned.map.values, explanation.map.values).allSatisfy { abs($0 + $1) < 1e-9 })
  }

  @Test("The strongest part is where the evidence is densest, not where its sum is largest")
  func densestPart() {
    let full = UnitRect(x: 0, y: 0, width: 1, height: 1)
    func part(_ spots: [(share: Double, extent: UnitRect)]) -> [Int]? {
      var map = EvidenceMap(columns: 32, rows: 32)
      for spot in spots { map.add(spot.share, over: spot.extent) }
      return Explanation(
        label: "a", against: "b", probability: 1, againstProbability: 0, logitDifference: 0,
        biasDifference: 0, map: map, region: full, areas: [], cells: nil, match: nil
      ).strongestPart.map { [$0.column, $0.row] }
    }
    let topRight = UnitRect(x: 0.67, y: 0, width: 0.33, height: 0.33)
    let left = UnitRect(x: 0.2, y: 0.45, width: 0.1, height: 0.1)
    #expect(part([(3, topRight), (2, left)]) == [0, 1])
    #expect(part([(3, topRight)]) == [2, 0] && part([(-3, left)]) == nil)
  }

  @Test("The strongest part is on the side with evidence for the label")
  func strongestPart() throws {
    let image = RGBImage.gray(64, 64) { x, y in ((x < 32 ? x : y) / 8).isMultiple(of: 2) ? 60 : 200
    }
    let explainer = Explainer(model: try SampleModel.model())
    let hall = try explainer.explain(image, label: "hall", against: "tower")
    #expect(hall.strongestPart?.column == 0)
    let tower = try explainer.explain(image, label: "tower", against: "hall")
    #expect(tower.strongestPart?.column == 2)
    let fog = try explainer.explain(PhotoDecoder().open(SampleModel.photo(.fog)))
    #expect(fog.strongestPart == nil)
  }

  @Test("Labels that cannot be compared throw")
  func badLabels() throws {
    let explainer = Explainer(model: try SampleModel.model())
    let photo = try PhotoDecoder().open(SampleModel.photo(.hall))
    #expect(throws: CupolaError.unknownLabel("hal\nl")) {
      try explainer.explain(photo, label: "hal\nl")
    }
    #expect(throws: CupolaError.unknownLabel("")) {
      try explainer.explain(photo, against: "")
    }
    #expect(throws: CupolaError.noOtherLabel("hall")) {
      try explainer.explain(photo, against: "hall")
    }
  }

  @Test("A photo without edges has no evidence")
  func fog() throws {
    let explanation = try Explainer(model: try SampleModel.model())
      .explain(PhotoDecoder().open(SampleModel.photo(.fog)))
    #expect(explanation.map.magnitude == 0 && explanation.share(of: .sky) == nil)
    #expect(!explanation.isSuspicious && Self.gap(explanation) < 1e-6)
    let fisher = try Explainer(model: SampleFisher.model()).explain(
      .gray(40, 40) { _, _ in 128 })
    #expect(fisher.map.magnitude == 0 && Self.gap(fisher) < 1e-6)
  }

  @Test("Evidence lies where the photo differs")
  func place() throws {
    // Vertical edges on the left are evidence for the hall; horizontal ones on the right are against it.
    let image = RGBImage.gray(64, 64) { x, y in ((x < 32 ? x : y) / 8).isMultiple(of: 2) ? 60 : 200
    }
    let explanation = try Explainer(model: try SampleModel.model())
      .explain(image, label: "hall", against: "tower")
    let map = explanation.map
    #expect(map.columns == 2 && map[0, 0] > 0 && map[1, 0] < 0 && map[0, 1] > 0 && map[1, 1] < 0)
    #expect(explanation.cells?.columns == 2)
  }

  @Test("Patch shares agree with the effect of hiding patches")
  func withoutPatches() throws {
    let model = try Model(contentsOf: Self.sampleModel.path)
    guard case .fisher(let fisher) = model.extractor else {
      Issue.record("not a Fisher model")
      return
    }
    let file = Repository.root.appending(path: "TrainingData/founders_hall/13.jpg")
    let image = try model.recipe.decode(PhotoDecoder().open(FileAccess.read(file.path)))
    let input = model.recipe.prepare(image, geometry: model.recipe.geometry)
    let explanation = try Explainer(model: model).explain(image)
    let names = model.labels.names
    let pair = [explanation.label, explanation.against].compactMap { names.firstIndex(of: $0) }
    try #require(pair.count == 2)
    let patches = fisher.settings.patches(of: input).counting
    let side = 4
    func part(_ place: SIMD2<Float>) -> Int {
      let x = min(Int((place.x + 0.5) * Float(side)), side - 1)
      return min(Int((place.y + 0.5) * Float(side)), side - 1) * side + x
    }
    var (lost, shares) = ([Double](), [Double]())
    for hidden in 0..<side * side {
      let left = patches.selecting(
        patches.places.indices.filter { part(patches.places[$0]) != hidden })
      let logits = model.classifier.logits(fisher.features(of: left))
      lost.append(explanation.logitDifference - Double(logits[pair[0]] - logits[pair[1]]))
      let size = explanation.map.columns / side
      shares.append(
        (0..<size * size).reduce(0) { sum, cell in
          sum
            + explanation.map[
              hidden % side * size + cell % size, hidden / side * size + cell / size]
        })
    }
    #expect(Self.correlation(lost, shares) > 0.7)
  }

  private static func correlation(_ a: [Double], _ b: [Double]) -> Double {
    func centered(_ values: [Double]) -> [Double] {
      let mean = values.reduce(0, +) / Double(values.count)
      return values.map { $0 - mean }
    }
    func product(_ a: [Double], _ b: [Double]) -> Double {
      zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
    }
    let (x, y) = (centered(a), centered(b))
    return product(x, y) / (product(x, x) * product(y, y)).squareRoot()
  }
}

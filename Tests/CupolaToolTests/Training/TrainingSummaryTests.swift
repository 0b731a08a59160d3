import Cupola
import Testing

@testable import CupolaTool
@testable import CupolaTraining

@Suite("Training summary")
struct TrainingSummaryTests {
  private static func result(
    buildings: Int = 2, trials: [TrainingResult.Trial] = [], chosen: TrainingResult.Trial? = nil,
    searchesSubset: Bool = false, calibration: Calibration = Calibration(temperature: 1),
    recall: [String: Provenance.Recall] = [:], photos: [String: Int] = [:],
    heldOut: HeldOutAnswers? = nil
  ) -> TrainingResult {
    let labels = (0..<buildings).map { "hall\($0 + 1_000)" }
    let model = Model(
      recipe: .hog, extractor: FeatureExtractor(hog: .standard), labels: Labels(labels),
      classifier: .softmax(
        LinearClassifier(
          weights: Matrix(rows: labels.count, columns: Recipe.hog.featureCount),
          biases: [Float](repeating: 0, count: labels.count))),
      calibration: calibration, campus: nil,
      provenance: Provenance(
        version: "0", dataDigest: "00ff",
        photos: Dictionary(uniqueKeysWithValues: labels.map { ($0, 1) }).merging(photos) { $1 },
        seed: 0,
        regularization: 10, kernel: "none", recall: recall))
    return TrainingResult(
      model: model, skipped: [], faults: [], converged: true, iterations: 1, trials: trials,
      chosen: chosen, heldOut: heldOut, reused: 0, described: buildings, changedAnswers: nil,
      searchesSubset: searchesSubset)
  }

  private static func text(_ result: TrainingResult) -> String {
    TrainingSummary(
      result, material: TrainingMaterial(), from: "photos", update: nil, path: "m.safetensors",
      size: 1, digest: "00ff"
    ).text(verbose: true)
  }

  private static func trial(loss: Double) -> TrainingResult.Trial {
    TrainingResult.Trial(
      CrossValidation.Trial(
        settings: ClassifierSettings(whitening: nil, regularization: 10),
        logits: Matrix(rows: 1, columns: 2), classifiers: [], isRight: [true], loss: loss))
  }

  @Test("A huge number of buildings changes the classifier note")
  func manyBuildings() {
    let most = ClassifierKind.mostInSoftmax
    #expect(
      Self.text(Self.result(buildings: most)).contains(
        "classifier: softmax (default for up to \(most) buildings; rejects unknown ones better)\n"
      ))
    #expect(
      Self.text(Self.result(buildings: most + 1)).contains(
        "classifier: softmax (requested, or too few photos to try retrieval)\n"))
  }

  @Test("The final figures are printed if trials used a part")
  func part() {
    func text(_ loss: Double, searchesSubset: Bool) -> String {
      Self.text(
        Self.result(
          trials: [Self.trial(loss: 0.5)], chosen: Self.trial(loss: loss),
          searchesSubset: searchesSubset))
    }
    let words = "chosen settings on all held-out photos: accuracy 100.0%, loss 0.5000\n"
    #expect(text(0.5, searchesSubset: true).contains(words))
    #expect(!text(0.5, searchesSubset: false).contains("on all held-out photos"))
    #expect(!text(0.4, searchesSubset: false).contains("on all held-out photos"))
  }

  private static func heldOut(
    right: Int, unsure: Int = 0, rejected: Int = 0, strictRight: Int = 0
  ) -> HeldOutAnswers {
    func counts(_ right: Int, _ rejected: Int) -> Evaluation.VerdictCounts {
      let kinds = [
        (Recognition.Verdict.building, right), (.unsure, unsure), (.notACampusBuilding, rejected),
      ]
      return Evaluation.VerdictCounts(kinds.flatMap { Array(repeating: ($0, true), count: $1) })
    }
    return HeldOutAnswers(
      known: counts(right, rejected),
      strict: HeldOutAnswers.strictRates.map { _ in
        counts(strictRight, rejected + right - strictRight)
      })
  }

  @Test("The summary states what was learned, the expected quality and weak spots")
  func brief() {
    func text(
      _ buildings: [String: (right: Int, photos: Int)], photos: [String: Int] = [:],
      isMeasured: Bool = true
    ) -> String {
      var heldOut = Self.heldOut(right: 3, unsure: 1, rejected: 1)
      heldOut.byBuilding = buildings.mapValues {
        Self.heldOut(right: $0.right, rejected: $0.photos - $0.right).known
      }
      let recall = buildings.mapValues { Provenance.Recall(right: $0.photos, asked: $0.photos) }
      return TrainingSummary(
        Self.result(
          buildings: 3, chosen: isMeasured ? Self.trial(loss: 0.5) : nil, recall: recall,
          photos: photos, heldOut: heldOut),
        material: TrainingMaterial(), from: "photos", update: nil, path: "m.safetensors",
        size: 1, digest: "00ff"
      ).text(verbose: false)
    }
    #expect(
      text(["hall1000": (2, 2), "hall1001": (1, 3)]) == """
        trained on 3 photos of 3 buildings, 0 non-building photos
        expected: 3 right, 0 wrong, 1 unsure, 1 rejected of 5 training photos of 2 of 3 buildings. This is a rough estimate: each answer is from the image alone, by a model trained with fewer photos, without the photo's session. cupola evaluate measures the accuracy with other photos. Capture times are missing, so expect less on other days.
        weak spots (less than 90.0% right): hall1001 (1 of 3 right)
        model m.safetensors, 1 bytes
        next: cupola classify m.safetensors PHOTO, or cupola evaluate m.safetensors FOLDER with photos from another day
        """)
    // A building is weak if fewer than 90% of its photos get its name.
    #expect(!text(["hall1000": (9, 10)]).contains("weak spots"))
    #expect(
      text([:], isMeasured: false).contains(
        "\nexpected: unknown until cupola evaluate, because too few buildings have training photos from two sessions\n"
      ))
  }

  @Test("Wrong names above the error rate are explained")
  func excess() {
    func text(wrong: Int) -> String {
      let answers = (0..<20).map { (verdict: Recognition.Verdict.building, isRight: $0 >= wrong) }
      return Self.text(
        Self.result(
          chosen: Self.trial(loss: 0.5),
          heldOut: HeldOutAnswers(known: Evaluation.VerdictCounts(answers), strict: [])))
    }
    #expect(
      text(wrong: 2).contains(
        " 10.0% of the photos get a wrong name, but at most 5.0% on average over sessions, in which large and "
          + "small sessions count equally."))
    #expect(!text(wrong: 1).contains("on average over sessions"))
  }

  @Test("The name threshold is printed if it prevents many names")
  func nameThreshold() {
    func line(
      below: Int, right: Int = 2, strictRight: Int = 0, score: Double? = 0.91
    ) -> String? {
      var heldOut = Self.heldOut(right: 12, unsure: 5, rejected: 3, strictRight: strictRight)
      heldOut.belowShare = (below, right)
      let calibration = Calibration(
        temperature: 1, wrongNames: ErrorCurve(photos: 19, wrong: [score].compactMap(\.self)))
      return Self.text(
        Self.result(chosen: Self.trial(loss: 0.5), calibration: calibration, heldOut: heldOut)
      ).split(separator: "\n").first { $0.hasPrefix("name threshold") }.map(String.init)
    }
    let words =
      "name threshold: a name requires 91.0% of the probability of all buildings together; 3 of these photos have less, "
      + "2 of them with the right first guess; photos from more sessions lower the threshold"
    #expect(line(below: 2) == nil)
    #expect(line(below: 3) == words)
    #expect(
      line(below: 3, strictRight: 15) == words
        + ", and so does cupola classify --max-error 0.05 (15 right, 0 wrong)")
    #expect(line(below: 3, score: 0.99988)?.contains(" requires 99.99% of ") == true)
    #expect(line(below: 3, score: 0.999999)?.contains(" requires 99.9999% of ") == true)
    #expect(line(below: 3, score: 1) == nil)
    let none = line(below: 0, score: nil)
    #expect(none?.hasPrefix("name threshold: none, because no more than 5.0% of held-out") == true)
  }

  @Test(
    "The suggested error rate can be guaranteed, and its effect is given",
    arguments: zip(
      [(100, 0.05), (12, 0.1), (5, 0.2)],
      [
        (4, "only 4 then get the right name, instead of 9"),
        (9, "9 get the right name with and without it"),
        (10, "10 then get the right name, instead of 9"),
      ]))
  func strictness(_ limit: (photos: Int, error: Double), _ effect: (right: Int, text: String)) {
    let (photos, error) = limit
    let calibration = Calibration(
      temperature: 1, notBuildings: ErrorCurve(photos: photos, wrong: []),
      unknownBuildings: ErrorCurve(
        photos: photos, wrong: [Double](repeating: 3, count: (photos + 1) / 2)),
      wrongNames: ErrorCurve(photos: photos, wrong: []))
    let heldOut = Self.heldOut(right: 9, rejected: 1, strictRight: effect.right)
    let told = TrainingWarnings(
      Self.result(calibration: calibration, heldOut: heldOut), TrainingMaterial()
    ).all.first { $0.hasPrefix("expect wrong names for buildings that are not in the model: ") }
    let reason = error == 0.05 ? "" : " (training held out too few photos to guarantee less)"
    #expect(
      told?.hasSuffix(
        ". The option --max-error \(error) of classify, evaluate and export limits such names: on average, at most "
          + "\(100 * error)% of their photos and at most \(100 * error)% of non-building photos get a name\(reason). Of 10 held-out photos of your buildings, \(effect.text)"
      ) == true,
      "\(told ?? "")")
    // An option that allows more names than the default is no help.
    var few = calibration
    few.unknownBuildings = ErrorCurve(photos: photos, wrong: [3])
    let warnings = TrainingWarnings(
      Self.result(calibration: few, heldOut: heldOut), TrainingMaterial()
    ).all
    #expect(!warnings.contains { $0.contains("--max-error") })
  }

  @Test("A model that names nothing causes a warning")
  func nothingNamed() {
    var calibration = Calibration(
      temperature: 1, wrongNames: ErrorCurve(photos: 19, wrong: [1]), falseRejectionRate: 1)
    func told() -> [String] {
      TrainingWarnings(Self.result(calibration: calibration), TrainingMaterial()).all
    }
    #expect(told().contains { $0.hasPrefix("no photo gets a name: held-out photos got a wrong") })
    #expect(!told().contains { $0.contains("were rejected as") })
    calibration.wrongNames = nil
    #expect(!told().contains { $0.contains("no photo gets a name") })
    #expect(told().contains { $0.contains("were rejected as") })
  }

  @Test("A building with a name for non-building photos is reported with the name to use")
  func backgroundName() {
    func told(_ label: String, isListed: Bool = false) -> [String] {
      var photo = LabeledPhoto(contents: [], name: "1.jpg", label: label)
      photo.isListed = isListed
      let material = TrainingMaterial(photos: [photo])
      return TrainingWarnings(Self.result(photos: [label: 12]), material).all
        .filter { $0.contains("name for non-building photos") }
    }
    #expect(
      told("Other") == [
        "Other was trained as a building, although it is a name for non-building photos; unless Other is a building, "
          + "rename its folder to _Other"
      ])
    #expect(told("Other", isListed: true)[0].hasSuffix("change its label in the table to _Other"))
    #expect(told("other_hall").isEmpty && told("_other").isEmpty)
  }

  @Test("Photos of other buildings count as non-building photos")
  func otherBuildings() {
    let photos = ["_other_buildings": 4, "_street": 5]
    #expect(
      Self.text(Self.result(photos: photos)).hasPrefix(
        "trained on 2 photos of 2 buildings, 9 non-building photos, 4 of them in _other_buildings\n"
      ))
    #expect(
      Self.text(Self.result(photos: ["_other_buildings": 4])).hasPrefix(
        "trained on 2 photos of 2 buildings, 4 non-building photos, all in _other_buildings\n"))
  }

  @Test("A known building with only test photos is not unknown")
  func onlyTested() {
    let material = TrainingMaterial(onlyTested: ["hall1000", "tower"])
    let told = TrainingWarnings(Self.result(), material).all.filter { $0.contains("test photos") }
    #expect(told == ["tower has only test photos and counts as an unknown building"])
  }
}

@Suite("Default classifier of cupola train")
struct TrainClassifierTests {
  @Test("Options of softmax select softmax")
  func softmax() {
    func asked(
      _ named: ClassifierKind? = nil, regularization: Double? = nil, weights: WeightFormat? = nil
    ) -> ClassifierKind? {
      Train.askedClassifier(named, regularization: regularization, weights: weights)
    }
    #expect(asked() == nil)
    #expect(asked(weights: .float16) == nil)
    #expect(asked(weights: .int8) == .softmax)
    #expect(asked(weights: .float32) == .softmax)
    #expect(asked(regularization: 10) == .softmax)
    #expect(asked(.retrieval, weights: .float16) == .retrieval)
  }
}

import Cupola
import CupolaTraining

/// What `cupola train` tells of its work: schema `cupola.training/1`.
struct TrainingSummary: Encodable {
  struct Skipped: Encodable {
    let photo: String
    let message: String
  }

  struct Trial: Encodable {
    let whitening: Double?
    let regularisation: Double
    let colourWeight: Float?
    let accuracy: Double
    let loss: Double

    private enum CodingKeys: String, CodingKey {
      case whitening, regularisation, accuracy, loss
      case colourWeight = "colour_weight"
    }
  }

  let schema = "cupola.training/1"
  let model: String
  let bytes: Int
  let sha256: String
  /// Photos that trained, by label.
  let labels: [String: Int]
  let photos: Int
  let heldBack: Int
  let skipped: [Skipped]
  let converged: Bool
  let iterations: Int
  let regularisation: Double
  let whitening: Double?
  let temperature: Double
  let colourWeight: Float?
  let leastShare: Double
  let falseRejectionRate: Double?
  let crossValidation: [Trial]
  let featuresReused: Int
  let featuresComputed: Int
  /// How the model file stores the weights.
  let weights: WeightFormat
  let answersChanged: AnswersChanged?
  let update: UpdateSummary?
  let warnings: [String]

  /// By fewer bits a weight, on photos that the fits did not see.
  struct AnswersChanged: Encodable {
    let changed: Int
    let asked: Int
  }

  private enum CodingKeys: String, CodingKey {
    case schema, model, bytes, sha256, labels, photos, skipped, converged, iterations
    case regularisation, whitening, temperature, weights, update, warnings
    case colourWeight = "colour_weight"
    case leastShare = "least_share"
    case falseRejectionRate = "false_rejection_rate"
    case heldBack = "held_back"
    case crossValidation = "cross_validation"
    case featuresReused = "features_reused"
    case featuresComputed = "features_computed"
    case answersChanged = "answers_changed_by_weights"
  }

  init(
    _ result: TrainingResult, material: TrainingMaterial, update: UpdateSummary?, path: String,
    size: Int, digest: String
  ) {
    model = path
    bytes = size
    sha256 = digest
    labels = result.model.provenance.photos
    photos = labels.values.reduce(0, +)
    heldBack = material.heldBack
    skipped = (material.skipped + result.skipped).map {
      Skipped(photo: $0.name, message: $0.message)
    }
    converged = result.converged
    iterations = result.iterations
    regularisation = result.model.provenance.regularisation
    whitening = result.model.provenance.whitening
    temperature = result.model.calibration.temperature
    colourWeight = result.model.recipe.colourWeight
    let point = OperatingPoint(result.model.calibration)
    leastShare = max(0, point.leastShare)
    falseRejectionRate = result.model.calibration.falseRejectionRate
    crossValidation = result.trials.map {
      Trial(
        whitening: $0.settings.whitening, regularisation: $0.settings.regularisation,
        colourWeight: $0.settings.colourWeight, accuracy: $0.accuracy, loss: $0.loss)
    }
    featuresReused = result.reused
    featuresComputed = result.described
    weights = result.model.weightFormat
    answersChanged = result.changedAnswers.map {
      AnswersChanged(changed: $0.changed, asked: $0.asked)
    }
    self.update = update
    warnings = (update?.warnings ?? []) + Self.warnings(result, material, labels)
  }

  private static let fewPhotos = 5

  private static func warnings(
    _ result: TrainingResult, _ material: TrainingMaterial, _ labels: [String: Int]
  ) -> [String] {
    var warnings: [String] = []
    for (label, count) in labels.sorted(by: { $0.key < $1.key }) where count < fewPhotos {
      warnings.append(
        "\(label) has \(FigureText.count(count, "photo")); take at least \(fewPhotos), on two days")
    }
    let names = result.model.labels
    if names.backgrounds.allSatisfy({ names.names[$0] == DrawnPhotos.label }) {
      warnings.append(
        "no photos of things that are no buildings; with --negatives the answer "
          + "\"Not a Campus Building\" becomes better")
    }
    if result.trials.isEmpty {
      warnings.append(
        "no label has photos of two sessions: probabilities are not calibrated and no error of names "
          + "can be promised")
    }
    let point = OperatingPoint(result.model.calibration)
    if let curve = result.model.calibration.notBuildings {
      let named = curve.scores.count { $0 >= point.leastOdds }
      if Double(named) > point.maximumError * Double(curve.photos) {
        warnings.append(
          "\(named) of \(FigureText.count(curve.photos, "held-out photo")) of no buildings look like buildings to these "
            + "features; more photos of such things help")
      }
    }
    warnings += point.shortfalls.filter { $0.photos > 0 }.map { $0.text(point.maximumError) }
    if !result.converged {
      warnings.append("the solver stopped after \(result.iterations) steps without converging")
    }
    let lost = Set(material.photos.map(\.label)).subtracting(labels.keys)
    for label in lost.sorted() { warnings.append("\(label) has no usable photo; it is left out") }
    if let campus = result.model.campus {
      let names = result.model.labels.buildings.map { result.model.labels.names[$0] }
      for label in names where campus.building(labelled: label) == nil {
        warnings.append("\(label) is not in the map; give a building there this label or id")
      }
    }
    for photo in result.faults {
      warnings.append("\(photo): its EXIF block is damaged; what can be read of it is used")
    }
    if material.ignored > 0 {
      warnings.append(
        "\(FigureText.count(material.ignored, "file")) ignored: no photos by their names")
    }
    return warnings
  }

  func text(verbose: Bool) -> String {
    var parts = [
      FigureText.count(labels.count, "label") + ", " + FigureText.count(photos, "photo")
        + (heldBack > 0 ? ", \(heldBack) more held back for tests" : "")
    ]
    parts.append(
      Format.table(
        labels.sorted { $0.key < $1.key }.map { label, count in
          [label, "\(count)"] + (Labels.isBackground(label) ? ["background"] : [])
        }))
    if !skipped.isEmpty {
      parts.append("skipped " + FigureText.count(skipped.count, "photo") + ":")
      parts += skipped.map { "  \($0.photo): \($0.message)" }
    }
    if verbose, !crossValidation.isEmpty { parts.append(crossValidationText) }
    if let update {
      parts.append(update.text(reused: featuresReused, described: featuresComputed))
    }
    if weights != .float32 { parts.append(weightsText) }
    parts.append("model \(model), \(bytes) bytes, sha256 \(sha256)")
    return parts.joined(separator: "\n")
  }

  private var weightsText: String {
    guard let answersChanged else {
      return "weights \(weights.rawValue): what that changes is unknown, with one session a label"
    }
    let photos = FigureText.count(answersChanged.asked, "photo")
    return "weights \(weights.rawValue): \(answersChanged.changed) of \(photos) out of fold "
      + "answered otherwise than with float32"
  }

  private var crossValidationText: String {
    let header = ["whitening", "regularisation", "colour weight", "accuracy", "loss"]
    let rows = crossValidation.map { trial in
      [
        (trial.whitening.map { Format.decimal($0, digits: 2) } ?? "none")
          + (isChosen(trial) ? " (chosen)" : ""),
        Format.decimal(trial.regularisation, digits: 0),
        trial.colourWeight.map { Format.decimal(Double($0), digits: 2) } ?? "none",
        FigureText.percent(trial.accuracy), Format.decimal(trial.loss, digits: 4),
      ]
    }
    var figures = [
      "temperature \(Format.decimal(temperature, digits: 4))",
      "least share \(Format.decimal(leastShare, digits: 4))",
    ]
    figures.append(FigureText.count(iterations, "step"))
    return [
      "cross-validation by groups:", Format.table([header] + rows),
      figures.joined(separator: ", "),
    ].joined(separator: "\n")
  }

  private func isChosen(_ trial: Trial) -> Bool {
    trial.regularisation == regularisation && trial.whitening == whitening
      && trial.colourWeight == colourWeight
  }
}

import Cupola
import CupolaTraining

// Warnings after training, each with what helps:
// 1. Too few photos, similar labels, and missing non-building photos.
// 2. Missing calibration, and non-building photos that would be named.
// 3. Unknown buildings, and a solver that did not converge.
// 4. Labels without usable photos, the map, and damaged EXIF blocks.

/// What `cupola train` warns of, with what helps.
struct TrainingWarnings {
  private let result: TrainingResult
  private let material: TrainingMaterial

  init(_ result: TrainingResult, _ material: TrainingMaterial) {
    (self.result, self.material) = (result, material)
  }

  var all: [String] { ofPhotos + ofCalibration + ofRefusals + ofUnknown + ofFit + ofFiles }

  private static let tooManyRefused = 0.15

  private var model: Model { result.model }
  private var names: Labels { model.labels }
  private var point: OperatingPoint { OperatingPoint(model.calibration) }
  private var amounts: [String: Int] { model.provenance.photos }
  private var isCalibrated: Bool { !result.trials.isEmpty || result.keepsCalibration }

  private var ofPhotos: [String] {
    var warnings: [String] = []
    if let scarcity { warnings.append(scarcity) }
    // What is added to a model may well test buildings that it knows.
    let untrained = material.onlyTested.filter { !names.names.contains($0) }
    warnings += clashes + untrained.map { TableOptions.onlyTested($0, model) }
    if names.buildings.count == 1 {
      warnings.append(
        "only one building, \(names.names[names.buildings[0]]); a model of one knows no other to tell it from"
      )
    }
    if !names.knowPhotosOfNoBuildings {
      warnings.append(
        "no photos of things that are no buildings; with --negatives the answer "
          + "\"Not a Campus Building\" becomes better")
    }
    return warnings
  }

  /// Which labels have too few photos, those with the fewest first.
  private var scarcity: String? {
    let enough = PhotoAmount.enough
    let few = amounts.filter { $0.value < enough }
      .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    guard !few.isEmpty else { return nil }
    return "\(FigureText.count(few.count, "label")) with fewer than \(enough) photos: "
      + Format.list(few.map { "\($0.key) \($0.value)" })
      + "; take at least \(enough) of each, on two days"
  }

  /// Labels that other systems would put into one folder.
  private var clashes: [String] {
    // The model has labels once that differ in the bytes of accents only.
    LabelClash.groups(of: Array(amounts.keys) + material.photos.map(\.label)).map { labels in
      labels.map { "\"\($0)\"" }.joined(separator: " and ")
        + " differ only in case, accents' bytes or blanks; join or rename them, cupola check tells where"
    }
  }

  private var ofCalibration: [String] {
    var warnings: [String] = []
    if !isCalibrated {
      warnings.append(
        "too few buildings have photos of two sessions (it takes half of them, or "
          + "\(PhotoAmount.tellingBuildings)): probabilities are not calibrated and no error of names can be promised"
      )
    }
    let unasked = names.buildings.count - model.askedBuildings
    if result.keepsCalibration, unasked * 5 > names.buildings.count {
      warnings.append(
        "\(unasked) of \(FigureText.count(names.buildings.count, "building")) had no photo in the calibration, being new, "
          + "changed or of one session; train once without --update, with photos of two sessions, to have it fit them"
      )
    }
    if isCalibrated, !model.provenance.captureDays.isEmpty, let light = Promise(model).light {
      warnings.append(light)
    }
    return warnings
  }

  /// Of photos of no buildings that would be named, and of photos of buildings that would not.
  private var ofRefusals: [String] {
    var warnings: [String] = []
    if let curve = model.calibration.notBuildings {
      let named = curve.given(from: point.leastOdds)
      if Double(named) > point.maximumError * Double(curve.photos) {
        warnings.append(
          "\(named) of \(FigureText.count(curve.photos, "held-out photo")) of no buildings look like buildings to these "
            + "features; more photos of such things help")
      }
    }
    if let lack = point.lackOfNames {
      warnings.append(
        "no photo gets a name: \(lack); cupola check tells of photos that may have another label, and photos of more "
          + "sessions help")
    } else if let refused = model.calibration.falseRejectionRate, refused > Self.tooManyRefused {
      warnings.append(
        "\(FigureText.percent(refused)) of the held-out photos of buildings were answered with \"Not a Campus "
          + "Building\"; "
          + (model.recipe.features.kind == HOG.kind
            ? "hog is a plain baseline, and the usual features refuse far fewer"
            : "photos of more days and sides help"))
    }
    return warnings
  }

  private var ofUnknown: [String] {
    var warnings: [String] = []
    if let named = point.unknownNamed, named > point.maximumError {
      warnings.append(
        "up to \(FigureText.percent(named)) of the photos of buildings that were left out in turn would get another "
          + "building's name: so will photos of buildings that have no folder; add folders for them, or use --max-error"
      )
    }
    warnings += point.shortfalls.filter { $0.photos > 0 }
      .map { $0.text(point.maximumError, isAsked: false) }
    return warnings
  }

  private var ofFit: [String] {
    result.converged
      ? [] : ["the solver stopped after \(result.iterations) steps without converging"]
  }

  /// Of labels without a photo that can be used, of the map, and of damaged files.
  private var ofFiles: [String] {
    let lost = Set(material.photos.map(\.label)).subtracting(amounts.keys)
    return lost.sorted().map { "\($0) has no usable photo; it is left out" }
      + MapMessages.warnings(model, result.labelMatching)
      + result.faults.map { "\($0): its EXIF block is damaged; what can be read of it is used" }
  }
}

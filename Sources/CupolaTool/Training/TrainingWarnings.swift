import Cupola
import CupolaTraining

// Warnings after training, each with a suggestion:
// 1. Check for too few photos, similar labels, and missing non-building photos.
// 2. Check the calibration, and whether non-building photos would be named as buildings.
// 3. Check unknown buildings, suggest an error rate, and check whether the solver converged.
// 4. Check labels without usable photos, the map, and unreadable EXIF data.

struct TrainingWarnings {
  private let result: TrainingResult
  private let material: TrainingMaterial

  init(_ result: TrainingResult, _ material: TrainingMaterial) {
    (self.result, self.material) = (result, material)
  }

  var all: [String] {
    ofPhotos + ofCalibration + ofRejections + ofUnknown + ofFit + ofFiles
  }

  private static let tooManyRejected = 0.15

  private var model: Model { result.model }
  private var names: Labels { model.labels }
  private var point: Thresholds { Thresholds(model.calibration) }
  private var amounts: [String: Int] { model.provenance.photos }
  private var isCalibrated: Bool { !result.trials.isEmpty || result.keepsCalibration }

  private var ofPhotos: [String] {
    var warnings: [String] = []
    if let scarcity { warnings.append(scarcity) }
    // With --add, test photos can show buildings that the model was trained on earlier.
    let untrained = material.onlyTested.filter { !names.names.contains($0) }
    warnings += amounts.keys.sorted().filter(Labels.soundsLikeBackground).map {
      "\($0) was trained as a building, although it is a name for non-building photos; "
        + Labels.renamingAdvice($0, isListed: material.photos.contains(where: \.isListed))
    }
    warnings += clashes + untrained.map { TableOptions.onlyTested($0, model) }
    if names.buildings.count == 1 {
      warnings.append(
        "\(names.names[names.buildings[0]]) is the only building; add photos of other buildings")
    }
    if !names.hasNonBuildingPhotos {
      warnings.append(
        "no non-building photos; add some with --negatives to improve \"Not a Campus Building\"")
    }
    return warnings
  }

  private var scarcity: String? {
    let enough = PhotoAmount.enough
    let few = amounts.filter { $0.value < enough }
      .sorted { ($0.value, $0.key) < ($1.value, $1.key) }
    guard !few.isEmpty else { return nil }
    let isDivided = !material.setAside.isEmpty
    return
      "\(FigureText.count(few.count, "label")) with fewer than \(enough) \(isDivided ? "training " : "")photos: "
      + FigureText.list(few.map { "\($0.key) \($0.value)" })
      + "; take at least \(enough) photos of each, in three sessions"
      + (isDivided ? ", in addition to test photos" : "")
  }

  /// Labels whose folders some file systems cannot distinguish.
  private var clashes: [String] {
    // Also compare the photos' labels, because the model merges labels that differ only in Unicode normalization.
    LabelClash.groups(of: Array(amounts.keys) + material.photos.map(\.label)).map { labels in
      labels.map { "\"\($0)\"" }.joined(separator: " and ")
        + " differ only in case, Unicode form or spaces; merge or rename them (cupola check lists the folders)"
    }
  }

  private var ofCalibration: [String] {
    var warnings: [String] = []
    if !isCalibrated {
      warnings.append(
        "the percentages are not calibrated: " + PhotoAmount.fewHeldOut(of: names.buildings.count)
          + " training photos from two sessions (sessions that share viewpoints or copies count as one); take photos on "
          + "another day, also from other positions. To guarantee an error rate of "
          + "\(FigureText.percent(point.maximumError)), training needs "
          + "\(ErrorCurve.sessionsNeeded(error: point.maximumError)) sessions of all buildings together"
          + (material.setAside.contains(where: \.isListed)
            ? ". To calibrate with the test photos instead of testing, delete the split table" : "")
      )
    }
    let unasked = names.buildings.count - model.calibratedBuildings
    if result.keepsCalibration, unasked * 5 > names.buildings.count {
      warnings.append(
        "the calibration does not cover \(unasked) of \(FigureText.count(names.buildings.count, "building")) "
          + "(new, changed, or photographed in only one session); train without --update, with photos from two sessions"
      )
    }
    // The model card also says for how many buildings the days are unknown.
    let guarantee = ErrorGuarantee(model)
    if isCalibrated, guarantee.hasSingleDay, let light = guarantee.light { warnings.append(light) }
    return warnings
  }

  private var ofRejections: [String] {
    var warnings: [String] = []
    if let curve = model.calibration.notBuildings {
      let named = curve.given(from: point.leastOdds)
      if Double(named) > point.maximumError * Double(curve.photos) {
        warnings.append(
          "\(named) of \(FigureText.count(curve.photos, "held-out non-building photo")) would be named as a building; "
            + "add more photos like these")
      }
    }
    if let lack = point.reasonForNoNames {
      warnings.append(
        "no photo gets a name: \(lack); look for wrong labels with cupola check, and add photos from more sessions"
      )
    } else if let rejected = model.calibration.falseRejectionRate, rejected > Self.tooManyRejected {
      warnings.append(
        "many held-out photos were rejected as \"Not a Campus Building\"; "
          + (model.recipe.features.kind == HOG.kind
            ? "use the default features, which reject far fewer than hog"
            : "add photos from more days and viewpoints"))
    }
    return warnings
  }

  private var ofUnknown: [String] {
    var warnings: [String] = []
    if let named = point.unknownNamed, named > point.maximumError {
      warnings.append(
        "expect wrong names for buildings that are not in the model: when training held out its "
          + "\(FigureText.count(names.buildings.count, "building")) one by one, up to \(FigureText.percent(named)) of "
          + "their photos got another building's name. " + Labels.adviceForUnknown
          + strictness(below: named)
      )
    }
    // The other limits apply only if `classify --max-error` requests them, and it reports them then.
    warnings += point.shortfalls.filter { $0.photos > 0 && $0.kind == .buildings }
      .map { $0.text(point.maximumError) }
    return warnings
  }

  /// A sentence about the strictest `classify --max-error` that can be guaranteed for unknown buildings, and its effect,
  /// if it names fewer of their photos.
  private func strictness(below named: Double) -> String {
    let rates = HeldOutAnswers.strictRates
    let found = rates.firstIndex {
      let point = Thresholds(model.calibration, maximumError: $0)
      return point.shortfalls.isEmpty && !point.namesNothing
    }
    guard let found, rates[found] < named else { return "" }
    let lower = found == 0 ? "" : " (training held out too few photos to guarantee less)"
    let limit = "at most " + FigureText.percent(rates[found])
    let change = result.heldOut.map { heldOut in
      let (now, then) = (heldOut.known.namedRight, heldOut.strict[found].namedRight)
      return ". Of \(FigureText.count(heldOut.known.photos, "held-out photo")) of your buildings, "
        + (then == now
          ? "\(now) get the right name with and without it"
          : "\(then < now ? "only " : "")\(then) then get the right name, instead of \(now)")
    }
    return
      ". The option --max-error \(rates[found]) of classify, evaluate and export limits such names: on average, "
      + "\(limit) of their photos and \(limit) of non-building photos get a name\(lower)"
      + (change ?? "")
  }

  private var ofFit: [String] {
    result.converged
      ? [] : ["the solver did not converge in \(result.iterations) steps"]
  }

  private var ofFiles: [String] {
    let lost = Set(material.photos.map(\.label)).subtracting(amounts.keys)
    return lost.sorted().map { "\($0) has no usable photos and was omitted from the model" }
      + MapMessages.warnings(model, result.labelMatching)
      + result.faults.map { "\($0): damaged or unusual EXIF data; only the readable part is used" }
  }
}

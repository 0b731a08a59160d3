public import Cupola

/// The parts of a report that take long: the `hog` baseline and the learning curve, which take a training,
/// and the check of the photos, which reads all of them.
public struct ReportRefits: Sendable {
  /// Photos that train, none where nothing divides the photos.
  public var training: [LabeledPhoto] = []
  /// Photos to measure with: what cannot stand beside the model's figures of them is not trained.
  public var asked: [LabeledPhoto] = []
  /// How photos are decoded.
  public var decoder = PhotoDecoder()
  /// Where features are kept.
  public var cache: FeatureCache?
  /// Photos worked on at a time.
  public var threads = 1
  /// Gives what is told how far a part is, by its name and its number of photos.
  public var progress: @Sendable (_ part: String, _ photos: Int) -> (@Sendable (Int) -> Void)? = {
    _, _ in nil
  }

  /// The usual settings, without photos.
  public init() {}

  /// Prepares what the report asks of the photos of a folder beside the model.
  public func secondLook(at set: PhotoSet, beside model: Model) async -> SecondLook {
    let reader = await DatasetCheck.reader(of: set.photos, decoder, threads)
    let photos = trained(model)
    guard !photos.isEmpty, model.recipe.features.kind != HOG.kind else {
      return SecondLook(reader: reader, baseline: nil)
    }
    if let lack = Self.lack(of: photos.map(\.label), for: askedBuildings(of: model)) {
      return SecondLook(reader: reader, baseline: nil, lack: lack)
    }
    do {
      let baseline = try await Baseline.trained(
        on: photos, seed: model.provenance.seed, decoder: decoder, cache: cache,
        threads: threads, progress: progress("hog baseline", photos.count))
      return SecondLook(reader: reader, baseline: baseline)
    } catch {
      return SecondLook(reader: reader, baseline: nil, failure: "no hog baseline: \(error)")
    }
  }

  /// Those of labels that the model knows: others, such as negatives that only the evaluation was given, did not train it.
  private func trained(_ model: Model) -> [LabeledPhoto] {
    training.filter { model.labels.names.contains($0.label) }
  }

  /// The photos to measure with of buildings that a model knows.
  private func askedBuildings(of model: Model) -> [LabeledPhoto] {
    let names = Set(model.labels.buildings.map { model.labels.names[$0] })
    return asked.filter { $0.split != .testUnknown && names.contains($0.label) }
  }

  /// Adds to a report what training photos allow.
  ///
  /// - Parameters:
  ///   - report: what is added to.
  ///   - seen: the photos that were evaluated.
  ///   - look: what the photos look like when they are read again.
  ///   - model: what was evaluated.
  /// - Returns: why the baseline is missing, if it could not be trained.
  public func add(
    to report: inout EvaluationReport, of seen: SeenPhotos, _ look: SecondLook, model: Model
  ) async -> String? {
    let known = trained(model)
    guard !known.isEmpty else { return nil }
    // Labels of which no photo can be used do not train.
    let lack =
      look.lack
      ?? look.baseline.flatMap {
        Self.lack(
          of: $0.recognizer.model.labels.names, for: report.evaluation.known.map(\.photo))
      }
    if let baseline = look.baseline, lack == nil {
      report.baseline = await Baseline(
        baseline, of: seen, beside: report.evaluation, threads: threads)
    }
    // What failed may name the folder of the photos, which no report does.
    report.baselineLack = lack ?? look.failure.map { _ in "no hog baseline: its training failed" }
    let curve = await LearningCurve(
      of: model, photos: known, decoder: decoder, cache: cache, threads: threads,
      progress: progress("learning curve", known.count))
    (report.learningCurve, report.splits) = (curve.points, curve.splits)
    return look.failure ?? lack
  }

  /// Why a baseline cannot stand beside a model: where it does not know all buildings its figures are of fewer
  /// photos.
  ///
  /// - Parameters:
  ///   - labels: that train it.
  ///   - photos: of buildings that the model knows, to measure with.
  private static func lack(of labels: [String], for photos: [LabeledPhoto]) -> String? {
    let unknown = Set(photos.map(\.label)).subtracting(labels).sorted()
    guard let first = unknown.first else { return nil }
    return "no hog baseline: \(FigureText.count(unknown.count, "building")) of the test without "
      + "photos to train it with, such as \(first)"
  }

  /// Adds what is wrong with the photos of a folder, and from where they were taken.
  ///
  /// - Parameters:
  ///   - set: the photos of the folder.
  ///   - campus: the map to hold places and labels against.
  ///   - hasNegatives: whether photos of no buildings are elsewhere, so that they are not missed.
  ///   - seen: those of the photos that were evaluated.
  ///   - look: what the photos look like when they are read again.
  ///   - report: what is added to.
  /// - Returns: why the photos could not be checked, if they could not.
  public func check(
    _ set: PhotoSet, campus: Campus?, hasNegatives: Bool, of seen: SeenPhotos, _ look: SecondLook,
    for report: inout EvaluationReport
  ) async -> String? {
    do {
      let check = try await DatasetCheck(
        of: set, campus: campus, reader: look.reader, seen: seen.checked, threads: threads,
        progress: progress("checking photos", set.photos.count),
        comparing: progress("comparing photos", set.photos.count))
      // No report says where its photos are kept.
      let name = set.root.split(separator: "/").last.map(String.init) ?? set.root
      // Photos may well be there for the test alone.
      report.check = CheckReport(
        check, folder: name,
        leavingOut: hasNegatives ? [.nothingTrains, .noBackground] : [.nothingTrains])
      return nil
    } catch {
      return "the photos were not checked: \(error)"
    }
  }
}

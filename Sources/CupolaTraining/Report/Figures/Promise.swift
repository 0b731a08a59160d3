package import Cupola

// What the threshold between a name and no name promises.
// 1. Sentences about photos of the model's own buildings, other light and unknown buildings.
// 2. The share of wrong names among visits, some of which are to unknown buildings.

package struct Promise: Sendable {
  private let point: Thresholds
  private let calibration: Calibration
  /// Days of photos, one a building; 0 where nobody knows.
  private let days: [Int]
  /// Buildings of which photos were held out; 0 where the model does not say.
  private let asked: Int

  package init(_ model: Model, point: Thresholds? = nil) {
    self.point = point ?? Thresholds(model.calibration)
    calibration = model.calibration
    asked = model.calibratedBuildings
    days = model.labels.buildings.map {
      model.provenance.captureDays[model.labels.names[$0]] ?? 0
    }
  }

  var sentences: [String] { [names, light, unknown].compactMap(\.self) }

  package var names: String {
    if let lack = point.reasonForNoNames { return "No photo gets a name: \(lack)." }
    let error = FigureText.smallPercent(point.maximumError)
    let lacking = point.shortfalls.first { $0.kind == .buildings }
    if let lacking {
      let held =
        lacking.photos == 0 ? "no photos" : "only " + FigureText.count(lacking.photos, "photo")
      return
        "No error of names can be promised: \(held) of other sessions could be held out, and "
        + "\(error) takes \(lacking.needed)."
    }
    let photos = FigureText.count(calibration.wrongNames?.photos ?? 0, "photo")
    let some =
      asked > 0 && asked < days.count
      ? " of \(asked) of \(days.count) buildings," : ""
    return
      "Of photos of its own buildings, of other sessions but like those that trained, at most \(error) are "
      + "expected to get a wrong name, by \(photos)\(some) held out in turn that had no part in the settings."
  }

  /// About other light than that of the training photos; `nil` where every building is known to have several days.
  package var light: String? {
    let (single, open) = (days.count { $0 == 1 }, days.count { $0 == 0 })
    guard single + open > 0 else { return nil }
    if open == days.count {
      return "Nobody knows on how many days they were taken: no promise for other light."
    }
    if single == days.count {
      return "Each building trained on photos of one day only: no promise for other light."
    }
    let end = ": no promise for other light there."
    guard single > 0 else {
      return
        "Nobody knows on how many days the photos of \(open) of \(days.count) buildings were taken"
        + end
    }
    let unknown = open > 0 ? ", and of \(open) nobody knows on how many days" : ""
    return "\(single) of \(days.count) buildings trained on photos of one day only" + unknown + end
  }

  /// About buildings that did not train; `nil` where none could be left out.
  package var unknown: String? {
    guard let named = point.unknownNamed else { return nil }
    if point.namesNothing { return "Photos of buildings without a folder get no name either." }
    if named == 0 {
      let photos = FigureText.count(calibration.unknownBuildings?.photos ?? 0, "photo")
      return
        "Of \(photos) of buildings left out of training in turn none got another building's name by the picture "
        + "alone; photos of buildings without a folder may."
    }
    return
      "Of photos of buildings left out of training in turn up to \(FigureText.percent(named)) get another "
      + "building's name by the picture alone: so will photos of buildings without a folder."
  }
}

extension Thresholds {
  package var reasonForNoNames: String? {
    guard namesNothing else { return nil }
    return leastShare > 1
      ? "held-out photos got another building's name with all of the buildings' probability, and a name takes more"
      : "held-out photos of something else were taken for buildings as surely as can be, and a name takes more"
  }
}

extension Model {
  /// Buildings of which photos were held out in training; 0 where the model does not say.
  package var calibratedBuildings: Int {
    labels.buildings.count { provenance.recall[labels.names[$0]] != nil }
  }
}

/// What visitors get of whom some point at buildings that did not train.
///
/// Photos of known buildings and of unknown ones are weighed by the share of visits that each kind has; the
/// interval is made of Wilson's intervals of both (Zou & Donner, Statistics in Medicine 2008).
struct VisitFigures: Equatable, Sendable {
  enum Source: String, Sendable {
    case photos
    /// Photos of the training's own buildings, left out of it in turn, by the picture alone.
    case training
  }

  let unknownShare: Double
  let source: Source
  let named: Double
  let wrong: Double
  let wrongInterval: [Double]
  let promised: Double

  var isKept: Bool { wrong <= promised }

  /// `nil` without photos of known buildings, or when nothing tells of unknown ones.
  init?(_ evaluation: Evaluation, unknownShare: Double) {
    let known = evaluation.verdicts(evaluation.known)
    let unknown = evaluation.verdicts(evaluation.unknown)
    source = evaluation.unknown.isEmpty ? .training : .photos
    var photos = [evaluation.known.count, evaluation.unknown.count]
    // Which building an unknown one is stands nowhere beside most photos: by place only none is wrong.
    var wrong = [known.wrong + known.mappedWrong, unknown.wrong]
    var named = [wrong[0], unknown.wrong + unknown.right + unknown.mappedRight]
    named[0] += known.right + known.mappedRight
    // Counts, not answers: a model's file may tell of any number of photos.
    if source == .training, let curve = evaluation.leftOut {
      let point = evaluation.point
      photos[1] = curve.photos
      wrong[1] = point.namesNothing ? 0 : curve.given(from: point.leastOdds)
      named[1] = wrong[1]
    }
    guard photos[0] > 0, photos[1] > 0 else { return nil }
    let wrongs = zip(wrong, photos).map { Share(right: $0, of: $1) }
    let names = zip(named, photos).map { Share(right: $0, of: $1) }
    let weights = [1 - unknownShare, unknownShare]
    func mixed(_ shares: [Share]) -> Double {
      zip(weights, shares).reduce(0) { $0 + $1.0 * ($1.1.accuracy ?? 0) }
    }
    self.unknownShare = unknownShare
    promised = evaluation.point.maximumError
    (self.named, self.wrong) = (mixed(names), mixed(wrongs))
    func width(_ end: (Share) -> Double) -> Double {
      zip(weights, wrongs).reduce(0) { sum, kind in
        let distance = kind.0 * (end(kind.1) - (kind.1.accuracy ?? 0))
        return sum + distance * distance
      }.squareRoot()
    }
    wrongInterval = [
      max(0, self.wrong - width(\.interval.lower)), min(1, self.wrong + width(\.interval.upper)),
    ]
  }

  static let columns: [Column<VisitFigures>] = [
    .share("unknown_share", "visits to unknown buildings") { $0.unknownShare },
    .text("source", "known by") { $0.source.rawValue },
    .share("named", "visits named") { $0.named },
    .share("wrong", "visits named wrong") { $0.wrong },
    .interval("wrong_interval") { $0.wrongInterval },
    .share("promised", "wrong ones allowed") { $0.promised },
  ]

  var sentence: String {
    let from =
      source == .photos
      ? "" : ", by training photos whose building was left out and the picture alone,"
    // Of these only the odds are known: fewer are named where a name needs much of all buildings' probability.
    let most = source == .photos ? "" : "up to "
    let visits =
      "Of visits of which \(FigureText.percent(unknownShare)) are to buildings that did not train"
      + "\(from) \(most)\(FigureText.percent(named)) get a name and \(most)\(FigureText.percent(wrong)) "
      + "a wrong one" + FigureText.inBrackets(wrongInterval)
    guard isKept else {
      return visits + ": \(FigureText.percent(promised)) cannot be promised there."
    }
    let few = wrongInterval[1] > promised ? ", though so few photos cannot tell for sure" : ""
    return visits + ": within the \(FigureText.percent(promised)) that are aimed at\(few)."
  }
}

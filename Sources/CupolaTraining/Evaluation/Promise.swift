package import Cupola

/// What a model's line between a name and no name promises, and what it cannot, in sentences.
package struct Promise: Sendable {
  private let point: OperatingPoint
  private let calibration: Calibration
  /// Days of photos, one a building; 0 where nobody knows.
  private let days: [Int]
  /// Buildings of which photos were held out; 0 where the model does not say.
  private let asked: Int

  /// - Parameter point: the line; `nil` is the model's usual one.
  package init(_ model: Model, point: OperatingPoint? = nil) {
    self.point = point ?? OperatingPoint(model.calibration)
    calibration = model.calibration
    asked = model.askedBuildings
    days = model.labels.buildings.map {
      model.provenance.captureDays[model.labels.names[$0]] ?? 0
    }
  }

  /// All that there is to say.
  var sentences: [String] { [names, light, unknown].compactMap(\.self) }

  /// About photos of the model's own buildings.
  package var names: String {
    if let lack = point.lackOfNames { return "No photo gets a name: \(lack)." }
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

extension OperatingPoint {
  /// Why no photo gets a name; `nil` where some may.
  package var lackOfNames: String? {
    guard namesNothing else { return nil }
    return leastShare > 1
      ? "held-out photos got another building's name with all of the buildings' probability, and a name takes more"
      : "held-out photos of something else were taken for buildings as surely as can be, and a name takes more"
  }
}

extension Model {
  /// Buildings of which photos were held out in training; 0 where the model does not say.
  package var askedBuildings: Int {
    labels.buildings.count { provenance.recall[labels.names[$0]] != nil }
  }
}

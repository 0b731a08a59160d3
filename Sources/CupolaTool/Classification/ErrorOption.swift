import ArgumentParser
import Cupola
import CupolaTraining

/// `--max-error`.
struct ErrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The share of wrong answers to promise, such as 0.02; given, it also holds for what is no building or did not "
        + "train (default: 0.05, of wrong names only).", valueName: "share"))
  var maxError: Double?

  func validate() throws { try Self.check(maxError) }

  static func check(_ maxError: Double?) throws {
    if let maxError, !(maxError > 0 && maxError < 1) {
      throw ValidationError("--max-error must be between 0 and 1, such as 0.02, not \(maxError).")
    }
  }

  /// Says where no photo gets a name, and what of an asked for promise cannot be kept.
  func explain(_ point: OperatingPoint) {
    if let lack = point.lackOfNames {
      Console.note(
        "note: no photo gets a name: \(lack); a larger --max-error allows more wrong ones")
    }
    guard maxError != nil else { return }
    for shortfall in point.shortfalls {
      Console.note("note: " + shortfall.text(point.maximumError, isAsked: true))
    }
  }
}

/// `--max-error` of what answers frames: several together get a name, which no promise about single photos holds for.
struct LiveErrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The share of photos of buildings left out in training by which the line against such is drawn: the smaller, the "
        + "fewer names. Nothing is promised of frames (default: 0.05).", valueName: "share"))
  var maxError: Double?

  func validate() throws { try ErrorOption.check(maxError) }

  /// Says where an error that was asked for changes nothing, or takes more photos than were left out.
  func explain(_ point: OperatingPoint) { Self.explain(maxError, point) }

  /// - Parameter changed: what an error changes all the same.
  static func explain(
    _ maxError: Double?, _ point: OperatingPoint, changed: String = "nothing"
  ) {
    guard let maxError else { return }
    guard point.unknownNamed != nil else {
      return Console.note(
        "note: --max-error changes \(changed) here: no building was left out when the model was "
          + "trained")
    }
    for shortfall in point.shortfalls where shortfall.kind == .unknownBuildings {
      let photos = FigureText.count(shortfall.photos, "photo")
      Console.note(
        "note: an error of \(FigureText.smallPercent(maxError)) takes \(shortfall.needed) photos of buildings left "
          + "out in training, and there were \(photos): the line is drawn above all of them")
    }
  }
}

extension OperatingPoint.Shortfall {
  /// A plain statement of what cannot be promised.
  ///
  /// - Parameter isAsked: whether the error is asked for, which then refuses what it cannot tell; the usual one does so
  ///   between buildings only.
  func text(_ error: Double, isAsked: Bool) -> String {
    let held =
      switch kind {
      case .buildings: "of buildings"
      case .notBuildings: "of no buildings"
      case .unknownBuildings: "of buildings left out"
      }
    let start = "an error of \(FigureText.smallPercent(error)) cannot be promised: "
    guard photos > 0 else {
      return start + "no photos \(held) were held out in training, \(needed) are needed"
    }
    let condition = isAsked || kind == .buildings ? "" : "with --max-error "
    let few = FigureText.count(photos, "held-out photo") + " \(held) \(photos == 1 ? "is" : "are")"
    return start + "\(few) too few, \(needed) are needed; "
      + "\(condition)only what is surer than every error seen is answered"
  }
}

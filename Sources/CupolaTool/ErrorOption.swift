import ArgumentParser
import Cupola
import CupolaTraining

/// `--max-error`.
struct ErrorOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The share of wrong answers to promise, such as 0.02 (default: 0.05).", valueName: "share"))
  var maxError: Double?

  func validate() throws {
    if let maxError, !(maxError > 0 && maxError < 1) {
      throw ValidationError("--max-error must be between 0 and 1, such as 0.02, not \(maxError).")
    }
  }

  /// Says what of an asked for promise cannot be kept.
  func explain(_ point: OperatingPoint) {
    guard maxError != nil else { return }
    for shortfall in point.shortfalls {
      Console.note("note: " + shortfall.text(point.maximumError))
    }
  }
}

extension OperatingPoint.Shortfall {
  /// A plain statement of what cannot be promised.
  func text(_ error: Double) -> String {
    let held =
      switch kind {
      case .buildings: "of buildings"
      case .notBuildings: "of no buildings"
      case .unknownBuildings: "of buildings left out"
      }
    return "an error of \(FigureText.smallPercent(error)) cannot be promised: "
      + (photos == 0
        ? "no photos \(held) were held out in training, \(needed) are needed"
        : "\(photos) held-out photos \(held) are too few, \(needed) are needed; only what is surer "
          + "than every error seen is answered")
  }
}

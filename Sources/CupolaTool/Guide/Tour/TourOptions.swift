import ArgumentParser
import CupolaCampus
import CupolaGuide

/// A tour, and the guide whose places it names.
struct TourOptions: ParsableArguments {
  @Argument(help: "The tour.", completion: .file(extensions: ["json"]))
  var tour: String

  @Option(
    help: "The guide of the campus; without it places are known by latitude and longitude only.",
    completion: .directory)
  var guide: String?

  func read() throws -> (tour: Tour, guide: Guide?) {
    (try Tour(path: tour), try guide.map { try Guide(contentsOf: $0) })
  }

  /// What is wrong with the tour; without a guide nothing is said of places that it names.
  func check(_ tour: Tour, _ guide: Guide?) -> (findings: [TourFinding], length: TourLength) {
    let folder = FileAccess.folder(of: self.tour)
    guard let guide else {
      let check = TourCheck(
        of: tour, places: { _ in nil }, media: { TourMediaState.of($0, in: folder) })
      return (check.findings.filter { $0.kind != "unknown_place" }, check.length)
    }
    let check = guide.check(tour, mediaIn: folder)
    return (check.findings, check.length)
  }

  /// How many places the tour names that nobody looked for, since there is no guide.
  func unchecked(_ tour: Tour, _ guide: Guide?) -> Int {
    guard guide == nil else { return 0 }
    return tour.stops.count { stop in
      if case .named(_) = stop.place { return true }
      return false
    }
  }
}

/// In which language a tour is shown.
struct LanguageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The language, such as de (default: the first of the tour).", valueName: "language"))
  var language: String?

  /// Says so where a tour does not have it.
  func explain(_ tour: Tour) {
    guard let language, !tour.speaks(language) else { return }
    Console.note(
      "note: the tour has no \(language); its languages: "
        + tour.languages.joined(separator: ", "))
  }
}

import ArgumentParser

/// `cupola guide tour`: tours of a campus.
struct TourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Checks, shows and tries out tours, and makes the passkeys that open them.",
    discussion: """
      A tour is a JSON file of stops with places, texts, media and questions; see Documentation/Tours.md.

      EXAMPLES
        cupola guide tour check tour.json --guide campus.guide
        cupola guide tour simulate tour.json --guide campus.guide
        cupola guide tour keys tour.json --count 30 -o tour-keys.json
      """,
    subcommands: [
      TourCheckCommand.self, TourShow.self, TourSimulate.self, TourKeys.self, TourRedeem.self,
    ])
}

import ArgumentParser

/// `cupola guide`: a map as a guide for visitors, and the way there.
struct GuideCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "guide",
    abstract: "Makes a guide of a map, and finds the way: on foot, step-free, by car, indoors.",
    discussion: """
      EXAMPLES
        cupola guide build campus.osm.json -o campus.guide
        cupola guide check campus.osm.json
        cupola guide route campus.guide --from "Old Library" --to café --svg way.svg
        cupola guide poi campus.guide toilets --near 48.3000,10.9000
        cupola guide departures campus.guide "Library Walk"
        cupola guide tour simulate tour.json --guide campus.guide
      """,
    subcommands: [
      GuideBuild.self, GuideCheckCommand.self, GuideRoute.self, GuidePOI.self, GuideGraph.self,
      GuideUpdateCommand.self, GuideStops.self, GuideDepartures.self, GuideTrips.self,
      TourCommand.self,
    ])
}

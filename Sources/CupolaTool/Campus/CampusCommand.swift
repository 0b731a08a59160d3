import ArgumentParser

/// `cupola campus`: what can be asked of a map without any photo or model.
struct CampusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campus",
    abstract: "Answers questions about a map of the grounds.",
    discussion: """
      EXAMPLES
        cupola campus check campus.geojson --photos photos
        cupola campus contains campus.geojson --at 48.3000,10.9000
        cupola campus nearby campus.geojson --at 48.3000,10.9000 --heading 45
        cupola campus search campus.geojson old library
      """,
    subcommands: [
      CampusCheckCommand.self, CampusContains.self, CampusNearby.self, CampusSearch.self,
    ])
}

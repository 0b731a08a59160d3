import ArgumentParser

/// `cupola campus`: what can be asked of a map without any photo or model.
struct CampusCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "campus",
    abstract: "Answers questions about a map of the grounds.",
    discussion: """
      EXAMPLES
        cupola campus contains campus.geojson --at 48.3000,10.9000
        cupola campus check campus.geojson --photos photos
      """,
    subcommands: [CampusContains.self, CampusCheckCommand.self])
}

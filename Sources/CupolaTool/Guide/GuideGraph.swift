import ArgumentParser
import Cupola
import CupolaGuide
import CupolaTraining

/// `cupola guide graph`.
struct GuideGraph: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Prints the graph of a guide for other programs, such as networkx.",
    discussion: """
      JSON in networkx's node-link form: nodes with latitude, longitude and level, links with cost \
      (seconds, or meters with --shortest) and meters, one for each direction; for cars also the rows \
      of links that must not be driven. \
      With --routes it prints random ways over that graph instead, a line of JSON each, so that \
      another program can check them.

      EXAMPLES
        cupola guide graph campus.guide --profile step-free > graph.json
        cupola guide graph campus.guide --routes 2000 > routes.jsonl
      """)

  @Argument(help: "The guide.", completion: .directory)
  var guide: String

  @Option(help: "walk, step-free or drive.")
  var profile = TravelMode.walk

  @Flag(help: "Costs are meters, not seconds.")
  var shortest = false

  @Option(help: "Print so many random ways.")
  var routes: Int?

  @Option(help: "Where the random ways begin.")
  var seed: UInt64 = 1

  func validate() throws {
    if let routes, !(1...1_000_000).contains(routes) {
      throw ValidationError("--routes must be 1 to 1000000, not \(routes).")
    }
  }

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let router = try Guide(contentsOf: guide).directions(profile, shortest: shortest).router
      if let routes {
        var random = SplitMix64(seed: seed)
        for _ in 0..<routes {
          Console.print(try JSONObject.text(router.randomWay { random.below($0) }))
        }
      } else {
        Console.print(try JSONObject.text(router.nodeLinkGraph))
      }
    }
  }
}

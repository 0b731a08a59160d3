import ArgumentParser
import Cupola
import CupolaGuide

/// `cupola guide tour simulate`.
struct TourSimulate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "simulate",
    abstract: "Walks a tour with a phone whose position errs, and tells what a visitor hears.",
    discussion: """
      The visitor goes from stop to stop in the order of the file, along the paths of the guide, stays a \
      while and answers rightly. The same seed makes the same walk.

      EXAMPLE
        cupola guide tour simulate tour.json --guide campus.guide --noise 8
      """)

  @OptionGroup var options: TourOptions

  @OptionGroup var language: LanguageOption

  @Option(help: "Meters by which each coordinate of the position errs (standard deviation).")
  var noise = 4.0

  @Option(help: "Meters a second.")
  var speed = 1.3

  @Option(help: "Of the errors; the same seed, the same walk.")
  var seed: UInt64 = 0

  @Flag(help: "Show each second, not only what is said.")
  var all = false

  func validate() throws {
    guard (0...100).contains(noise) else {
      throw ValidationError("--noise must be 0 to 100 meters, not \(noise).")
    }
    guard (0.1...50).contains(speed) else {
      throw ValidationError("--speed must be 0.1 to 50 meters a second, not \(speed).")
    }
  }

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let (tour, guide) = try options.read()
      var walk = TourSimulation.Walk(points: guide?.walk(along: tour) ?? Self.points(of: tour))
      guard !walk.points.isEmpty else {
        throw GuideError.badTour(
          path: options.tour, problem: "no stop's place is known; name the guide with --guide")
      }
      language.explain(tour)
      (walk.noise, walk.speed) = (noise, speed)
      var random = SplitMix64(seed: seed)
      let visit = guide?.visit(of: tour) ?? TourVisit(of: tour)
      let simulation = TourSimulation(of: visit, walk, using: &random)
      for line in simulation.lines(in: language.language, all: all) { Console.print(line: line) }
    }
  }

  /// Where the stops are that say it themselves.
  private static func points(of tour: Tour) -> [MapPoint] {
    tour.stops.compactMap { stop in
      guard case .point(let latitude, let longitude) = stop.place else { return nil }
      return MapPoint(latitude: latitude, longitude: longitude)
    }
  }
}

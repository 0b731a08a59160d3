import ArgumentParser
import CupolaGuide
import CupolaTraining

/// `cupola guide tour check`.
struct TourCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds what visitors of a tour would stumble over.",
    discussion: """
      Looks for places that the guide does not know, stops that no path joins or that begin at one \
      point, media that are not there, texts that are not translated, questions without a right answer. \
      Without --guide nobody looks for places and paths. A file that is no tour is told with the place of \
      the fault. The exit code is 65 when a finding is a fault, and 0 when all is advice.

      EXAMPLE
        cupola guide tour check tour.json --guide campus.guide
      """)

  @OptionGroup var options: TourOptions

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let (tour, guide) = try options.read()
      let (findings, length) = options.check(tour, guide)
      let unchecked = options.unchecked(tour, guide)
      if json {
        Console.print(try JSONObject.text(TourCheckJSON(findings, length, unchecked), pretty: true))
      } else {
        for finding in findings {
          Console.print(line: (finding.isAdvice ? "advice: " : "") + finding.message)
        }
        if findings.isEmpty {
          Console.print(unchecked == 0 ? "nothing wrong" : "nothing wrong in what was checked")
        }
        Console.print(line: length.text)
      }
      if unchecked > 0 {
        Console.note(
          "note: \(FigureText.count(unchecked, "place")) not checked; name the guide with --guide")
      }
      if findings.contains(where: { !$0.isAdvice }) { throw ExitStatus.badData }
    }
  }
}

/// What `cupola guide tour check` found: schema `cupola.tour_check/1`.
struct TourCheckJSON: Encodable {
  let schema = "cupola.tour_check/1"
  let findings: [FindingJSON]
  let meters: Double
  let seconds: Double
  /// Places that nobody looked for.
  let unchecked: Int

  private enum CodingKeys: String, CodingKey {
    case schema, findings, meters, seconds
    case unchecked = "places_not_checked"
  }

  init(_ findings: [TourFinding], _ length: TourLength, _ unchecked: Int) {
    self.findings = findings.map {
      FindingJSON(kind: $0.kind, isAdvice: $0.isAdvice, message: $0.message)
    }
    (meters, seconds, self.unchecked) = (length.meters, length.seconds, unchecked)
  }
}

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
      A file that is no tour is told with the place of the fault. The exit code is 65 when a finding is \
      a fault, and 0 when all is advice.

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
      if json {
        Console.print(try JSONObject.text(TourCheckJSON(findings, length), pretty: true))
      } else {
        for finding in findings {
          Console.print(line: (finding.isAdvice ? "advice: " : "") + finding.message)
        }
        if findings.isEmpty { Console.print("nothing wrong") }
        Console.print(line: length.text)
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

  init(_ findings: [TourFinding], _ length: TourLength) {
    self.findings = findings.map {
      FindingJSON(kind: $0.kind, isAdvice: $0.isAdvice, message: $0.message)
    }
    (meters, seconds) = (length.meters, length.seconds)
  }
}

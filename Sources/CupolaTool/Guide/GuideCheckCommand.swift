import ArgumentParser
import CupolaGuide
import CupolaTraining

/// `cupola guide check`.
struct GuideCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Finds what visitors would stumble over in maps, and says how to mend it.",
    discussion: """
      Looks for buildings that no path reaches, missing entrances, ways that meet no others, steps \
      without a step-free way round, floors and rooms that nothing leads to, names that stand twice, \
      and opening hours that cannot be read. One line for each, in OpenStreetMap's terms; the exit \
      code is 65 when one is a fault, and 0 when all is advice. Changes nothing.

      EXAMPLE
        cupola guide check campus.osm.json --no-advice
      """)

  @OptionGroup var maps: GuideMapOptions

  @Flag(help: "Leave out what visitors find their way in spite of.")
  var noAdvice = false

  @Flag(help: "Print JSON.")
  var json = false

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      let builder = try maps.builder()
      let all = GuideCheck(builder).findings
      let findings = noAdvice ? all.filter { !$0.isAdvice } : all
      if json {
        Console.print(try JSONObject.text(GuideCheckJSON(findings), pretty: true))
      } else {
        for finding in findings {
          Console.print(line: (finding.isAdvice ? "advice: " : "") + finding.message)
        }
      }
      try maps.checkUse(of: builder)
      if findings.isEmpty, !json { Console.print("nothing wrong") }
      if all.contains(where: { !$0.isAdvice }) { throw ExitStatus.badData }
    }
  }
}

/// What `cupola guide check` found: schema `cupola.guide_check/1`.
struct GuideCheckJSON: Encodable {
  let schema = "cupola.guide_check/1"
  let findings: [FindingJSON]

  init(_ findings: [GuideFinding]) {
    self.findings = findings.map {
      FindingJSON(
        kind: $0.kind, isAdvice: $0.isAdvice, subject: $0.subject, message: $0.message)
    }
  }
}

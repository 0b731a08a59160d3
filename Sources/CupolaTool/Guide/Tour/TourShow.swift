import ArgumentParser
import CupolaGuide

/// `cupola guide tour show`.
struct TourShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows a tour as plain text.",
    discussion: """
      EXAMPLE
        cupola guide tour show tour.json --language de
      """)

  @OptionGroup var options: TourOptions

  @OptionGroup var language: LanguageOption

  @Flag(help: "Mark what is right.")
  var answers = false

  func run() async throws {
    try await ExitStatus.reporting {
      let (tour, guide) = try options.read()
      language.explain(tour)
      let length = options.check(tour, guide).length
      for line in tour.lines(in: language.language, length: length, answers: answers) {
        Console.print(line: line)
      }
    }
  }
}

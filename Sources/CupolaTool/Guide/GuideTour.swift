import ArgumentParser
import Cupola
import CupolaCampus
import CupolaGuide
internal import CupolaTours
import CupolaTraining

// 1. Check, show and simulate tours.
// 2. Make passkeys and redeem them.

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

/// A tour, and the guide whose places it names.
struct TourOptions: ParsableArguments {
  @Argument(help: "The tour.", completion: .file(extensions: ["json"]))
  var tour: String

  @Option(
    help: "The guide of the campus; without it places are known by latitude and longitude only.",
    completion: .directory)
  var guide: String?

  func read() throws -> (tour: Tour, guide: Guide?) {
    (try Tour(path: tour), try guide.map { try Guide(contentsOf: $0) })
  }

  /// The findings about a tour; named places are only checked with a guide.
  func check(_ tour: Tour, _ guide: Guide?) -> (findings: [TourFinding], length: TourLength) {
    let folder = FileAccess.folder(of: self.tour)
    guard let guide else {
      let check = TourCheck(
        of: tour, places: { _ in nil }, media: { TourMediaState.of($0, in: folder) })
      return (check.findings.filter { $0.kind != "unknown_place" }, check.length)
    }
    let check = guide.check(tour, mediaIn: folder)
    return (check.findings, check.length)
  }

  /// The number of named places that were not checked because there is no guide.
  func unchecked(_ tour: Tour, _ guide: Guide?) -> Int {
    guard guide == nil else { return 0 }
    return tour.stops.count { stop in
      if case .named(_) = stop.place { return true }
      return false
    }
  }
}

struct LanguageOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The language, such as de (default: the first of the tour).", valueName: "language"))
  var language: String?

  /// Prints a note if a tour does not have the language.
  func explain(_ tour: Tour) {
    guard let language, !tour.speaks(language) else { return }
    Console.note(
      "note: the tour has no \(language); its languages: "
        + tour.languages.joined(separator: ", "))
  }
}

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
    let (tour, guide) = try options.read()
    let (findings, length) = options.check(tour, guide)
    let unchecked = options.unchecked(tour, guide)
    if json {
      try Console.print(
        json: [
          "schema": "cupola.tour_check/1", "findings": findings.map { JSONObject(finding: $0) },
          "meters": length.meters, "seconds": length.seconds, "places_not_checked": unchecked,
        ] as JSONObject)
    } else {
      for finding in findings { Console.print(line: finding.text) }
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

extension TourFinding: CheckFinding {}

struct TourKeys: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Makes one-time passkeys for groups, and prints them once.",
    discussion: """
      The file keeps no passkey, only salted hashes: what is printed is nowhere else. Each opens the tour \
      once, until --until is over. A file that is there is not replaced.

      EXAMPLE
        cupola guide tour keys tour.json --count 30 --until 2027-07-31 \\
          -o tour-keys.json
      """)

  @Argument(help: "The tour.", completion: .file(extensions: ["json"]))
  var tour: String

  @Option(help: ArgumentHelp("How many.", valueName: "number"))
  var count: Int

  @Option(name: .shortAndLong, help: "The file to write.", completion: .file(extensions: ["json"]))
  var output: String

  @Option(help: "The last day on which they open, such as 2027-07-31 (default: they do not end).")
  var until: String?

  @Option(help: "The time zone of that day, such as Europe/Berlin (default: the device's).")
  var timeZone: String?

  func validate() throws {
    try OutputFile.checkIsFile(output, for: "files of keys")
    try ensure(
      (1...PasskeySet.mostKeys).contains(count),
      "--count must be 1 to \(PasskeySet.mostKeys), not \(count).")
    if let until, LocalTime(until + "T00:00") == nil {
      throw ValidationError("--until must be a day such as 2027-07-31, not \(until).")
    }
    try ensure(
      timeZone == nil || until != nil, "--time-zone is that of the day --until; name that, too.")
  }

  func run() async throws {
    try FileAccess.checkFolder(of: output)
    let tour = try Tour(path: tour)
    let expiry = try expiry()
    let (set, codes) = PasskeySet.make(count: count, tour: tour.id, expiry: expiry)
    // Write the file before the passkeys are printed, and remove it if printing fails.
    try set.create(path: output)
    Console.print(codes.joined(separator: "\n")) { Directory.remove(output) }
    if let expiry, expiry <= LocalTime.secondsSince1970Now {
      Console.note("warning: \(until ?? "that day") is over; these passkeys open nothing")
    }
  }

  private func expiry() throws -> Double? {
    // The last representable day has no end.
    guard let until, let day = LocalTime(until + "T00:00")?.date.adding(days: 1),
      let end = LocalTime(date: day, minute: 0)
    else { return nil }
    guard let seconds = end.secondsSince1970(timeZone: timeZone ?? LocalTime.deviceTimeZone) else {
      throw ValidationError(
        "--time-zone must be the name of a time zone, such as Europe/Berlin, not \(timeZone ?? "")."
      )
    }
    return seconds
  }
}

struct TourRedeem: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redeem",
    abstract: "Opens a tour with a passkey, which opens nothing from then on.",
    discussion: """
      A passkey that was used, is wrong or has ended is refused alike, with the exit code 1.

      EXAMPLE
        cupola guide tour redeem tour-keys.json 7KQ4N-9M2XW-HT3V8
      """)

  @Argument(help: "The file of keys.", completion: .file(extensions: ["json"]))
  var keys: String

  @Argument(help: "The passkey.")
  var passkey: String

  func run() async throws {
    let set = try PasskeySet.redeem(passkey, at: LocalTime.secondsSince1970Now, file: keys)
    Console.print("\(set.tour): open; \(set.unused) of \(set.count) passkeys are left")
  }
}

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
    let (tour, guide) = try options.read()
    language.explain(tour)
    let length = options.check(tour, guide).length
    for line in tour.lines(in: language.language, length: length, answers: answers) {
      Console.print(line: line)
    }
  }
}

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
    try ensure((0...100).contains(noise), "--noise must be 0 to 100 meters, not \(noise).")
    try ensure(
      (0.1...50).contains(speed), "--speed must be 0.1 to 50 meters a second, not \(speed).")
  }

  func run() async throws {
    let (tour, guide) = try options.read()
    var walk = TourSimulation.Walk(points: guide?.walk(along: tour) ?? Self.points(of: tour))
    guard !walk.points.isEmpty else {
      throw GuideError.badFile(
        path: options.tour, problem: "no stop's place is known; name the guide with --guide")
    }
    language.explain(tour)
    (walk.noise, walk.speed) = (noise, speed)
    var random = SplitMix64(seed: seed)
    let visit = guide?.visit(of: tour) ?? TourVisit(of: tour)
    let simulation = TourSimulation(of: visit, walk, using: &random)
    for line in simulation.lines(in: language.language, all: all) { Console.print(line: line) }
  }

  private static func points(of tour: Tour) -> [MapPoint] {
    tour.stops.compactMap { stop in
      guard case .point(let latitude, let longitude) = stop.place else { return nil }
      return MapPoint(latitude: latitude, longitude: longitude)
    }
  }
}

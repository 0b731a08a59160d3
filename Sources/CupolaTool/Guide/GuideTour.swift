import ArgumentParser
import Cupola
import CupolaCampus
import CupolaGuide
internal import CupolaTours
import CupolaTraining

// 1. Check, show and simulate tours.
// 2. Create and redeem passkeys.

struct TourCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tour",
    abstract: "Check, show and simulate tours; create passkeys.",
    discussion: """
      A tour is a JSON file of stops with places, texts, media and questions. See Documentation/Tours.md.

      EXAMPLES
        cupola guide tour check tour.json --guide campus.guide
        cupola guide tour simulate tour.json --guide campus.guide
        cupola guide tour keys tour.json --count 30 -o tour-keys.json
      """,
    subcommands: [
      TourCheckCommand.self, TourShow.self, TourSimulate.self, TourKeys.self, TourRedeem.self,
    ])
}

struct TourOptions: ParsableArguments {
  @Argument(help: "Tour file.", completion: .file(extensions: ["json"]))
  var tour: String

  @Option(
    help: "Guide folder for looking up places specified by name.",
    completion: .directory)
  var guide: String?

  func read() throws -> (tour: Tour, guide: Guide?) {
    (try Tour(path: tour), try guide.map { try Guide(contentsOf: $0) })
  }

  /// Returns the findings about a tour. Places specified by name are checked only if a guide is given.
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
      "Language, such as de. (default: the tour's first language)", valueName: "language"))
  var language: String?

  func explain(_ tour: Tour) {
    guard let language, !tour.speaks(language) else { return }
    Console.note(
      "note: the tour is not available in \(language); its languages: "
        + tour.languages.joined(separator: ", "))
  }
}

struct TourCheckCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a tour for problems that affect visitors.",
    discussion: """
      Reports places that are not in the guide, stops that are not connected by a path, stops that start at the same \
      point, missing media and translations, and questions without a correct answer. Without --guide, places and paths \
      are not checked. If the file is not a valid tour, the location of the error is printed. The exit code is 65 if \
      there is a fault, and 0 if there is only advice.

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
        Console.print(
          unchecked == 0 ? "no problems found" : "no problems found in the parts that were checked")
      }
      Console.print(line: length.text)
    }
    if unchecked > 0 {
      Console.note(
        "note: \(FigureText.count(unchecked, "place")) not checked; give the guide with --guide")
    }
    if findings.contains(where: { !$0.isAdvice }) { throw ExitStatus.badData }
  }
}

extension TourFinding: CheckFinding {}

struct TourKeys: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Create and print one-time passkeys for a tour.",
    discussion: """
      Each passkey works once and expires at the end of the --until day. Save the printed passkeys, because the file \
      contains only their salted hashes. An existing file is not replaced.

      EXAMPLE
        cupola guide tour keys tour.json --count 30 --until 2027-07-31 \\
          -o tour-keys.json
      """)

  @Argument(help: "Tour file.", completion: .file(extensions: ["json"]))
  var tour: String

  @Option(help: ArgumentHelp("Number of passkeys.", valueName: "number"))
  var count: Int

  @Option(name: .shortAndLong, help: "Key file to write.", completion: .file(extensions: ["json"]))
  var output: String

  @Option(help: "Last valid day, such as 2027-07-31. (default: none)")
  var until: String?

  @Option(help: "Time zone, such as Europe/Berlin. (default: local)")
  var timeZone: String?

  func validate() throws {
    try OutputFile.checkIsFile(output, for: "key files")
    try ensure(
      (1...PasskeySet.mostKeys).contains(count),
      "--count must be 1 to \(PasskeySet.mostKeys), not \(count)")
    if let until, LocalTime(until + "T00:00") == nil {
      throw ValidationError("--until must be a day such as 2027-07-31, not \(until)")
    }
    try ensure(timeZone == nil || until != nil, "--time-zone requires --until")
  }

  func run() async throws {
    try FileAccess.checkFolder(of: output)
    let tour = try Tour(path: tour)
    let expiry = try expiry()
    let (set, codes) = PasskeySet.make(count: count, tour: tour.id, expiry: expiry)
    // Write the file before printing the passkeys, and remove it if they cannot be printed.
    try set.create(path: output)
    Console.print(codes.joined(separator: "\n")) { Directory.remove(output) }
    if let expiry, expiry <= LocalTime.secondsSince1970Now {
      Console.note("warning: \(until ?? "the day") is in the past; these passkeys have expired")
    }
  }

  private func expiry() throws -> Double? {
    // The end of the last representable day cannot be represented.
    guard let until, let day = LocalTime(until + "T00:00")?.date.adding(days: 1),
      let end = LocalTime(date: day, minute: 0)
    else { return nil }
    guard let seconds = end.secondsSince1970(timeZone: timeZone ?? LocalTime.deviceTimeZone) else {
      throw ValidationError(
        "--time-zone must be the name of a time zone, such as Europe/Berlin, not \(timeZone ?? "")")
    }
    return seconds
  }
}

struct TourRedeem: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redeem",
    abstract: "Redeem a one-time passkey.",
    discussion: """
      Used, wrong and expired passkeys are all rejected with the same message and exit code 1.

      EXAMPLE
        cupola guide tour redeem tour-keys.json 7KQ4N-9M2XW-HT3V8
      """)

  @Argument(help: "Key file.", completion: .file(extensions: ["json"]))
  var keys: String

  @Argument(help: "Passkey to redeem.")
  var passkey: String

  func run() async throws {
    let set = try PasskeySet.redeem(passkey, at: LocalTime.secondsSince1970Now, file: keys)
    Console.print("\(set.tour): opened; \(set.unused) of \(set.count) passkeys left")
  }
}

struct TourShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print a tour as plain text.",
    discussion: """
      EXAMPLE
        cupola guide tour show tour.json --language de
      """)

  @OptionGroup var options: TourOptions
  @OptionGroup var language: LanguageOption

  @Flag(help: "Mark the correct answers.")
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
    abstract: "Simulate a visit with inaccurate positions.",
    discussion: """
      The simulated visitor walks along the guide's paths from stop to stop in file order, pauses at each stop, and \
      answers questions correctly. The announcements are printed. The same seed produces the same walk.

      EXAMPLE
        cupola guide tour simulate tour.json --guide campus.guide --noise 8
      """)

  @OptionGroup var options: TourOptions
  @OptionGroup var language: LanguageOption

  @Option(help: "Standard deviation of position errors in meters.")
  var noise = 4.0

  @Option(help: "Walking speed in meters per second.")
  var speed = 1.3

  @Option(help: "Random seed for the position errors.")
  var seed: UInt64 = 0

  @Flag(help: "Print every second, even without an announcement.")
  var all = false

  func validate() throws {
    try ensure((0...100).contains(noise), "--noise must be 0 to 100 meters, not \(noise)")
    try ensure(
      (0.1...50).contains(speed), "--speed must be 0.1 to 50 meters per second, not \(speed)")
  }

  func run() async throws {
    let (tour, guide) = try options.read()
    var walk = TourSimulation.Walk(points: guide?.walk(along: tour) ?? Self.points(of: tour))
    guard !walk.points.isEmpty else {
      throw GuideError.badFile(
        path: options.tour,
        problem: "the position of every stop is unknown; give the guide with --guide")
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

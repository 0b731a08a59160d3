import ArgumentParser
import Cupola
import CupolaCampus
import CupolaTraining

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// Options and checks that several commands share:
// 1. `ensure` and `refuse` reject a command line.
// 2. `CommonOptions` has threads, decoding and progress; `JSONForms` checks the output formats.
// 3. `OutputFile` rejects outputs that are inputs.
// 4. `Clock`, `Coordinates` and `PlaceOptions` read times, positions and headings.

/// Refuses a command line unless a condition holds.
func ensure(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
  if !condition { throw ValidationError(problem()) }
}

/// Refuses a command line where a condition holds.
func refuse(if condition: Bool, _ problem: @autoclosure () -> String) throws {
  if condition { throw ValidationError(problem()) }
}

func checkLimit(_ limit: Int) throws {
  try ensure(limit > 0, "--limit must be 1 or more, not \(limit).")
}

struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("threads"),
    help: ArgumentHelp(
      "Photos worked on at a time (default: one a core).", valueName: "threads"))
  var threadsAsked: Int?

  @Flag(help: "Accept photos whose data end early or are damaged.")
  var lenient = false

  @Flag(name: .shortAndLong, help: "No progress.")
  var quiet = false

  var threads: Int { threadsAsked ?? Self.cores }

  static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  func validate() throws {
    try ensure((1...1024).contains(threads), "--threads must be 1 to 1024, not \(threads).")
  }

  func checkUnused(with tables: TableOptions, without option: String) throws {
    try ensure(
      threadsAsked == nil && !lenient && !tables.allowOutside,
      "Without \(option) no photo is read: leave out --threads, --lenient and --allow-outside.")
  }

  var decoder: PhotoDecoder {
    var decoder = PhotoDecoder()
    decoder.lenient = lenient
    return decoder
  }
}

enum JSONForms {
  /// Refuses both at once, of which one would do nothing.
  static func check(json: Bool, jsonl: Bool) throws {
    guard json, jsonl else { return }
    throw ValidationError("--json is one array, --jsonl a line for each answer: leave one out.")
  }
}

enum OutputFile {
  /// Refuses an output that is one of the files that a command reads, by whatever name.
  ///
  /// - Parameters:
  ///   - option: what the output is called.
  ///   - inputs: asked for only where the output is there: else it is nothing that is read.
  static func check(
    _ output: String?, as option: String = "--output",
    isNoneOf inputs: @autoclosure () throws -> [String?]
  ) throws {
    guard let output, let own = Directory.Identity(of: output) else { return }
    for input in try inputs().compactMap(\.self) where Directory.Identity(of: input) == own {
      throw ValidationError("\(option) is \(input) itself; name another file.")
    }
  }

  /// Refuses stdout, which others write to by this name.
  static func checkIsNoStream(
    _ output: String?, as option: String = "--output", for kind: String
  ) throws {
    guard output == "-" else { return }
    throw ValidationError("\(option) must be a file, not -: \(kind) are not written to stdout.")
  }

  /// Whether two outputs are one file, by whatever names, also before it is there.
  static func areOne(_ output: String, _ other: String) -> Bool {
    if output == other || FileAccess.isSameFile(output, other) { return true }
    let names = [output, other].map { $0.split(separator: "/").last }
    return names[0] == names[1]
      && FileAccess.isSameFile(FileAccess.folder(of: output), FileAccess.folder(of: other))
  }

  /// The tables that divide photos: the one that is named, or those of their folders.
  static func tables(_ split: String?, in folders: [String?]) -> [String?] {
    [split] + folders.map { folder in folder.map { $0 + "/split.csv" } }
  }

  /// All files of a folder; none where it cannot be read.
  static func files(in folder: String?) -> [String?] {
    guard let folder else { return [] }
    return ((try? Directory.entries(of: folder)) ?? []).map { folder + "/" + $0.name }
  }
}

/// What time it is: the one place that is asked.
enum Clock {
  /// Whether digits are a date: whoever types 2026 or 20261123 does not mean a moment of the seventies.
  static func isDate(_ text: String) -> Bool {
    [4, 8].contains(text.utf8.count) && Digits.number(text) != nil
  }

  /// Now, or the moment that SOURCE_DATE_EPOCH names in seconds since 1970, so that what is made twice is the
  /// same.
  static var now: UTCDate? {
    let seconds = Console.environment("SOURCE_DATE_EPOCH").flatMap { Int($0) }
    return UTCDate(secondsSince1970: seconds ?? Int(Date().timeIntervalSince1970))
  }
}

struct Coordinates: ExpressibleByArgument {
  let latitude: Double
  let longitude: Double

  init?(argument: String) {
    let numbers = Coordinates.numbers(argument)
    guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1],
      Position(latitude: latitude, longitude: longitude) != nil
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// What stands between commas, `nil` where it is no number.
  static func numbers(_ text: some StringProtocol) -> [Double?] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop { $0 == " " })
    }
  }

  static func parsed(_ argument: String) throws -> Coordinates {
    if let coordinates = Coordinates(argument: argument) { return coordinates }
    let numbers = numbers(argument).compactMap(\.self)
    try ensure(numbers.count == 2, "it must be LAT,LON in degrees, such as 48.3000,10.9000")
    try refuse(
      if: Position(latitude: numbers[1], longitude: numbers[0]) != nil,
      "latitude comes first and is at most 90 degrees; did you mean "
        + "\(FigureText.decimal(numbers[1], digits: 4)),\(FigureText.decimal(numbers[0], digits: 4))?"
    )
    throw ValidationError("latitudes are -90 to 90 degrees, longitudes -180 to 180")
  }

  /// The same with latitude and longitude exchanged; `nil` where that is no place.
  var exchanged: Coordinates? { Coordinates(argument: "\(longitude),\(latitude)") }

  static func checkHeading(_ degrees: Double) throws {
    try ensure(
      degrees >= -180 && degrees <= 360,
      "--heading must be 0 to 360 degrees clockwise from true north (90 is east), not \(degrees).")
  }

  static func checkError(_ meters: Double) throws {
    try ensure(meters >= 0 && meters.isFinite, "--position-error must be 0 or more meters.")
  }

  func position(error: Double?) -> Position? {
    Position(latitude: latitude, longitude: longitude, horizontalError: error)
  }
}

struct PlaceOptions: ParsableArguments {
  // Unconditional, because many a latitude begins with a minus sign.
  @Option(
    parsing: .unconditional, help: "Where it was taken, degrees LAT,LON.",
    transform: Coordinates.parsed)
  var at: Coordinates?

  @Option(help: "Meters within which positions are right that do not say so themselves.")
  var positionError: Double?

  @Option(
    parsing: .unconditional, help: "Where the camera looked, degrees clockwise from true north.")
  var heading: Double?

  @Flag(help: "Ignore all positions and headings.")
  var noPlace = false

  func validate() throws {
    if let heading { try Coordinates.checkHeading(heading) }
    if let positionError { try Coordinates.checkError(positionError) }
  }

  var givenHeading: Heading? { heading.flatMap { Heading(degrees: $0) } }

  /// The position that was given, or that of a photo's EXIF when it lacks the error that is given.
  func position(of photo: Photo?) -> Position? {
    guard at != nil || positionError != nil && !noPlace else { return nil }
    return position(else: photo?.metadata.position)
  }

  /// The position that was given, or else another one, with the error that is given where it lacks its own.
  func position(else other: Position?) -> Position? {
    if let at { return at.position(error: positionError) }
    return other.flatMap { $0.with(horizontalError: $0.horizontalError ?? positionError) }
  }
}

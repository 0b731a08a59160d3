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

// Options and checks shared by several commands:
// 1. Reject invalid command lines (`ensure`, `reject`).
// 2. Parse options for threads, decoding and progress (`CommonOptions`), and check output formats (`JSONForms`).
// 3. Reject outputs that would overwrite inputs (`OutputFile`).
// 4. Supply positions from tracks (`TrackOptions`).
// 5. Parse times, positions and headings (`Clock`, `Coordinates`, `PlaceOptions`).

func ensure(_ condition: Bool, _ problem: @autoclosure () -> String) throws {
  if !condition { throw ValidationError(problem()) }
}

func reject(if condition: Bool, _ problem: @autoclosure () -> String) throws {
  if condition { throw ValidationError(problem()) }
}

func checkLimit(_ limit: Int) throws {
  try ensure(limit > 0, "--limit must be 1 or more, not \(limit)")
}

struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("threads"),
    help: ArgumentHelp(
      "Number of photos to process in parallel. (default: CPU cores)", valueName: "threads"))
  var requestedThreads: Int?

  @Flag(help: "Accept truncated or damaged photos.")
  var lenient = false

  @Flag(name: .shortAndLong, help: "Hide progress.")
  var quiet = false

  var threads: Int { requestedThreads ?? Self.cores }

  static var cores: Int { max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))) }

  func validate() throws {
    try ensure((1...1024).contains(threads), "--threads must be 1 to 1024, not \(threads)")
  }

  func checkUnused(with tables: TableOptions, without option: String) throws {
    try ensure(
      requestedThreads == nil && !lenient && !tables.allowOutside,
      "--threads, --lenient and --allow-outside require \(option)")
  }

  var decoder: PhotoDecoder {
    var decoder = PhotoDecoder()
    decoder.lenient = lenient
    return decoder
  }
}

struct TrackOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "GPX track that supplies positions to photos without one, by their times. Can be repeated.",
      valueName: "file"),
    completion: .file(extensions: ["gpx"]))
  var track: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Time zone of the camera, such as +02:00, for photos without one.", valueName: "offset"))
  var trackZone: String?

  func validate() throws {
    guard let trackZone else { return }
    try ensure(!track.isEmpty, "--track-zone requires --track")
    try ensure(
      UTCOffset.seconds(trackZone) != nil,
      "--track-zone must be an offset from UTC such as +02:00, not \(trackZone)")
  }

  /// Reads the tracks; returns `nil` without any.
  func positions() throws -> TrackPositions? {
    guard !track.isEmpty else { return nil }
    return TrackPositions(
      try GPXTrack(contentsOf: track), zone: trackZone.flatMap(UTCOffset.seconds))
  }
}

extension PhotoDecoder {
  /// Returns the decoder with positions from a track.
  func locating(by positions: TrackPositions?) -> PhotoDecoder {
    var decoder = self
    if let positions {
      decoder.locate = { path, metadata in positions.position(of: path, metadata) }
    }
    return decoder
  }
}

enum JSONForms {
  static func check(json: Bool, jsonl: Bool) throws {
    guard json, jsonl else { return }
    throw ValidationError("use --json (one array) or --jsonl (one object per line), not both")
  }
}

enum OutputFile {
  /// Rejects an output that is one of the input files. The inputs are evaluated only if the output exists.
  static func check(
    _ output: String?, as option: String = "--output",
    isNotAmong inputs: @autoclosure () throws -> [String?]
  ) throws {
    guard let output, let own = Directory.Identity(of: output) else { return }
    for input in try inputs().compactMap(\.self) where Directory.Identity(of: input) == own {
      throw ValidationError("\(option) would overwrite the input \(input); choose another file")
    }
  }

  /// Rejects a folder that is one of the photo folders or inside of one; there, it would become a label.
  static func check(
    folder: String?, as option: String, isOutside photoFolders: [String?]
  ) throws {
    guard let folder else { return }
    let path = PhotoSet.withoutSlash(folder)
    let place = FileAccess.resolved(path) == nil ? FileAccess.folder(of: path) : path
    for photos in photoFolders.compactMap(\.self) {
      try reject(
        if: contains(photos, place),
        "\(option) \(folder) is in the photo folder \(photos); choose a folder outside")
    }
  }

  /// Whether a folder is another one or contains it.
  static func contains(_ folder: String, _ inner: String) -> Bool {
    guard let root = FileAccess.resolved(folder), let own = FileAccess.resolved(inner) else {
      return false
    }
    return own == root || FileAccess.isBelow(own, folder: root)
  }

  static func checkIsFile(
    _ output: String?, as option: String = "--output", for kind: String
  ) throws {
    guard output == "-" else { return }
    throw ValidationError("\(option) must be a file, not -; \(kind) cannot be written to stdout")
  }

  /// Whether two output paths refer to the same file, which might not exist yet.
  static func areSame(_ output: String, _ other: String) -> Bool {
    if output == other || FileAccess.isSameFile(output, other) { return true }
    let names = [output, other].map { $0.split(separator: "/").last }
    return names[0] == names[1]
      && FileAccess.isSameFile(FileAccess.folder(of: output), FileAccess.folder(of: other))
  }

  static func tables(_ split: String?, in folders: [String?]) -> [String?] {
    [split] + folders.map { folder in folder.map { $0 + "/split.csv" } }
  }

  static func files(in folder: String?) -> [String?] {
    guard let folder else { return [] }
    return ((try? Directory.entries(of: folder)) ?? []).map { folder + "/" + $0.name }
  }
}

enum Clock {
  /// Whether a number is a year or a date, such as 2026 or 20261123, rather than seconds since 1970.
  static func isDate(_ text: String) -> Bool {
    [4, 8].contains(text.utf8.count) && Digits.number(text) != nil
  }

  /// The current time. `SOURCE_DATE_EPOCH` (seconds since 1970) replaces it for reproducible output.
  static var now: UTCDate? { UTCDate(secondsSince1970: seconds) }

  /// The current time in seconds since 1970, or `SOURCE_DATE_EPOCH`.
  static var seconds: Int {
    Console.environment("SOURCE_DATE_EPOCH").flatMap { Int($0) }
      ?? Int(Date().timeIntervalSince1970)
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

  static func numbers(_ text: some StringProtocol) -> [Double?] {
    text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      Double(part.drop { $0 == " " })
    }
  }

  static func parsed(_ argument: String) throws -> Coordinates {
    if let coordinates = Coordinates(argument: argument) { return coordinates }
    let numbers = numbers(argument).compactMap(\.self)
    try ensure(numbers.count == 2, "must be LAT,LON in degrees, such as 48.3000,10.9000")
    try reject(
      if: Position(latitude: numbers[1], longitude: numbers[0]) != nil,
      "latitude comes first and is at most 90 degrees; did you mean "
        + "\(FigureText.decimal(numbers[1], digits: 4)),\(FigureText.decimal(numbers[0], digits: 4))?"
    )
    throw ValidationError("latitude must be -90 to 90 degrees, longitude -180 to 180")
  }

  var swapped: Coordinates? { Coordinates(argument: "\(longitude),\(latitude)") }

  static func checkHeading(_ degrees: Double) throws {
    try ensure(
      degrees >= -180 && degrees <= 360,
      "--heading must be 0 to 360 degrees clockwise from true north (90 is east), not \(degrees)")
  }

  static func checkError(_ meters: Double) throws {
    try ensure(meters >= 0 && meters.isFinite, "--position-error must be 0 or more meters")
  }

  func position(error: Double?) -> Position? {
    Position(latitude: latitude, longitude: longitude, horizontalError: error)
  }
}

struct PlaceOptions: ParsableArguments {
  @Option(
    parsing: .unconditional, help: "Camera position as LAT,LON in degrees.",
    transform: Coordinates.parsed)
  var at: Coordinates?

  @Option(help: "Accuracy in meters for positions without one.")
  var positionError: Double?

  @Option(
    parsing: .unconditional, help: "Camera heading in degrees clockwise from true north.")
  var heading: Double?

  @Flag(help: "Ignore positions and headings.")
  var noPlace = false

  func validate() throws {
    if let heading { try Coordinates.checkHeading(heading) }
    if let positionError { try Coordinates.checkError(positionError) }
  }

  var givenHeading: Heading? { heading.flatMap { Heading(degrees: $0) } }

  /// Returns the position that replaces a photo's EXIF position; `nil` to keep the EXIF position.
  func position(of photo: Photo?) -> Position? {
    guard at != nil || positionError != nil && !noPlace else { return nil }
    return position(else: photo?.metadata.position)
  }

  /// Returns `--at` or otherwise `other`. If the position has no accuracy, it gets that of `--position-error`.
  func position(else other: Position?) -> Position? {
    if let at { return at.position(error: positionError) }
    return other.flatMap { $0.with(horizontalError: $0.horizontalError ?? positionError) }
  }
}

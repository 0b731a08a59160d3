import ArgumentParser
import CupolaCampus
import CupolaGuide

/// `cupola guide tour keys`.
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
    try OutputFile.checkIsNoStream(output, for: "files of keys")
    guard (1...PasskeySet.mostKeys).contains(count) else {
      throw ValidationError("--count must be 1 to \(PasskeySet.mostKeys), not \(count).")
    }
    if let until, LocalTime(until + "T00:00") == nil {
      throw ValidationError("--until must be a day such as 2027-07-31, not \(until).")
    }
    guard timeZone == nil || until != nil else {
      throw ValidationError("--time-zone is that of the day --until; name that, too.")
    }
  }

  func run() async throws {
    Console.exitOnInterrupt()
    try await ExitStatus.reporting {
      try FileAccess.checkFolder(of: output)
      let tour = try Tour(path: tour)
      let expiry = try expiry()
      let (set, codes) = PasskeySet.make(count: count, tour: tour.id, expiry: expiry)
      // Nobody gets a passkey that no file knows, and no file stays whose passkeys nobody got.
      try set.create(path: output)
      Console.print(codes.joined(separator: "\n")) { Directory.remove(output) }
      if let expiry, expiry <= LocalTime.secondsSince1970Now {
        Console.note("warning: \(until ?? "that day") is over; these passkeys open nothing")
      }
    }
  }

  /// When the day is over.
  private func expiry() throws -> Double? {
    // The last day that there is does not end.
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

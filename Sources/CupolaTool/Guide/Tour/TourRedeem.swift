import ArgumentParser
import CupolaGuide

/// `cupola guide tour redeem`.
struct TourRedeem: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "redeem",
    abstract: "Opens a tour with a passkey, which opens nothing from then on.",
    discussion: """
      A passkey that was used, is wrong or has ended, and too many tries, are refused alike, with the exit \
      code 1; the file remembers. --forgive lets everybody try again.

      EXAMPLE
        cupola guide tour redeem tour-keys.json 7KQ4N-9M2XW-HT3V8
      """)

  @Argument(help: "The file of keys.", completion: .file(extensions: ["json"]))
  var keys: String

  @Argument(help: "The passkey.")
  var passkey: String?

  @Option(help: ArgumentHelp("Who tries, such as an address.", valueName: "text"))
  var origin: String?

  @Flag(help: "Let everybody try again who was wrong too often.")
  var forgive = false

  func validate() throws {
    guard forgive != (passkey != nil) else {
      throw ValidationError("Name a passkey, or --forgive.")
    }
  }

  func run() async throws {
    try await ExitStatus.reporting {
      guard let passkey else {
        try PasskeySet.forgive(file: keys)
        return
      }
      let set = try PasskeySet.redeem(
        passkey, at: LocalTime.secondsSince1970Now, origin: origin, file: keys)
      Console.print("\(set.tour): open; \(set.unused) of \(set.count) passkeys are left")
    }
  }
}

import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola guide tour") struct TourCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    for (name, bytes) in try GuideTests.built.get() { try folder.write(Array(bytes), to: name) }
    try folder.write(Self.tour(), to: "tour.json")
  }

  static func tour(lastPlace: String = "North Hall") -> String {
    """
    {"format": "cupola.tour/1", "id": "two", "languages": ["en"], "order": "fixed", "title": "Two halls",
     "stops": [
       {"id": "library", "title": "Library", "place": "Old Library", "radius": 30,
        "questions": [{"text": "How many steps?", "number": 12}]},
       {"id": "hall", "title": "Hall", "place": "\(lastPlace)", "radius": 30, "text": "The end."}]}
    """
  }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(["guide", "tour"] + arguments, in: folder)
  }

  @Test("A valid tour is reported with its walking distance")
  func check() throws {
    let output = try run("check", "tour.json", "--guide", "campus.guide")
    expectSuccess(output)
    #expect(output.stdout.hasPrefix("no problems found\n") && output.stdout.contains("m on foot"))
    let json = try run("check", "tour.json", "--guide", "campus.guide", "--json")
    #expect(json.stdout.contains("\"schema\" : \"cupola.tour_check/1\""))
  }

  @Test("An unknown place is a fault, or a note without a guide")
  func unknownPlace() throws {
    try folder.write(Self.tour(lastPlace: "Nowhere Hall"), to: "tour.json")
    let output = try run("check", "tour.json", "--guide", "campus.guide")
    #expect(output.status == 65 && output.stdout.contains("ambiguous place \"Nowhere Hall\""))
    let alone = try run("check", "tour.json")
    expectSuccess(alone)
    #expect(alone.stdout.hasPrefix("no problems found in the parts that were checked\n"))
    #expect(alone.stderr == "note: 2 places not checked; give the guide with --guide\n")
    let json = try run("check", "tour.json", "--json")
    #expect(json.stdout.contains("\"places_not_checked\" : 2"))
  }

  @Test("An invalid tour exits with 65 and one line")
  func noTour() throws {
    try folder.write(
      Self.tour().replacing("\"radius\": 30", with: "\"radius\": 3000"), to: "tour.json")
    for command in ["check", "show", "simulate"] {
      let output = try run(command, "tour.json")
      #expect(output.status == 65 && output.stdout.isEmpty)
      #expect(output.stderr.contains("tour.json: ") && output.stderr.contains("stops[0].radius"))
      #expect(output.stderr.count { $0 == "\n" } == 1)
    }
    #expect(try run("show", "missing.json").status == 66)
  }

  @Test("A simulated visit passes all stops reproducibly")
  func simulate() throws {
    let output = try run("simulate", "tour.json", "--guide", "campus.guide", "--seed", "7")
    expectSuccess(output)
    #expect(
      output.stdout.contains("You are at Library") && output.stdout.contains("You are at Hall"))
    #expect(output.stdout.hasSuffix("2 of 2 stops passed, 1 of 1 points\n"))
    let again = try run("simulate", "tour.json", "--guide", "campus.guide", "--seed", "7")
    #expect(again.stdout == output.stdout)
    let lost = try run("simulate", "tour.json")
    #expect(lost.status == 65 && lost.stderr.contains("--guide"))
  }

  @Test("A missing language is noted")
  func otherLanguage() throws {
    for command in ["show", "simulate"] {
      func run(_ language: String) throws -> Tool.Output {
        try self.run(
          command, "tour.json", "--guide", "campus.guide", "--language", language)
      }
      let (french, english) = (try run("fr"), try run("en-GB"))
      expectSuccess(french)
      #expect(french.stderr == "note: the tour is not available in fr; its languages: en\n")
      #expect(french.stdout == english.stdout && english.stderr.isEmpty)
    }
  }

  @Test("A passkey works once, and all refusals look alike")
  func passkeys() throws {
    let made = try run("keys", "tour.json", "--count", "2", "-o", "keys.json")
    expectSuccess(made)
    let keys = made.stdout.split(separator: "\n").map(String.init)
    #expect(Set(keys).count == 2)
    let file = try folder.bytes("keys.json")
    #expect(!keys.contains { String(decoding: file, as: UTF8.self).contains($0) })
    expectFailure(
      try run("keys", "tour.json", "--count", "1", "-o", "keys.json"), 73, "keys.json",
      "existing files are not overwritten: choose another file")
    #expect(try folder.bytes("keys.json") == file)
    expectFailure(
      try run("keys", "tour.json", "--count", "1", "-o", "none/keys.json"), 73,
      "none/keys.json: the folder none does not exist; create it first")
    let first = try run("redeem", "keys.json", keys[0].lowercased())
    expectSuccess(first)
    #expect(first.stdout == "two: opened; 1 of 2 passkeys left\n")
    let refused = [keys[0], "00000-00000-00000", "nonsense"].map {
      try? run("redeem", "keys.json", $0)
    }
    for output in refused {
      #expect(output?.status == 1 && output?.stdout == "")
      #expect(output?.stderr == refused[0]?.stderr)
    }
    expectSuccess(try run("redeem", "keys.json", keys[1]))
  }

  @Test(
    "Keys that could not be printed leave no file",
    .enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func unseenKeys() throws {
    let arguments = ["guide", "tour", "keys", "tour.json", "--count", "2", "-o", "keys.json"]
    let full = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    let closed = Pipe()
    try closed.fileHandleForReading.close()
    for output in [full, closed.fileHandleForWriting] {
      let process = try Tool.process(arguments, in: folder)
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .uncaughtSignal || process.terminationStatus == 74)
      #expect(!FileManager.default.fileExists(atPath: folder.path("keys.json")))
    }
    expectSuccess(try Tool.run(arguments, in: folder))
  }

  @Test("Expired keys do not work")
  func expiredKeys() throws {
    let made = try run(
      "keys", "tour.json", "--count", "1", "-o", "keys.json", "--until", "2001-01-01",
      "--time-zone", "Europe/Berlin")
    let key = made.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    #expect(try run("redeem", "keys.json", key).status == 1)
    #expect(made.stderr == "warning: 2001-01-01 is in the past; these passkeys have expired\n")
    let zone = try run(
      "keys", "tour.json", "--count", "1", "-o", "more.json", "--time-zone", "Europe/Berlin")
    #expect(zone.status == 64 && zone.stderr.contains("--until"))
  }
}

import Cupola
import CupolaTestSupport
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("cupola train")
struct TrainTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try TinyCampus.writePhotos(to: folder)
    try folder.write(TinyCampus.map, to: "campus.geojson")
  }

  /// Trains with HOG features, which are fastest.
  func train(_ options: String...) throws -> Tool.Output {
    try Tool.run(
      ["train", "photos", "-o", "m.safetensors", "--features", "hog", "--quiet"] + options,
      in: folder)
  }

  @Test("Prints a summary")
  func summary() throws {
    let output = try train("--campus", "campus.geojson", "--verbose", "--regularisation", "10")
    expectSuccess(output)
    try expectSnapshot(output.stdout.withoutFigures + "stderr:\n" + output.stderr, "train")
  }

  @Test("Map buildings are joined with labels of the same name")
  func mapNames() throws {
    try folder.write(TinyCampus.openStreetMap, to: "osm.geojson")
    let output = try train("--campus", "osm.geojson")
    expectSuccess(output)
    #expect(output.messages.contains("matched with the map: Arch is arch"))
    #expect(
      output.messages.filter { $0.contains("map") }.dropFirst() == [
        "warning: possibly the same building: barn and Red Barn (way/2) on the map; set this label on the map, "
          + "or rename the folder",
        "warning: cone is not on the map; add a building with this label, ID or name",
      ])
    let campus = try Model(bytes: try folder.bytes("m.safetensors")).campus
    #expect(campus?.building(labeled: "arch")?.name == "Arch")
    #expect(campus?.buildings.map(\.label) == ["arch", "way/2", "way/3"])
    try folder.write(
      TinyCampus.openStreetMap.replacing("Arch", with: "Mill").replacing("Barn", with: "Gate"),
      to: "osm.geojson")
    let none = try train("--campus", "osm.geojson")
    #expect(
      none.messages.filter { $0.contains("map") } == [
        "warning: none of the labels is on the map; set each building's label, ID or name to its folder name"
      ])
  }

  @Test("Prints the summary as JSON")
  func json() throws {
    let output = try train("--json", "--seed", "7")
    expectSuccess(output)
    let summary = try #require(try output.json() as? [String: Any])
    #expect(
      summary.keys.sorted() == [
        "bytes", "classifier", "converged", "cross_validation", "false_rejection_rate",
        "features_computed",
        "features_reused", "held_back", "held_out_accuracy", "held_out_answers", "held_out_loss",
        "ignored",
        "iterations", "labels", "least_share", "model",
        "photos",
        "regularisation", "schema", "sha256", "skipped", "temperature", "warnings", "weights",
      ])
    #expect(summary["schema"] as? String == "cupola.training/1")
    #expect(summary["model"] as? String == "m.safetensors")
    #expect(
      summary["labels"] as? [String: Int] == ["_street": 4, "arch": 4, "barn": 4, "cone": 4])
    #expect(summary["photos"] as? Int == 16)
    #expect(summary["held_back"] as? Int == 8)
    #expect(summary["bytes"] as? Int == (try folder.bytes("m.safetensors").count))
    #expect(summary["least_share"] as? Double == 0)
    #expect(summary["false_rejection_rate"] as? Double == 0)
    let trials = try #require(summary["cross_validation"] as? [[String: Any]])
    #expect(
      trials.allSatisfy { $0.keys.sorted() == ["accuracy", "loss", "regularisation"] })
    let warnings = try #require(summary["warnings"] as? [String])
    #expect(warnings.count { $0.contains("cannot be guaranteed") } == 1)
  }

  @Test("Held-out photos and buildings are counted")
  func heldOut() throws {
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table.replacing(/,barn\d/, with: ",barn"), to: "photos/split.csv")
    let output = try train()
    expectSuccess(output)
    #expect(
      output.stdout.contains(
        /\nexpected: \d right, \d wrong, \d unsure, \d rejected of 8 training photos of 2 of 3 buildings\. .+ other photos\. 4 other photos of barn cannot be held out, because too few photos of their building would be left/
      ))
    #expect(
      output.stderr.contains(
        "cannot be guaranteed: training held out only 8 photos of known buildings"))
  }

  @Test("Features follow the option, and Fisher is the default")
  func features() throws {
    expectSuccess(try train())
    #expect(try Model(contentsOf: folder.path("m.safetensors")).recipe == .hog)
    let output = try Tool.run(
      ["train", "photos", "-o", "f.safetensors", "--verbose", "-q"], in: folder)
    expectSuccess(output)
    let table = output.stdout.split(separator: "\n")
    let header = try #require(table.firstIndex { $0.contains("color weight") })
    #expect(
      table[header].split(separator: " ").joined(separator: " ")
        == "whitening regularization color weight accuracy loss")
    // Five settings with the usual color weight and two with others; one is chosen.
    let rows = table[(header + 1)...].prefix { $0.hasPrefix("  ") }
    #expect(rows.count == 7 && rows.count { $0.contains("(chosen)") } == 1)
    #expect(rows.suffix(2).map { $0.contains(" 0.20 ") || $0.contains(" 0.50 ") } == [true, true])
    let model = try Model(contentsOf: folder.path("f.safetensors"))
    #expect(model.recipe.features.kind == "fisher")
    let again = try Tool.run(
      ["train", "photos", "-o", "g.safetensors", "--features", "fisher", "-q", "--json"],
      in: folder)
    expectSuccess(again)
    let summary = try #require(try again.json() as? [String: Any])
    let weight = try #require(summary["colour_weight"] as? Double)
    #expect(Float(weight) == model.recipe.colorWeight)
    let trials = try #require(summary["cross_validation"] as? [[String: Any]])
    #expect(trials.compactMap { $0["colour_weight"] as? Double }.contains(weight))
    #expect(trials.count == 7)
    #expect(try folder.bytes("g.safetensors") == folder.bytes("f.safetensors"))
  }

  @Test("The model does not depend on threads and folder")
  func reproducible() throws {
    expectSuccess(try train("--threads", "1", "--no-cache"))
    let first = try folder.bytes("m.safetensors")
    expectSuccess(try train("--threads", "3", "--no-cache"))
    #expect(try folder.bytes("m.safetensors") == first)
    let elsewhere = try TemporaryFolder()
    let absolute = folder.path("photos") + "/"
    expectSuccess(
      try Tool.run(
        ["train", absolute, "-o", "other", "--features", "hog", "-q", "--no-cache"],
        in: elsewhere))
    #expect(try elsewhere.bytes("other") == first)
  }

  @Test("Negatives join the background, and other files are counted")
  func negatives() throws {
    try folder.write(try TinyCampus.jpeg(.street, seed: 50), to: "other/deep/1.jpg")
    try folder.write("notes", to: "other/notes.txt")
    try folder.touch("other/1.mp4", "other/deep/2.mov", "other/.DS_Store", "other/Thumbs.db")
    let output = try train("--negatives", "other")
    expectSuccess(output)
    #expect(output.stdout.contains("trained on 12 photos of 3 buildings, 5 non-building photos;"))
    #expect(output.stdout.contains("\nignored: 2 videos, 1 other file\n"))
    let json = try #require(try train("--negatives", "other", "--json").json() as? [String: Any])
    #expect(
      json["ignored"] as? [String: Int] == ["videos": 2, "other_files": 1, "repeated_folders": 0])
    #expect(output.stderr.contains("photos: _not_a_building 1, "))
  }

  @Test("A fifth of the negatives is set aside if other photos are, too")
  func negativesForTesting() throws {
    for number in 1...11 {
      let place = number < 9 ? "other/parks" : "other/rooms"
      try folder.write(
        try TinyCampus.jpeg(.street, seed: UInt64(50 + number)), to: "\(place)/\(10 + number).jpg")
    }
    let output = try train("--negatives", "other")
    expectSuccess(output)
    #expect(
      output.stdout.contains(
        "14 non-building photos; set aside for testing: 6 photos of these buildings, 3 non-building photos\n"
      ))
    let next = "cupola evaluate m.safetensors photos --negatives other --report report"
    #expect(output.stdout.contains("\nnext: \(next)\n"))
    let report = try Tool.run(
      ["evaluate", "m.safetensors", "photos", "--negatives", "other", "-q", "--json"], in: folder)
    expectSuccess(report)
    #expect(
      report.stderr.contains(" non-building photos were used for training and are not evaluated"))
    let figures = try #require(try report.json() as? [String: Any])
    // Two photos of the table, and the held-back photo of the folder unless it resembles a crop of another one.
    let rejection = try #require(figures["rejection"] as? [String: Any])
    #expect([2, 3].contains(rejection["photos"] as? Int))

    // Shards hold back the same photos.
    expectSuccess(
      try Tool.run(
        ["features", "photos", "--negatives", "other", "--features", "hog", "-o", "shards", "-q"],
        in: folder))
    expectSuccess(
      try Tool.run(["train", "--features", "shards", "-o", "again", "-q"], in: folder))
    #expect(try folder.bytes("again") == folder.bytes("m.safetensors"))

    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    let all = try train("--negatives", "other")
    #expect(all.stdout.contains("17 non-building photos\n"))
  }

  @Test("The next command has negatives only if some are held back")
  func negativesHeldBack() throws {
    for number in 1...2 {
      try folder.write(
        try TinyCampus.jpeg(.street, seed: UInt64(50 + number)), to: "other/\(number).jpg")
    }
    #expect(
      try train("--negatives", "other").stdout.contains(
        "\nnext: cupola evaluate m.safetensors photos --report report\n"))
    try folder.write(
      "path,label,split\n1.jpg,_other,train\n2.jpg,_other,test\n", to: "other/split.csv")
    let output = try train("--negatives", "other")
    #expect(
      output.stdout.contains(
        "\nnext: cupola evaluate m.safetensors photos --negatives other --report report\n"))
    expectSuccess(
      try Tool.run(
        ["evaluate", "m.safetensors", "photos", "--negatives", "other", "-q", "--allow-leaks"],
        in: folder))
  }

  @Test("The next command uses the same table and test photos")
  func nextCommand() throws {
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table, to: "own.csv")
    try folder.write(table.replacing(",test,", with: ",train,"), to: "photos/split.csv")
    for number in 1...2 {
      try folder.write(
        try TinyCampus.jpeg(.street, seed: UInt64(50 + number)), to: "other/\(number).jpg")
    }
    try folder.write(
      "path,label,split\n1.jpg,_other,train\n2.jpg,_other,test\n", to: "other/split.csv")
    let all = try train("--negatives", "other")
    #expect(all.stdout.contains("; set aside for testing: 1 non-building photo\n"))
    #expect(all.stdout.contains("\nnext: cupola classify m.safetensors PHOTO, or "))
    #expect(
      try train("--split", "own.csv", "--allow-outside", "--negatives", "other").stdout.contains(
        "\nnext: cupola evaluate m.safetensors photos --split own.csv --negatives other "
          + "--allow-outside --report report\n"))
    try FileManager.default.moveItem(
      atPath: folder.path("photos"), toPath: folder.path("my photos (2)"))
    let point = #"<trkpt lat="48" lon="10"><time>2026-05-01T08:00:00Z</time></trkpt>"#
    try folder.write("<gpx><trk><trkseg>\(point)</trkseg></trk></gpx>", to: "a.gpx")
    #expect(
      try Tool.run(
        [
          "train", "my photos (2)", "-o", "it's", "--features", "hog", "-q", "--split", "own.csv",
          "--allow-outside", "--track", "a.gpx", "--track-zone", "+02:00",
        ], in: folder
      ).stdout.contains(
        "\nnext: cupola evaluate 'it'\\''s' 'my photos (2)' --split own.csv --track a.gpx --track-zone +02:00 "
          + "--allow-outside --report report\n"
      ))
  }

  @Test("Photos, tables and maps are never changed")
  func inputsStay() throws {
    let before = try folder.contents()
    expectSuccess(try train("--campus", "campus.geojson"))
    var after = try folder.contents()
    #expect(after.removeValue(forKey: "m.safetensors") != nil)
    #expect(after == before)
  }

  @Test("A missing output folder is an error")
  func noOutputFolder() throws {
    let before = try folder.contents()
    let output = try Tool.run(["train", "photos", "-o", "no/such/m", "-q"], in: folder)
    expectFailure(output, 73, "no/such/m: the folder no/such does not exist")
    #expect(output.stdout.isEmpty)
    #expect(try folder.contents() == before)
  }

  @Test("An output that is a folder is kept")
  func outputIsFolder() throws {
    try folder.write("keep", to: "m.safetensors/inside.txt")
    let before = try folder.contents()
    expectFailure(try train(), 73, "m.safetensors", "cannot be written")
    #expect(try folder.contents() == before)
  }

  @Test("A model is replaced only if training succeeds")
  func existingModel() throws {
    try folder.write("old", to: "m.safetensors")
    try folder.write("{}", to: "bad.geojson")
    let before = try folder.contents()
    #expect(try train("--campus", "bad.geojson").status == 65)
    #expect(try folder.contents() == before)
    expectSuccess(try train())
    #expect(try folder.bytes("m.safetensors").count > 1000)
    #expect(try folder.contents().count == before.count)
  }

  #if os(Linux)
    @Test("Ctrl-C exits with 130 and keeps the old model")
    func interrupted() throws {
      try folder.write("old", to: "m.safetensors")
      let photo = try TinyCampus.jpeg(.arch, seed: 1)
      for number in 1...400 { try folder.write(photo, to: "many/\(number % 2)/\(number).jpg") }
      let before = try folder.contents()
      let process = try Tool.process(
        [
          "train", "many", "-o", "m.safetensors", "--features", "hog", "-q", "--threads", "1",
          "--no-cache",
        ], in: folder)
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      // The command has started once it handles the signal.
      while process.isRunning, !Self.catchesInterrupt(process.processIdentifier) { sched_yield() }
      process.interrupt()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit)
      #expect(process.terminationStatus == 130)
      #expect(try folder.contents() == before)
    }

    private static func catchesInterrupt(_ process: Int32) -> Bool {
      guard
        let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
        let line = status.split(separator: "\n").first(where: { $0.hasPrefix("SigCgt:") }),
        let mask = UInt64(line.dropFirst(7).drop { $0 == "\t" || $0 == " " }, radix: 16)
      else { return false }
      return mask >> (UInt64(SIGINT) - 1) & 1 == 1
    }
  #endif
}

extension String {
  /// The text without values that depend on the processor.
  var withoutFigures: String {
    replacing(/[0-9a-f]{64}/, with: "HASH").replacing(/\d+ bytes/, with: "N bytes")
      .replacing(/\d+ steps/, with: "N steps").replacing(/[ ]+\d+\.\d+/, with: " N")
  }
}

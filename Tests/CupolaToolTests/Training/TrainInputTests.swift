import Cupola
import CupolaTestSupport
import Foundation
import Testing

/// Unusable photos, tables and maps.
extension TrainTests {
  @Test("Unusable photos are skipped, and an error with --strict")
  func skips() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    try folder.write([], to: "photos/arch/empty.jpg")
    try folder.write("text", to: "photos/arch/text.jpg")
    try folder.write(try TinyCampus.fixture("picture.png"), to: "photos/barn/png.jpg")
    let whole = try TinyCampus.jpeg(.barn, seed: 1)
    try folder.write(Array(whole.prefix(whole.count / 2)), to: "photos/barn/half.jpg")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("photos/cone/dangling.jpg"), withDestinationPath: "nowhere.jpg")
    try FileManager.default.createDirectory(
      atPath: folder.path("photos/cone/folder.jpg"), withIntermediateDirectories: false)
    try folder.write(whole, to: "photos/stray.jpg")
    let output = try train("--json")
    expectSuccess(output)
    #expect(output.stderr.contains("skipped: 6 photos (use --strict"))
    #expect(try train("--json", "--strict").status == 1)
    let summary = try #require(try output.json() as? [String: Any])
    let skipped = try #require(summary["skipped"] as? [[String: String]])
    #expect(
      skipped.compactMap { $0["photo"] } == [
        "stray.jpg", "arch/empty.jpg", "arch/text.jpg", "barn/half.jpg", "barn/png.jpg",
        "cone/dangling.jpg",
      ])
    #expect(summary["photos"] as? Int == 24)
    #expect(try Model(contentsOf: folder.path("m.safetensors")).labels.names.count == 4)
  }

  @Test("Windows paths in a table are reported with advice")
  func windowsPaths() throws {
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table.replacing("barn/1", with: "barn\\1"), to: "photos/split.csv")
    let output = try train()
    expectSuccess(output)
    #expect(
      output.stdout.contains(
        "\n  barn\\1.jpg: cannot be read: No such file or directory; use / instead of \\ between folders\n"
      ))
    try folder.write(table.replacing("barn/1", with: "barn/gone"), to: "photos/split.csv")
    #expect(
      try train().stdout.contains(
        "\n  barn/gone.jpg: cannot be read: No such file or directory\n"))
  }

  @Test(
    "A name that is not UTF-8 is skipped",
    .enabled(if: TemporaryFolder.acceptsAnyName, "this file system refuses such names"))
  func notUTF8() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    try folder.create([0x63, 0xE9, 0x2E, 0x6A, 0x70, 0x67], in: "photos/arch")
    let output = try train()
    #expect(output.status == 0)
    #expect(output.stdout.contains("arch/c\u{FFFD}.jpg: its name is not valid UTF-8; rename it"))
    #expect(output.stdout.contains("18 photos of 3 buildings, 6 non-building photos"))
  }

  @Test("A damaged EXIF block is a warning")
  func damagedEXIF() throws {
    try folder.write(try TinyCampus.fixture("exif-loop.jpg"), to: "photos/arch/1.jpg")
    let output = try train()
    expectSuccess(output)
    #expect(output.stderr.contains("warning: arch/1.jpg: damaged or unusual EXIF data"))
  }

  @Test("Labels with few photos cause one warning")
  func onePhoto() throws {
    try folder.write(try TinyCampus.jpeg(.cone, seed: 1), to: "few/cone/1.jpg")
    for number in 1...10 {
      try folder.write(
        try TinyCampus.jpeg(.arch, seed: UInt64(number)), to: "few/arch/\(number).jpg")
    }
    let output = try Tool.run(
      ["train", "few", "-o", "few.safetensors", "--features", "hog", "-q"], in: folder)
    expectSuccess(output)
    #expect(
      output.stderr.contains("warning: 1 label with fewer than 10 photos: cone 1; take at"))
    #expect(output.messages.allSatisfy { $0.hasPrefix("warning: ") })
  }

  @Test("With one session per label nothing can be promised")
  func oneSession() throws {
    for kind in [TinyCampus.Kind.arch, .barn] {
      try folder.write(try TinyCampus.jpeg(kind, seed: 1), to: "few/\(kind.label)/1.jpg")
    }
    let output = try Tool.run(
      ["train", "few", "-o", "m", "--features", "hog", "--json", "-q"], in: folder)
    expectSuccess(output)
    #expect(output.stderr.contains("the percentages are not calibrated: "))
    let summary = try #require(try output.json() as? [String: Any])
    #expect(summary["false_rejection_rate"] == nil && summary["colour_weight"] == nil)
    #expect((summary["cross_validation"] as? [Any])?.isEmpty == true)
    let answers = try Tool.run(["classify", "m", "few", "--jsonl", "-q"], in: folder)
    expectSuccess(answers)
    #expect(answers.messages.count == 1)
    #expect(answers.stderr.hasPrefix("note: the model is not calibrated, because too few"))
    let verbose = try Tool.run(
      ["train", "few", "-o", "m", "--features", "hog", "--verbose", "-q"], in: folder)
    expectSuccess(verbose)
    #expect(!verbose.stdout.contains("cross-validation"))
    #expect(
      verbose.stdout.contains(
        "classifier: softmax (default for up to 300 buildings; rejects unknown ones better)"))
    let remedy = "To calibrate with the test photos instead of testing, delete the split table"
    #expect(!output.stderr.contains(remedy))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 2), to: "few/arch/2.jpg")
    try folder.write(
      "path,label,split\narch/1.jpg,arch,train\narch/2.jpg,arch,test\nbarn/1.jpg,barn,train\n",
      to: "few/split.csv")
    let divided = try Tool.run(["train", "few", "-o", "m", "--features", "hog", "-q"], in: folder)
    expectSuccess(divided)
    #expect(divided.stderr.contains(remedy))
  }

  @Test("A folder without photos exits with 66")
  func noPhotos() throws {
    try folder.write("text", to: "nothing/arch/notes.txt")
    let output = try Tool.run(["train", "nothing", "-o", "new"], in: folder)
    expectFailure(output, 66, "nothing", "no photos")
    #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
  }

  @Test("A flat folder exits with 66; a folder one level too high trains with a warning")
  func layout() throws {
    try folder.write("text", to: "flat/1.jpg")
    let flat = try Tool.run(["train", "flat", "-o", "new"], in: folder)
    expectFailure(flat, 66, "flat: 1 photo directly in the photo folder")
    try FileManager.default.createDirectory(
      atPath: folder.path("up"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: folder.path("photos"), toPath: folder.path("up/set"))
    try? FileManager.default.removeItem(atPath: folder.path("up/set/split.csv"))
    let words = "every label folder contains only folders, such as set/"
    let high = try Tool.run(["train", "up", "-o", "new", "--features", "hog", "-q"], in: folder)
    #expect(high.stderr.contains("warning: up: " + words), "\(high.stderr)")
    let check = try Tool.run(["check", "up", "--json", "-q"], in: folder)
    #expect(check.stdout.contains("folder_too_high"))
  }

  @Test("A folder of negatives without photos exits with 66")
  func noNegatives() throws {
    try folder.write("notes", to: "streets/notes.txt")
    let words = "cupola: streets: no photos found; choose another folder"
    expectFailure(try train("--negatives", "streets"), 66, words)
    expectSuccess(try train())
    for command in [
      ["evaluate", "m.safetensors", "photos"], ["features", "photos", "-o", "shards"],
    ] {
      let output = try Tool.run(command + ["--negatives", "streets", "-q"], in: folder)
      expectFailure(output, 66, words)
    }
  }

  @Test("A missing folder exits with 66")
  func noFolder() throws {
    expectFailure(try Tool.run(["train", "nowhere", "-o", "new"], in: folder), 66, "nowhere")
    expectFailure(try train("--negatives", "nowhere"), 66, "nowhere")
    expectFailure(try train("--campus", "nowhere.geojson"), 66, "nowhere.geojson")
    expectFailure(try train("--split", "nowhere.csv"), 66, "nowhere.csv")
  }

  @Test("Labels that differ only in case, accents or blanks are reported")
  func clashes() throws {
    let labels = ["arch", "Arch", "barn", "barn ", "caf\u{E9}", "cafe\u{301}"]
    for (number, label) in labels.enumerated() {
      let photo = try TinyCampus.jpeg(.arch, seed: UInt64(number))
      try folder.write(photo, to: "odd/\(label)/1.jpg")
    }
    let output = try Tool.run(
      ["train", "odd", "-o", "m", "--features", "hog", "-q"], in: folder)
    expectSuccess(output)
    for pair in [
      #""Arch" and "arch""#, #""barn" and "barn ""#, "\"cafe\u{301}\" and \"caf\u{E9}\"",
    ] {
      let words = "warning: \(pair) differ only in case, Unicode form or spaces; merge or rename"
      #expect(output.stderr.contains(words), "\(output.stderr)")
    }
  }

  @Test("A single label is an error")
  func oneLabel() throws {
    try folder.write("path,label,split\narch/1.jpg,arch,train\n", to: "one.csv")
    expectFailure(try train("--split", "one.csv"), 65, "arch", "another building")
    // Nor is one beside others of which no photo can be used, which is why.
    try folder.write(try TinyCampus.jpeg(.arch, seed: 1), to: "two/arch/1.jpg")
    try folder.write("text", to: "two/barn/1.jpg")
    expectFailure(
      try Tool.run(["train", "two", "-o", "new", "-q", "--features", "hog"], in: folder), 65,
      "only one label has usable photos (arch); ", "run cupola check")
  }

  @Test("A table without training photos exits with 66")
  func onlyTest() throws {
    try folder.write("path,label,split\narch/1.jpg,arch,test\n", to: "one.csv")
    expectFailure(
      try train("--split", "one.csv"), 66,
      "no photos in the part \"train\"; add photos or rows in split.csv")
  }

  @Test("A table without rows exits with 66")
  func noRows() throws {
    try folder.write("path,label,split\n", to: "none.csv")
    expectFailure(try train("--split", "none.csv"), 66, "or a table that lists photos")
  }

  @Test("Photos that are all unusable exit with 65")
  func noUsable() throws {
    for label in ["arch", "barn"] { try folder.write("text", to: "broken/\(label)/1.jpg") }
    let output = try Tool.run(["train", "broken", "-o", "new", "-q"], in: folder)
    expectFailure(output, 65, "broken: no usable photos (2 failed)")
  }

  @Test(
    "An invalid table is reported with its line",
    arguments: [
      ("path,label,split\narch/1.jpg,arch,train\narch/2.jpg,arch,tset\n", 3, "tset"),
      ("path,label,split\narch/1.jpg,arch\n", 2, "2 fields"),
      ("path,label\n", 1, "header"),
      ("path,label,split\n\"arch/1.jpg,arch,train\n", 2, "unclosed quote"),
    ])
  func badTable(text: String, line: Int, words: String) throws {
    try folder.write(text, to: "photos/split.csv")
    expectFailure(try train(), 65, "photos/split.csv:\(line): ", words)
  }

  @Test(
    "An invalid map is reported with its file",
    arguments: [
      ("{}", "not a GeoJSON FeatureCollection"),
      ("no JSON", "not a GeoJSON FeatureCollection"),
      ("", "not a GeoJSON FeatureCollection"),
      (#"{"type": "FeatureCollection", "features": []}"#, "no boundary"),
      (boundary("[[[10, 48], [10.1, 48], [10.1, 48.1], [10, 48.1]]]"), "not closed"),
      (boundary("[[[10, 48], [10.1, 48], [10, 48]]]"), "fewer than four"),
      (boundary("[[[48, 110], [48, 111], [49, 111], [48, 110]]]"), "exchange them"),
      (boundary("[[[10, 480], [10.1, 480], [10, 481], [10, 480]]]"), "is not a valid [longitude"),
      (boundary("[]"), "without rings"),
    ])
  func badMap(text: String, words: String) throws {
    try folder.write(text, to: "bad.geojson")
    expectFailure(try train("--campus", "bad.geojson"), 65, "bad.geojson", words)
    #expect(!FileManager.default.fileExists(atPath: folder.path("m.safetensors")))
  }

  private static func boundary(_ rings: String) -> String {
    """
    {"type": "FeatureCollection", "features": [{"type": "Feature",
    "properties": {"role": "boundary", "name": "Grounds"},
    "geometry": {"type": "Polygon", "coordinates": \(rings)}}]}
    """
  }

  @Test("Swapped map coordinates are detected by photo positions")
  func swappedMap() throws {
    let map = try String(contentsOfFile: Repository.sampleMap, encoding: .utf8)
    let swapped = map.replacing(/\[(-?[0-9.]+), (-?[0-9.]+)\]/) { "[\($0.2), \($0.1)]" }
    try folder.write(swapped, to: "swapped.geojson")
    let output = try Tool.run(
      [
        "train", Repository.sampleCampus, "-o", "m.safetensors", "--features", "hog", "-q",
        "--campus",
        "swapped.geojson",
      ], in: folder)
    expectFailure(output, 65, "swapped.geojson", "exchange them")
  }
}

import Cupola
import CupolaTestSupport
import Foundation
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite("cupola classify")
struct ClassifyTests {
  let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for kind in TinyCampus.Kind.allCases {
      try folder.write(try TinyCampus.jpeg(kind, seed: 90), to: "new/\(kind).jpg")
    }
  }

  func classify(_ arguments: String..., input: String? = nil) throws -> Tool.Output {
    try Tool.run(["classify", "m.safetensors"] + arguments, in: folder, input: input)
  }

  @Test("One photo has its building, record and alternatives")
  func onePhoto() throws {
    let output = try classify("new/arch.jpg")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    // The other two probabilities are so small that their order may vary.
    let text = output.stdout.replacing(/\d+\.\d%/, with: "N%")
      .replacing(/(cone|barn) N%, (cone|barn) N%/, with: "A N%, B N%")
    try expectSnapshot(text, "classify-one")
  }

  @Test("A folder has one line per photo, sorted by name")
  func folderOfPhotos() throws {
    let output = try classify("new", "--quiet")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    try expectSnapshot(output.stdout.replacing(/\d+\.\d%/, with: "N%"), "classify-folder")
    let totals = "4 photos: 3 named, 1 not a campus building"
    #expect(try classify("new").messages.last == totals)
    #expect(try classify("new", "--jsonl").messages.last == totals)
  }

  @Test("Paths from stdin keep their order")
  func standardInput() throws {
    let output = try classify(
      "-", "--jsonl", "-q", input: "new/cone.jpg\n\nnew/arch.jpg\nnew/cone.jpg")
    expectSuccess(output)
    #expect(
      try output.jsonLines().map { $0["photo"] as? String }
        == ["new/cone.jpg", "new/arch.jpg", "new/cone.jpg"])
  }

  @Test("An empty stdin exits with 66")
  func emptyInput() throws { expectFailure(try classify("-", input: "\n"), 66, "stdin") }

  @Test("--json prints an array with the documented fields")
  func json() throws {
    let output = try classify("new/arch.jpg", "--json", "--at", "48.0049,10.01")
    expectSuccess(output)
    let answers = try #require(try output.json() as? [[String: Any]])
    let answer = try #require(answers.first)
    #expect(answers.count == 1)
    #expect(
      answer.keys.sorted() == [
        "building", "candidates", "detail", "fence", "label", "photo", "place", "position",
        "probability", "reason", "schema", "timing_ms", "title", "verdict",
      ])
    #expect(answer["schema"] as? String == "cupola.classification/1")
    #expect(answer["photo"] as? String == "new/arch.jpg")
    #expect(answer["verdict"] as? String == "building")
    #expect(answer["label"] as? String == "arch")
    #expect(answer["reason"] as? String == "recognised")
    let building = try #require(answer["building"] as? [String: Any])
    #expect(building["name"] as? String == "Old Arch")
    #expect(building["year_built"] as? String == "1899")
    let position = try #require(answer["position"] as? [String: Any])
    #expect(position["latitude"] as? Double == 48.0049)
    #expect(position["longitude"] as? Double == 10.01)
    let timing = try #require(answer["timing_ms"] as? [String: Double])
    #expect(timing.keys.contains("decode") && timing.values.allSatisfy { $0 >= 0 })
    let candidates = try #require(answer["candidates"] as? [[String: Any]])
    #expect(candidates.map { $0["label"] as? String }.first == "arch")
    #expect(candidates.count == 3)
    for candidate in candidates {
      #expect(
        candidate.keys.sorted() == [
          "bearing_deg", "distance_m", "image_probability", "label", "probability",
        ])
    }
    let probabilities = candidates.compactMap { $0["probability"] as? Double }
    #expect(probabilities == probabilities.sorted(by: >))
    #expect(probabilities.reduce(0, +) <= 1 + 1e-9)
    #expect(answer["probability"] as? Double == probabilities.first)
    #expect(answer["place"] as? String == "agrees")
    #expect(candidates[0]["distance_m"] as? Double == 11.12)
    #expect(candidates[0]["bearing_deg"] as? Double == 0)
  }

  private func addWell() throws {
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    let map = try #require(file.metadata["campus"])
    let well = """
      {"type":"Feature","properties":{"role":"building","id":"well","name":"Deep Well",\
      "category":"fountain"},"geometry":{"type":"Point","coordinates":[10.012,48.0074]}},
      """
    file.metadata["campus"] = map.replacing(#""features":["#, with: #""features":["# + well)
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
  }

  @Test("A mapped building is named by position and heading")
  func mappedBuilding() throws {
    try addWell()
    // High temperature makes the image ambiguous.
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 99, scores: []), temperature: 30)
    let place = ["--at", "48.0071,10.012", "--position-error", "5", "--heading", "0"]
    let arguments = ["classify", "m.safetensors", "new/arch.jpg"] + place
    let text = try Tool.run(arguments, in: folder)
    expectSuccess(text)
    try expectSnapshot(text.stdout.replacing(/\d+\.\d%/, with: "N%"), "classify-mapped")
    let answer = try #require(try Tool.run(arguments + ["--jsonl"], in: folder).jsonLines().first)
    #expect(answer["verdict"] as? String == "mapped_building")
    #expect(answer["reason"] as? String == "by_place" && answer["label"] as? String == "well")
    #expect((answer["building"] as? [String: Any])?["name"] as? String == "Deep Well")
    let candidates = try #require(answer["candidates"] as? [[String: Any]])
    #expect(candidates.first?["trained"] as? Bool == false)
    #expect(candidates.first?["image_probability"] as? Double == 0)
    #expect(candidates.dropFirst().allSatisfy { $0["trained"] == nil })
    // Without a position there are no mapped buildings.
    let plain = try #require(
      try Tool.run(Array(arguments.prefix(3)) + ["--no-place", "--jsonl"], in: folder)
        .jsonLines().first)
    #expect((plain["candidates"] as? [[String: Any]])?.count == 3)
  }

  @Test("A position that is no evidence is reported, with and without a map")
  func unclearPosition() throws {
    func answer(_ at: String) throws -> (text: String, place: String?) {
      let text = try classify("new/arch.jpg", "--at", at, "--position-error", "5")
      let json = try classify("new/arch.jpg", "--at", at, "--position-error", "5", "--jsonl")
      expectSuccess(text)
      return (text.stdout, try json.jsonLines().first?["place"] as? String)
    }
    let mapped = try answer("48.0095,10.0100")
    #expect(mapped.place == "unclear")
    #expect(
      mapped.text.contains("  note: the position does not support Old Arch, which is 500 m away")
    )
    #expect(!(try answer("48.0052,10.0100").text.contains("note: the position")))
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["campus"] = nil
    file.metadata["place"] =
      #"{"position_weight":0.5,"heading_weight":0.5,"viewpoints":{"arch":[[48005000,10010000,5]]}}"#
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    let near = try answer("48.0052,10.0100")
    #expect(near.place == "agrees" && !near.text.contains("note: "))
    let far = try answer("48.0117,10.0100")
    #expect(far.place == "unclear")
    #expect(
      far.text.contains(
        "  note: the position does not support arch: most of its training photos are from elsewhere, and the model has "
          + "no map; add photos from here, or train with --campus"))
    let unweighted =
      #"{"position_weight":0,"heading_weight":0.5,"viewpoints":{"arch":[[48005000,10010000,5]]}}"#
    for place in [unweighted, nil] {
      file.metadata["place"] = place
      try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
      let bare = try answer("48.0052,10.0100")
      #expect(bare.place == nil)
      #expect(
        bare.text.contains(
          "  note: position not used: the model has no map, and the positions of training photos are missing or did "
            + "not help; train with --campus"))
    }
  }

  @Test("A position that contradicts the photo is reported")
  func contradiction() throws {
    var file = try SafeTensors(bytes: try folder.bytes("m.safetensors"))
    file.metadata["place"] = #"{"position_weight":1,"heading_weight":1,"viewpoints":{}}"#
    try folder.write(try ModelSeal.bytes(of: file), to: "m.safetensors")
    let far = ["new/arch.jpg", "--at", "48.0056,10.0120"]
    let text = try classify(far[0], far[1], far[2], "--position-error", "5", "--heading", "180")
    #expect(text.stdout.contains("  note: without the position: Old Arch ("))
    #expect(text.stdout.contains("); use --no-place to ignore it"))
    let json = try classify(
      far[0], far[1], far[2], "--position-error", "5", "--heading", "180", "--jsonl")
    let answer = try #require(try json.jsonLines().first)
    #expect(answer["place"] as? String == "contradicts")
    #expect(answer["verdict"] as? String == "unsure" && answer["label"] == nil)
    #expect(answer["reason"] as? String == "contradicted")
    #expect(
      text.stdout.contains(
        "Unsure: the image indicates Old Arch, but the position indicates The Cone"))
    let ignored = try classify(far[0], far[1], far[2], "--no-place", "--jsonl")
    let plain = try #require(try ignored.jsonLines().first)
    #expect(plain["place"] == nil && plain["label"] as? String == "arch")
    let candidates = try #require(plain["candidates"] as? [[String: Any]])
    for candidate in candidates {
      #expect(candidate.keys.sorted() == ["image_probability", "label", "probability"])
      #expect(candidate["image_probability"] as? Double == candidate["probability"] as? Double)
    }
  }

  @Test("--jsonl prints objects in argument order, including errors")
  func jsonLines() throws {
    try folder.write("text", to: "bad.jpg")
    let output = try classify("new/cone.jpg", "bad.jpg", "new/street.jpg", "--jsonl", "-q")
    #expect(output.status == 1)
    let answers = try output.jsonLines()
    #expect(
      answers.map { $0["photo"] as? String } == ["new/cone.jpg", "bad.jpg", "new/street.jpg"])
    #expect(
      answers.map { $0["verdict"] as? String } == ["building", nil, "not_a_campus_building"])
    #expect(answers[1].keys.sorted() == ["error", "photo", "schema"])
    #expect(answers.allSatisfy { $0["schema"] as? String == "cupola.classification/1" })
    #expect(output.messages.count == 1)
  }

  @Test("--top limits the candidates", arguments: [(0, 0), (1, 1), (2, 2), (9, 3)])
  func top(count: Int, shown: Int) throws {
    let output = try classify("new/arch.jpg", "--top", "\(count)", "--json")
    expectSuccess(output)
    let answers = try #require(try output.json() as? [[String: Any]])
    #expect((answers.first?["candidates"] as? [Any])?.count == shown)
    #expect(answers.first?["label"] as? String == "arch")
    let text = try classify("new/arch.jpg", "--top", "\(count)")
    expectSuccess(text)
    // Candidates that would be printed as 0.0% are omitted.
    #expect(!text.stdout.contains(" 0.0%") && !text.stdout.contains("otherwise"))
    try TinyCampus.calibrate(
      "m.safetensors", in: folder, wrongNames: (photos: 99, scores: []), temperature: 30)
    let warm = try classify("new/arch.jpg", "--top", "\(count)").stdout
    let isTold = warm.contains("  otherwise: ") || warm.contains("  most probable buildings: ")
    if count != 1 { #expect(isTold == (count > 1), "\(warm)") }
  }

  @Test("The thread count changes no answer")
  func threads() throws {
    func answers(_ threads: String) throws -> [String] {
      let output = try classify("new", "--jsonl", "-q", "--threads", threads)
      expectSuccess(output)
      let lines = output.stdout.split(separator: "\n").map(String.init)
      return lines.map { $0.replacing(/"timing_ms":\{[^}]*\}/, with: "") }
    }
    #expect(try answers("1") == answers("3"))
  }
}

/// Unusable and unusual photos.
extension ClassifyTests {
  @Test(
    "A file that is not a JPEG is reported with advice",
    arguments: [
      ("picture.png", "PNG, not JPEG; convert"), ("picture.gif", "GIF, not JPEG; convert"),
      ("picture.webp", "WebP, not JPEG; convert"), ("header.heic", "HEIC, not JPEG; convert"),
    ])
  func otherFormats(fixture: String, words: String) throws {
    try folder.write(try TinyCampus.fixture(fixture), to: "photo.jpg")
    let output = try classify("photo.jpg")
    expectFailure(output, 65, "photo.jpg: \(words)")
    #expect(output.stdout.isEmpty)
  }

  @Test(
    "An empty file and text are reported",
    arguments: [("", "empty"), ("some text\n", "text, not a photo"), ("\u{1}\u{2}", "not a JPEG")])
  func noPicture(text: String, words: String) throws {
    try folder.write(text, to: "photo.jpg")
    expectFailure(try classify("photo.jpg"), 65, "photo.jpg: ", words)
  }

  @Test(
    "A truncated photo is reported",
    arguments: Verification.isFull ? Array(0..<20) : [0, 1, 10, 19])
  func truncated(twentieths: Int) throws {
    let whole = try folder.bytes("new/arch.jpg")
    try folder.write(Array(whole.prefix(whole.count * twentieths / 20)), to: "cut.jpg")
    expectFailure(try classify("cut.jpg"), 65, "cut.jpg: ")
    let both = try classify("cut.jpg", "new/arch.jpg", "-q")
    #expect(both.status == 1)
    #expect(both.stdout.hasPrefix("new/arch.jpg: Old Arch"))
    #expect(both.messages.count == 1 && both.stderr.hasPrefix("cupola: cut.jpg: "))
  }

  @Test("--lenient accepts a truncated photo")
  func lenient() throws {
    let whole = try folder.bytes("new/arch.jpg")
    try folder.write(Array(whole.prefix(whole.count * 19 / 20)), to: "cut.jpg")
    let output = try classify("cut.jpg", "--lenient")
    expectSuccess(output)
    #expect(output.stdout.contains("Old Arch"))
  }

  @Test("A header claiming 65,500 x 65,500 pixels is rejected early")
  func hugeHeader() throws {
    var bytes = try folder.bytes("new/arch.jpg")
    let frame = try #require(
      (0..<bytes.count - 9).first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
    for at in [frame + 5, frame + 7] { (bytes[at], bytes[at + 1]) = (0xFF, 0xDC) }
    try folder.write(bytes, to: "huge.jpg")
    expectFailure(try classify("huge.jpg"), 65, "huge.jpg: 65500x65500 pixels", "resize it")
  }

  @Test(
    "Unusual but valid JPEGs are classified",
    arguments: ["cmyk.jpg", "ycck.jpg", "grey.jpg", "progressive.jpg", "rgb.jpg"])
  func unusual(fixture: String) throws {
    try folder.write(try TinyCampus.fixture(fixture), to: fixture)
    let output = try classify(fixture, "--no-place")
    expectSuccess(output)
    #expect(output.stdout.hasPrefix("\(fixture): "))
    #expect(output.stderr.isEmpty)
  }

  @Test(
    "damaged EXIF is a note to the answer",
    arguments: [("exif-loop.jpg", "invalid offset"), ("exif-past-end.jpg", "invalid offset")])
  func damagedEXIF(fixture: String, words: String) throws {
    try folder.write(try TinyCampus.fixture(fixture), to: fixture)
    let output = try classify(fixture, "--no-place")
    expectSuccess(output)
    #expect(output.stdout.contains("\n  note: damaged EXIF data ("))
    #expect(output.stdout.contains(words))
  }

  @Test("Photos that cannot be opened exit with 66")
  func unreadable() throws {
    expectFailure(try classify("missing.jpg"), 66, "missing.jpg", "No such file")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("dangling.jpg"), withDestinationPath: "nowhere.jpg")
    expectFailure(try classify("dangling.jpg"), 66, "dangling.jpg", "No such file")
    try FileManager.default.createDirectory(
      atPath: folder.path("folder.jpg"), withIntermediateDirectories: false)
    expectFailure(try classify("folder.jpg"), 66, "folder.jpg", "no photos")
  }

  @Test(
    "A photo without read permission exits with 66",
    .enabled(if: geteuid() != 0, "root may read everything"))
  func forbidden() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0], ofItemAtPath: folder.path("new/arch.jpg"))
    expectFailure(try classify("new/arch.jpg"), 66, "new/arch.jpg", "Permission denied")
  }

  @Test("Valid photos are answered if others fail")
  func mixed() throws {
    try folder.write([], to: "mix/1 empty.jpg")
    try folder.write(try TinyCampus.jpeg(.barn, seed: 80), to: "mix/2 good.jpg")
    try folder.write(try TinyCampus.fixture("picture.png"), to: "mix/3 png.jpg")
    try folder.write("no photo by its name", to: "mix/notes.txt")
    let output = try classify("mix", "missing.jpg", "new/cone.jpg", "-q")
    #expect(output.status == 1)
    #expect(
      output.stdout.split(separator: "\n").map { $0.prefix { $0 != "(" } }
        == ["mix/2 good.jpg: Red Barn ", "new/cone.jpg: The Cone "])
    #expect(
      output.messages.map { $0.split(separator: ": ").dropFirst().first.map(String.init) }
        == ["mix/1 empty.jpg", "mix/3 png.jpg", "missing.jpg"])
    #expect(
      try classify("mix", "missing.jpg", "new/cone.jpg").messages.last
        == "5 photos: 2 named, 3 not readable")
  }

  @Test("A folder of an iPhone has failures for placeholders; movies and ._ files are ignored")
  func filesOfApple() throws {
    try folder.write(try TinyCampus.jpeg(.barn, seed: 80), to: "phone/IMG_1.JPG")
    try folder.touch(
      "phone/IMG_1.MOV", "phone/._IMG_1.JPG", "phone/.IMG_2.HEIC.icloud", "phone/IMG_1.JPG.json")
    let output = try classify("phone", "-q")
    #expect(output.status == 1 && output.stdout.hasPrefix("phone/IMG_1.JPG: Red Barn"))
    #expect(
      output.messages == [
        "cupola: phone/.IMG_2.HEIC.icloud: iCloud placeholder of a photo that is not on this disk; "
          + "download it in Finder or with brctl download"
      ])
    expectFailure(try classify("phone/.IMG_2.HEIC.icloud", "-q"), 66, "iCloud placeholder")
  }

  @Test("If all photos fail, the first one determines the exit code")
  func allBad() throws {
    try folder.write("text", to: "text.jpg")
    #expect(try classify("text.jpg", "missing.jpg", "-q").status == 65)
    #expect(try classify("missing.jpg", "text.jpg", "-q").status == 66)
  }

  @Test("Photos and model are never changed")
  func inputsStay() throws {
    try folder.write("text", to: "new/text.jpg")
    let before = try folder.contents()
    #expect(try classify("new", "--at", "48.005,10.01", "--lenient", "-q").status == 1)
    #expect(try folder.contents() == before)
  }
}

/// Positions of photos.
extension ClassifyTests {
  @Test("A position outside the fence is not on campus")
  func outside() throws {
    let output = try classify("new/arch.jpg", "--at", "48.02,10.01", "--json")
    expectSuccess(output)
    let answer = try #require((try output.json() as? [[String: Any]])?.first)
    #expect(answer["verdict"] as? String == "not_on_campus")
    #expect(answer["reason"] as? String == "outside_geofence")
    #expect(answer["label"] == nil)
    #expect((answer["candidates"] as? [Any])?.isEmpty == true)
    let text = try classify("new/arch.jpg", "--at", "48.02,10.01")
    #expect(text.stdout.contains("Not on Campus (48.02000,10.01000 is outside the fence)"))
  }

  @Test("A position on the fence is on campus", arguments: ["48,10", "48.01, 10.02", "48.005,10"])
  func onTheFence(at: String) throws {
    let output = try classify("new/arch.jpg", "--at", at)
    expectSuccess(output)
    #expect(output.stdout.contains("Old Arch"))
  }

  @Test("Only a position clearly outside is not on campus")
  func positionError() throws {
    for (error, fence) in [("5", "outside"), ("20", "too_close_to_tell")] {
      let place = ["new/arch.jpg", "--at", "48.0101,10.01", "--position-error", error]
      let output = try Tool.run(["classify", "m.safetensors"] + place + ["--jsonl"], in: folder)
      expectSuccess(output)
      let answer = try #require(try output.jsonLines().first)
      #expect(answer["fence"] as? String == fence)
      #expect((answer["verdict"] as? String == "not_on_campus") == (fence == "outside"))
      let text = try Tool.run(["classify", "m.safetensors"] + place, in: folder).stdout
      #expect(text.contains("too close to the fence to tell") == (fence != "outside"))
    }
    #expect(try classify("new/arch.jpg", "--jsonl").jsonLines().first?["fence"] == nil)
  }

  @Test("--position-error applies to photos without an EXIF error")
  func positionErrorOfPhotos() throws {
    let earth = 20_100_000
    try folder.write(try TinyCampus.fixture("gps.jpg"), to: "gps.jpg")
    let own = try classify("gps.jpg", "--position-error", "\(earth)", "--jsonl").jsonLines()
    // The photo has its own error.
    #expect(own.first?["fence"] as? String == "outside")
    let photo = try TinyCampus.jpeg(.arch, seed: 7, exif: TinyCampus.position(48.0101, 10.01))
    try folder.write(photo, to: "near.jpg")
    for (error, fence) in [("5", "outside"), ("20", "too_close_to_tell")] {
      let answer = try classify("near.jpg", "--position-error", error, "--jsonl").jsonLines().first
      #expect(answer?["fence"] as? String == fence)
    }
    // The default is 15 m.
    let usual = try classify("near.jpg", "--jsonl").jsonLines().first
    #expect(usual?["fence"] as? String == "too_close_to_tell")
    let ignored = try classify("near.jpg", "--position-error", "5", "--no-place", "--jsonl")
    #expect(try ignored.jsonLines().first?["fence"] == nil)
  }

  @Test("Negative latitude and longitude are accepted")
  func southWest() throws {
    let output = try classify("new/arch.jpg", "--at", "-33.95,-18.4", "--heading", "-90", "--json")
    expectSuccess(output)
    let answer = try #require((try output.json() as? [[String: Any]])?.first)
    let position = try #require(answer["position"] as? [String: Any])
    #expect(position["latitude"] as? Double == -33.95)
    #expect(position["longitude"] as? Double == -18.4)
    #expect((answer["heading"] as? [String: Any])?["degrees"] as? Double == 270)
  }

  @Test("--no-place ignores given and EXIF positions")
  func noPlace() throws {
    try folder.write(try TinyCampus.fixture("gps.jpg"), to: "gps.jpg")
    #expect(try classify("gps.jpg").stdout.contains("Not on Campus"))
    let ignored = try classify("gps.jpg", "--no-place", "--json")
    expectSuccess(ignored)
    let answer = try #require((try ignored.json() as? [[String: Any]])?.first)
    #expect(answer["verdict"] as? String != "not_on_campus")
    #expect(answer["position"] == nil)
    let given = try classify("new/arch.jpg", "--at", "0,0", "--no-place")
    #expect(given.stdout.contains("Old Arch"))
  }

  @Test("A given position overrides the EXIF position")
  func givenPosition() throws {
    try folder.write(try TinyCampus.fixture("gps.jpg"), to: "gps.jpg")
    let output = try classify("gps.jpg", "--at", "48.005,10.01")
    expectSuccess(output)
    #expect(!output.stdout.contains("Not on Campus"))
  }
}

import Cupola
import CupolaTestSupport
import CupolaTraining
import Foundation
import Testing

@Suite("cupola check")
struct CheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func check(_ options: String...) throws -> Tool.Output {
    try Tool.run(["check", "photos", "-q"] + options, in: folder)
  }

  private func writePhotos() throws {
    for (row, kind) in [TinyCampus.Kind.arch, .barn].enumerated() {
      for number in 0..<11 {
        let place = TinyCampus.position(48.0052, 10.01 + 0.001 * Double(row))
        try folder.write(
          try TinyCampus.jpeg(kind, seed: UInt64(number) + 1, exif: place),
          to: "photos/\(kind.label)/\(number).jpg")
      }
    }
  }

  @Test("Lists the worst findings first, with advice")
  func text() throws {
    try writePhotos()
    let photo = try folder.bytes("photos/arch/1.jpg")
    try folder.write(photo, to: "photos/barn/1 again.jpg")
    try folder.write(photo, to: "photos/arch/equal.jpg")
    try folder.write(Array(photo.prefix(photo.count / 2)), to: "photos/arch/cut.jpg")
    try folder.write(
      Array("RIFF0000WEBP".utf8), to: "photos/barn/picture.webp")
    try folder.write(
      try TinyCampus.jpeg(.cone, seed: 1, exif: TinyCampus.position(48.5, 10.01)),
      to: "photos/cone/far.jpg")
    try folder.write(TinyCampus.map, to: "map.geojson")
    let output = try check("--campus", "map.geojson")
    #expect(output.status == 65 && output.stderr.isEmpty)
    let text = output.stdout.replacing(/about \d+%/) { _ in "about N%" }
    try expectSnapshot(text, "check")
  }

  @Test("The coverage table is split if the terminal is narrow")
  func narrow() throws {
    try writePhotos()
    try folder.write(TinyCampus.map, to: "map.geojson")
    let output = try Tool.run(
      ["check", "photos", "-q", "--campus", "map.geojson"], in: folder,
      environment: ["COLUMNS": "50"])
    let lines = output.stdout.split(separator: "\n", omittingEmptySubsequences: false)
    let start = try #require(lines.firstIndex { $0.hasPrefix("coverage: ") })
    let table = lines[start...].dropFirst().prefix { !$0.hasPrefix("suggested photos") }
    #expect(table.count { $0.hasPrefix("building  ") } == 2)
    #expect(table.allSatisfy { $0.count <= 50 })
  }

  @Test("--json has the documented fields, and --shots writes points")
  func json() throws {
    try writePhotos()
    try folder.write(TinyCampus.map, to: "map.geojson")
    let output = try check("--campus", "map.geojson", "--json", "--shots", "next.geojson")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.messages == ["shots: next.geojson"])
    let json = try #require(try output.json() as? [String: Any])
    #expect(json["schema"] as? String == "cupola.check/1")
    #expect(json["folder"] as? String == "photos")
    #expect(json["photos"] as? Int == 22 && json["usable"] as? Int == 22)
    #expect(json["labels"] as? [String: Int] == ["arch": 11, "barn": 11])
    let findings = try #require(json["findings"] as? [[String: Any]])
    #expect(
      findings.allSatisfy {
        $0.keys.sorted() == ["advice", "items", "kind", "message", "severity"]
      })
    #expect(findings.contains { $0["kind"] as? String == "building_without_photos" })
    let coverage = try #require((json["coverage"] as? [[String: Any]])?.first)
    #expect(coverage.keys.sorted() == ["distances", "label", "shots", "sides", "times"])
    #expect((coverage["sides"] as? [String: Int])?["N"] == 11)
    #expect((coverage["distances"] as? [String: Int])?["20_to_60_m"] == 11)
    let shots = try #require(coverage["shots"] as? [[String: Any]])
    #expect(shots.count == 7)
    #expect(shots[0].keys.sorted() == ["heading_deg", "position", "side"])

    let map = try #require(
      try JSONSerialization.jsonObject(with: Data(try folder.bytes("next.geojson")))
        as? [String: Any])
    #expect(map["type"] as? String == "FeatureCollection")
    let features = try #require(map["features"] as? [[String: Any]])
    #expect(features.count == 14)
    let point = try #require(features[0]["geometry"] as? [String: Any])
    let coordinates = try #require(point["coordinates"] as? [Double])
    #expect(point["type"] as? String == "Point")
    #expect(abs(coordinates[0] - 10.01) < 0.002 && abs(coordinates[1] - 48.005) < 0.002)
    let properties = try #require(features[0]["properties"] as? [String: Any])
    #expect(properties["name"] as? String == "arch from NE")
    #expect(properties["heading_deg"] as? Double == 225)
  }

  @Test("--map draws the fence, the buildings, the photos and the suggested positions")
  func map() throws {
    try writePhotos()
    try folder.write(TinyCampus.map, to: "map.geojson")
    try folder.write(
      try TinyCampus.jpeg(.arch, seed: 1, exif: TinyCampus.position(48.5, 10.01)),
      to: "photos/arch/<far> & away.jpg")
    try folder.write(try TinyCampus.jpeg(.arch, seed: 2), to: "photos/arch/nowhere.jpg")
    let output = try check("--campus", "map.geojson", "--map", "out.svg")
    #expect(output.status == 0, "\(output.stderr)")
    #expect(output.messages == ["map: out.svg"])
    let svg = String(decoding: try folder.bytes("out.svg"), as: UTF8.self)
    func count(_ text: String) -> Int { svg.ranges(of: text).count }
    #expect(svg.hasPrefix("<svg xmlns=") && svg.hasSuffix("</svg>\n"))
    #expect(count("class=\"fence\"") == 1)
    // The legend contains one of each.
    #expect(count("class=\"photo c") == 23 && count("class=\"stand\"") == 15)
    #expect(count("<title>stand here: arch from NE</title>") == 1)
    #expect(svg.contains("; 1 outside this map; 1 without a position"))
    #expect(!svg.contains("<far>"))
    #expect(
      try check("--campus", "map.geojson", "--map", "out.svg", "--json").json() is [String: Any])
    #expect(String(decoding: try folder.bytes("out.svg"), as: UTF8.self) == svg)
    expectUsageError(try check("--map", "out.svg"), "--map requires --campus")
    expectUsageError(
      try check("--campus", "map.geojson", "--map", "map.geojson"), "overwrite the input")
  }

  @Test("Positions in split.csv replace those of the photos")
  func positions() throws {
    try writePhotos()
    try folder.write(TinyCampus.map, to: "map.geojson")
    try folder.write(
      try TinyCampus.jpeg(.arch, seed: 1, exif: TinyCampus.position(48.5, 10.01)),
      to: "photos/arch/far.jpg")
    func text() throws -> String { try check("--campus", "map.geojson").stdout }
    #expect(
      try text().contains(
        "1 photo taken off campus\n      arch/far.jpg: 54486 m outside the fence\n"))
    #expect(try text().contains("\nquick estimate: "))
    expectSuccess(try Tool.run(["split", "photos", "-o", "photos/split.csv", "-q"], in: folder))
    #expect(try !text().contains("quick estimate"))
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    func write(_ position: String) throws {
      let lines = table.split(separator: "\n").map { line in
        line
          + (line.hasPrefix("path") ? ",lat,lon" : line.hasPrefix("arch/far") ? position : ",,")
      }
      try folder.write(lines.joined(separator: "\n") + "\n", to: "photos/split.csv")
    }
    try write(",,")
    #expect(try text().contains("off campus"))
    try write(",48.0052,10.01")
    #expect(try !text().contains("off campus"))
    let counts = try text().matches(of: /\narch +(?:training|test) +(\d+)\b/)
    #expect(counts.compactMap { Int($0.1) }.reduce(0, +) == 12)
    for position in [",48.0052,", ",48.0052,east", ",98,10.01"] {
      try write(position)
      expectFailure(try check(), 65, "photos/split.csv:", "invalid position; enter degrees")
    }
  }

  @Test("A table of buildings is accepted as the map, and faults name the line")
  func table() throws {
    try writePhotos()
    try folder.write(
      "Name;Lat;Lon\nArch;48.0048;10.01\nBarn;48.0048;10.011\n", to: "buildings.csv")
    let output = try check("--campus", "buildings.csv", "--json")
    #expect(output.status == 0, "\(output.stderr)")
    let json = try #require(try output.json() as? [String: Any])
    let coverage = try #require(json["coverage"] as? [[String: Any]])
    #expect(coverage.map { $0["label"] as? String } == ["arch", "barn"])
    #expect((coverage[0]["sides"] as? [String: Int])?["N"] == 11)
    try folder.write("Name;Lat;Lon\nArch;48,0048;10,01\n", to: "buildings.csv")
    expectFailure(
      try check("--campus", "buildings.csv"), 65, "buildings.csv", "line 2", "decimal comma")
    try folder.write(
      "Name,Lat,Lon\nArch,48.0048,10.01\nBarn,10.01,48.0072\nCone,48.006,10.011\n",
      to: "buildings.csv")
    expectFailure(
      try check("--campus", "buildings.csv"), 65, "buildings.csv", "line 3: Barn", "look swapped")
  }

  @Test("--track supplies positions, and reports how many photos got one")
  func track() throws {
    typealias Tag = EXIFBuilder.Tag
    for (label, kind) in [("arch", TinyCampus.Kind.arch), ("barn", .barn)] {
      for number in 0..<10 {
        let time = "2026:05:01 10:0\(number):00"
        let exif = EXIFBuilder().payload([Tag.exif: .directory([Tag.time: .text(time)])])
        try folder.write(
          try TinyCampus.jpeg(kind, seed: UInt64(number) + 1, exif: exif),
          to: "photos/\(label)/\(number).jpg")
      }
    }
    try folder.write(TinyCampus.map, to: "map.geojson")
    try folder.write(
      """
      <gpx><trk><trkseg>
      <trkpt lat="48.0052" lon="10.01"><time>2026-05-01T08:00:00Z</time></trkpt>
      <trkpt lat="48.0052" lon="10.01"><time>2026-05-01T08:01:00Z</time></trkpt>
      </trkseg></trk></gpx>
      """, to: "walk.gpx")
    let options = ["--campus", "map.geojson", "--track", "walk.gpx"]
    let output = try Tool.run(
      ["check", "photos", "-q", "--json", "--track-zone", "+02:00"] + options, in: folder)
    #expect(output.status == 0, "\(output.stderr)")
    // 10:00, 10:01 and 10:02 of both buildings.
    #expect(
      output.messages == [
        "track: 6 of 20 photos without a position got one; 14 were not taken within 60 s of a track point"
      ])
    let json = try #require(try output.json() as? [String: Any])
    let coverage = try #require(json["coverage"] as? [[String: Any]])
    #expect((coverage[0]["sides"] as? [String: Int])?["N"] == 3)
    let unzoned = try Tool.run(["check", "photos", "-q", "--json"] + options, in: folder)
    #expect(unzoned.messages.first?.contains("20 have no time zone; set it with") == true)
    expectUsageError(try check("--track-zone", "+02:00"), "requires --track")
    expectUsageError(try check("--track", "walk.gpx", "--track-zone", "Berlin"), "offset from UTC")
    try folder.write("<!DOCTYPE gpx [<!ENTITY a \"b\">]>\n<gpx></gpx>", to: "evil.gpx")
    expectFailure(try check("--track", "evil.gpx"), 65, "evil.gpx:1: contains a document type")
  }

  @Test("--model finds the building whose photos look different from the training photos")
  func drift() async throws {
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    // The barn looks like the cone.
    for (label, kind) in [("arch", TinyCampus.Kind.arch), ("barn", .cone), ("annex", .arch)] {
      for number in 0..<12 {
        let seed = UInt64(50 + number + (label == "annex" ? 50 : 0))
        try folder.write(
          try TinyCampus.jpeg(kind, seed: seed), to: "photos/\(label)/\(number).jpg")
      }
    }
    let output = try check("--model", "m.safetensors", "--json")
    expectSuccess(output)
    let json = try #require(try output.json() as? [String: Any])
    #expect(json["schema"] as? String == "cupola.drift/1" && json["change"] as? String == "changed")
    #expect(json["photograph_again"] as? [String] == ["barn"])
    #expect((json["labels_not_in_model"] as? [String: Int])?.keys.sorted() == ["annex"])
    let buildings = try #require(json["buildings"] as? [[String: Any]])
    #expect(buildings.map { $0["label"] as? String } == ["arch", "barn"])
    #expect(buildings.map { $0["change"] as? String } == ["similar", "changed"])
    let barn = try #require(buildings[1]["new"] as? [String: Any])
    #expect(barn["count"] as? Int == 0)
    let text = try check("--model", "m.safetensors").stdout
    #expect(text.contains("; they differ clearly from the training photos\n"))
    #expect(text.contains("renovation: barn (0 of ") && text.contains("not in the model: annex\n"))
    #expect(text.contains("-> photograph again: barn; take "))
    #expect(text.split(separator: "\n").count < 10)
  }

  @Test("--model does not count training photos, and few photos decide nothing")
  func driftOfTrainingPhotos() async throws {
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try TinyCampus.writePhotos(to: folder)
    let json = try #require(
      try check("--model", "m.safetensors", "--json").json() as? [String: Any])
    #expect(try #require(json["training_photos"] as? Int) >= 16)
    let buildings = try #require(json["buildings"] as? [[String: Any]])
    #expect(!buildings.isEmpty)
    for building in buildings {
      #expect(((building["new"] as? [String: Any])?["photos"] as? Int ?? 9) <= 2)
      #expect(building["change"] as? String == "unclear")
    }
    // Only training photos.
    try folder.write(try folder.bytes("photos/arch/1.jpg"), to: "old/arch/1.jpg")
    let old = try Tool.run(["check", "old", "-q", "--model", "m.safetensors"], in: folder)
    expectFailure(old, 65, "old: all photos are training photos", "choose new photos")
    // Photos that are not in folders by building.
    for number in 1...6 {
      try folder.write(
        try TinyCampus.jpeg(.barn, seed: UInt64(70 + number)), to: "walk/\(number).jpg")
    }
    let walk = try Tool.run(["check", "walk", "-q", "--model", "m.safetensors"], in: folder)
    expectSuccess(walk)
    #expect(walk.stdout.contains("no folder has the label of a building"))
    #expect(
      walk.stdout.contains("run cupola classify MODEL walk --copy-into sorted, correct the folders")
    )
    #expect(!walk.stdout.contains("first guess right"))
    expectUsageError(
      try check("--model", "m.safetensors", "--campus", "map.geojson"), "use it without --campus")
  }

  @Test("--model says why it cannot compare, and what better figures than in training mean")
  func driftWithoutFigures() async throws {
    for (label, kind) in [("arch", TinyCampus.Kind.arch), ("barn", .barn), ("cone", .cone)] {
      for number in 0..<12 {
        try folder.write(
          try TinyCampus.jpeg(kind, seed: UInt64(50 + number)), to: "photos/\(label)/\(number).jpg")
      }
    }
    var model = try Model(bytes: try await TinyCampus.model())
    func checked(_ recall: [String: Provenance.Recall]) throws -> Tool.Output {
      model.provenance.recall = recall
      try folder.write(try model.bytes(), to: "m.safetensors")
      return try check("--model", "m.safetensors")
    }
    let few = Provenance.Recall(right: 10, asked: 40)
    let better = try checked(["arch": few, "barn": few])
    expectSuccess(better)
    #expect(better.stdout.contains("they are recognized better than the held-out training photos"))
    #expect(
      better.stdout.contains("\nthe new photos probably resemble training photos, for example"))
    #expect(
      better.stdout.contains(
        "\nnot compared, because training could not hold out any of their photos: cone; take"))
    #expect(!better.stdout.contains("too few new photos"))
    let right = Provenance.Recall(right: 6, asked: 6)
    #expect(
      try checked(["arch": right, "barn": right]).stdout.contains(
        "; too few held-out training photos to tell whether they differ from the training photos"))
    let unknown = try checked([:]).stdout
    #expect(unknown.contains("the model has no held-out figures to compare with"))
    #expect(unknown.contains("\n-> training could not hold out photos, usually because too few"))
    #expect(unknown.contains("with cupola evaluate MODEL photos"))
    #expect(!unknown.contains("unknown"))
    // Copies are one session, which evaluate only knows from a table.
    for name in ["1", "2"] {
      try folder.write(try folder.bytes("photos/arch/0.jpg"), to: "again/arch/\(name).jpg")
    }
    func again() throws -> String {
      try Tool.run(["check", "again", "-q", "--model", "m.safetensors"], in: folder).stdout
    }
    let advice = "cupola evaluate MODEL again"
    #expect(
      try again().contains(
        advice + ", which counts photos without a table as independent; first list them in "
          + "again/split.csv with the columns path,label,split,group, "))
    try folder.write(
      "path,label,split,group\narch/1.jpg,arch,test,monday\narch/2.jpg,arch,test,monday\n",
      to: "again/split.csv")
    #expect(try again().contains(advice + "\n"))
  }

  @Test("Changes nothing, and the exit code reports the severity")
  func exitCodes() throws {
    try writePhotos()
    func digest() throws -> [String: [UInt8]] {
      var files: [String: [UInt8]] = [:]
      for photo in try PhotoSet(root: folder.path("photos")).photos {
        files[photo.name] = try FileAccess.read(photo.path)
      }
      return files
    }
    let before = try digest()
    expectSuccess(try check())
    #expect(try digest() == before)
    try folder.write("text", to: "photos/arch/notes.jpg")
    #expect(try check().status == 1)
    try folder.write("text", to: "photos/lost/notes.jpg")
    #expect(try check().status == 65)
    expectFailure(try Tool.run(["check", "nowhere", "-q"], in: folder), 66, "nowhere")
    try folder.touch("empty/readme.txt")
    expectFailure(try Tool.run(["check", "empty", "-q"], in: folder), 66, "empty")
    expectUsageError(try check("--shots", "x"), "--shots requires --campus")
    expectFailure(
      try check("--campus", "none.geojson"), 66, "none.geojson: cannot be read",
      "; leave out --campus if you have no map")
    try folder.write(TinyCampus.map, to: "map.geojson")
    expectFailure(try check("--campus", "map.geojson", "--shots", "no/x"), 73, "no/x")
    expectFailure(try check("--campus", "photos/arch/1.jpg"), 65, "photos/arch/1.jpg")
  }

  @Test("Labels are joined with similar names of the map")
  func otherNames() throws {
    try writePhotos()
    try folder.touch("photos/New Hall/notes.txt", "photos/.cache/x")
    try folder.write(TinyCampus.openStreetMap, to: "map.geojson")
    let output = try check("--campus", "map.geojson", "--json")
    #expect(output.status == 0)
    #expect(output.messages == ["matched with the map: Arch is arch"])
    let json = try #require(try output.json() as? [String: Any])
    let findings = try #require(json["findings"] as? [[String: Any]])
    func items(_ kind: String) -> [[String: String]]? {
      findings.first { $0["kind"] as? String == kind }?["items"] as? [[String: String]]
    }
    #expect(items("perhaps_on_map") == [["name": "barn", "note": "possibly Red Barn (way/2)"]])
    #expect(items("building_without_photos")?.map { $0["name"] } == ["way/2", "way/3"])
    #expect(items("empty_folder") == [["name": "New Hall"]])
    #expect(items("not_on_map") == nil && items("none_on_map") == nil)
    let other = TinyCampus.openStreetMap.replacing("Arch", with: "Gate")
      .replacing("Red Barn", with: "Mill")
    try folder.write(other, to: "map.geojson")
    let none = try check("--campus", "map.geojson")
    #expect(none.stdout.contains("2 labels missing from the map, which has none of the labels"))
    #expect(none.messages.isEmpty)
  }

  @Test("Photos of --negatives are listed with their folder")
  func negatives() throws {
    try writePhotos()
    let photo = try TinyCampus.jpeg(.cone, seed: 1)
    try folder.write(Array(photo.prefix(photo.count / 2)), to: "streets/deep/1.jpg")
    try folder.write("text", to: "streets/2.jpg")
    try folder.write(try TinyCampus.jpeg(.cone, seed: 2), to: "streets/3.jpg")
    let output = try check("--negatives", "streets/", "--json")
    #expect(output.status == 1)
    let json = try #require(try output.json() as? [String: Any])
    let findings = try #require(json["findings"] as? [[String: Any]])
    func names(_ kind: String) -> [String] {
      let items = findings.first { $0["kind"] as? String == kind }?["items"] as? [[String: Any]]
      return (items ?? []).compactMap { $0["name"] as? String }
    }
    #expect(names("not_jpeg") == ["streets/2.jpg"])
    #expect(names("truncated") == ["streets/deep/1.jpg"])
  }

  @Test("A table without training photos is an error, not in reports")
  func nothingTrains() async throws {
    try writePhotos()
    let photos = try PhotoSet(root: folder.path("photos")).photos
    func rows(_ photos: some Sequence<LabeledPhoto>, _ part: String) -> [String] {
      photos.map { "\($0.name),\($0.label),\(part)\n" }
    }
    let tests = rows(photos, "test")
    func isTold(_ rows: [String]) throws -> Bool {
      try folder.write("path,label,split\n" + rows.joined(), to: "photos/split.csv")
      let output = try check()
      let words = "no building has usable training photos"
      #expect(output.status == 65 || !output.stdout.contains(words))
      return output.stdout.contains(words)
    }
    #expect(try isTold(tests))
    try folder.write(try TinyCampus.jpeg(.street, seed: 1), to: "photos/_street/1.jpg")
    #expect(try isTold(tests + ["_street/1.jpg,_street,train\n"]))
    #expect(try !isTold(rows(photos.dropLast(), "test") + rows(photos.suffix(1), "val")))
    #expect(try isTold(tests))
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    let report = try Tool.run(
      ["evaluate", "m.safetensors", "photos", "-q", "--allow-leaks"]
        + ["--report", "r"], in: folder)
    expectSuccess(report)
    #expect(report.stdout.contains("22 test photos of 2 buildings"))
    #expect(!report.stdout.contains("usable training photos"))
  }

  @Test("A folder of --negatives without photos exits with 66")
  func noNegatives() throws {
    try writePhotos()
    try folder.write("text", to: "streets/read.me")
    expectFailure(try check("--negatives", "streets"), 66, "streets")
  }

  @Test("Hostile names are escaped")
  func hostileNames() throws {
    try writePhotos()
    let photo = try folder.bytes("photos/arch/1.jpg")
    try folder.write(photo, to: "photos/arch/\u{1B}[31m,\"x\"\n.jpg")
    try folder.write(photo, to: "photos/\u{202E}gpj/a.jpg")
    let output = try check()
    #expect(output.status == 65)
    #expect(!output.stdout.contains("\u{1B}") && !output.stdout.contains("\u{202E}"))
    #expect(output.stdout.contains(#"\u{1b}[31m,"x"\u{a}.jpg"#))
    let json = try #require(try check("--json").json() as? [String: Any])
    #expect((json["labels"] as? [String: Int])?["\u{202E}gpj"] == 1)
  }

  @Test("cupola split writes a table for train and evaluate")
  func split() throws {
    try writePhotos()
    let output = try Tool.run(
      ["split", "photos", "-o", "photos/split.csv", "-q", "--test", "0.3"], in: folder)
    expectSuccess(output)
    #expect(output.stdout.hasPrefix("photos/split.csv: "))
    let set = try PhotoSet(root: folder.path("photos"))
    #expect(set.photos.count == 22 && set.isDivided)
    for label in ["arch", "barn"] {
      #expect(set.photos.contains { $0.label == label && $0.split == .test })
      #expect(set.photos.contains { $0.label == label && $0.split == .train })
    }
    expectSuccess(
      try Tool.run(
        ["train", "photos", "-o", "m.safetensors", "--features", "hog", "-q"],
        in: folder))
    expectSuccess(try Tool.run(["evaluate", "m.safetensors", "photos", "-q"], in: folder))
    let first = try folder.bytes("photos/split.csv")
    func again(_ seed: String) throws -> [UInt8] {
      expectSuccess(
        try Tool.run(
          ["split", "photos", "-o", "s.csv", "-q", "--test", "0.3", "--seed", seed], in: folder))
      return try folder.bytes("s.csv")
    }
    // Groups now come from the table, so only the seed matters.
    #expect(try again("1") != first)
    expectUsageError(
      try Tool.run(["split", "photos", "-o", "s.csv", "--test", "1"], in: folder), "--test")
    expectFailure(
      try Tool.run(["split", "photos", "-o", "no/s.csv", "-q"], in: folder), 73, "no/s.csv")
    expectFailure(try Tool.run(["split", "nowhere", "-o", "s.csv", "-q"], in: folder), 66)
  }
}

import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Dataset check")
struct DatasetCheckTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func photos(of label: String) throws -> [[UInt8]] {
    try PhotoSet(root: Repository.sampleCampus).photos.filter { $0.label == label }
      .map { try FileAccess.read($0.path) }
  }

  private func writeSound() throws {
    for label in ["chapel", "bell_tower"] {
      for (number, bytes) in try Self.photos(of: label).prefix(12).enumerated() {
        try folder.write(bytes, to: "photos/\(label)/\(number).jpg")
      }
    }
  }

  private func check(campus: Campus? = nil) async throws -> DatasetCheck {
    try await DatasetCheck(
      of: PhotoSet(root: folder.path + "/photos"), campus: campus, reader: Self.reader, seen: [:],
      threads: 2, progress: nil, comparing: nil)
  }

  /// A reader that computes no features; fitting them takes long, and only suspect labels require them.
  static let reader = PhotoReader(
    decoder: PhotoDecoder(), recipe: .fisher(.fast), extractor: nil,
    sketch: FeatureSketch(values: 1, photos: 1))

  private func items(_ check: DatasetCheck, _ kind: CheckFinding.Kind) -> [String] {
    check.findings.filter { $0.kind == kind }.flatMap(\.items).map(\.name)
  }

  private func advice(_ check: DatasetCheck) -> String {
    check.findings.first { $0.kind == .oneSession }?.advice ?? ""
  }

  private static func picture(_ label: String, _ number: Int) throws -> RGBImage {
    try PhotoDecoder().open(photos(of: label)[number]).image()
  }

  @Test("Valid photos get only advice, regardless of threads")
  func sound() async throws {
    try writeSound()
    let check = try await DatasetCheck(
      of: PhotoSet(root: folder.path + "/photos"), decoder: PhotoDecoder(), threads: 2)
    #expect(check.photos == 24 && check.usable == 24)
    #expect(check.labels == ["chapel": 12, "bell_tower": 12])
    #expect(check.worst == .advice)
    #expect(Set(check.findings.map(\.kind)).isSubset(of: [.noBackground]))
    let again = try await DatasetCheck(
      of: PhotoSet(root: folder.path + "/photos"), decoder: PhotoDecoder(), threads: 1)
    #expect(again.findings == check.findings && again.coverage == check.coverage)
    #expect(again.validation?.accuracy?.grouped == check.validation?.accuracy?.grouped)
  }

  @Test(
    "Unusable files are grouped by cause, with advice")
  func unusable() async throws {
    try writeSound()
    let photo = try Self.photos(of: "chapel")[0]
    try folder.write(Array(photo.prefix(photo.count / 2)), to: "photos/chapel/cut.jpg")
    try folder.write(Array(photo.prefix(30)), to: "photos/chapel/damaged.jpg")
    let others: [(String, [UInt8], String)] = [
      ("a.png", [0x89, 0x50, 0x4E, 0x47], "PNG, not JPEG"),
      ("b.heic", [0, 0, 0, 24] + Array("ftypheic".utf8), "HEIC, not JPEG"),
      ("c.webp", Array("RIFF0000WEBP".utf8), "WebP, not JPEG"),
      ("d.jpg", [0x49, 0x49, 0x2A, 0], "TIFF, not JPEG"),
      ("e.jpg", Array("GIF89a".utf8), "GIF, not JPEG"),
      ("f.jpg", Array("sorry".utf8), "text, not a photo"),
    ]
    for (name, bytes, _) in others { try folder.write(bytes, to: "photos/bell_tower/\(name)") }
    try folder.write([], to: "photos/bell_tower/g.jpg")
    try folder.write(photo, to: "photos/stray.jpg")
    let check = try await check()
    #expect(items(check, .truncated) == ["chapel/cut.jpg"])
    #expect(items(check, .damaged) == ["chapel/damaged.jpg"])
    let empty = try #require(check.findings.first { $0.kind == .unreadable })
    #expect(
      empty.items == [
        CheckFinding.Item("bell_tower/g.jpg", "the file is empty")
      ])
    #expect(empty.message == "1 photo cannot be read" && empty.advice.hasPrefix("copy each again"))
    #expect(items(check, .misplaced) == ["stray.jpg"])
    let formats = try #require(check.findings.first { $0.kind == .notJPEG })
    #expect(formats.items.map(\.name) == others.map { "bell_tower/\($0.0)" })
    #expect(formats.items.map(\.note) == others.map(\.2))
    #expect(check.worst == .warning)
    #expect(check.photos == 33 && check.usable == 24)
  }

  @Test("Finds blurred, small, dark, bright and gray photos of buildings")
  func quality() async throws {
    try writeSound()
    func write(_ name: String, _ change: (UInt8, Int) -> UInt8, side: Int? = nil) throws {
      let image = try Self.picture("chapel", 13)
      var pixels: [UInt8] = []
      for (index, sample) in image.pixels.enumerated() { pixels.append(change(sample, index)) }
      var changed = RGBImage(width: image.width, height: image.height, pixels: pixels)
      if let side { changed = Self.resized(changed, side, side) }
      try folder.write(try JPEGEncoder.encode(changed), to: "photos/chapel/\(name).jpg")
    }
    try write("dark", { sample, _ in sample / 10 })
    try write("bright", { sample, _ in 220 + sample / 10 })
    try write("small", { sample, _ in sample }, side: 150)
    let wide = Self.resized(try Self.picture("chapel", 12), 448, 112)
    try folder.write(try JPEGEncoder.encode(wide), to: "photos/chapel/wide.jpg")
    let blurred = Self.resized(
      Self.resized(try Self.picture("chapel", 14), 16, 16), 400, 300)
    try folder.write(try JPEGEncoder.encode(blurred), to: "photos/chapel/blurred.jpg")
    // Clouds have no sharp edges either.
    let cloud = Self.resized(
      Self.resized(try Self.picture("chapel", 15), 16, 16), 400, 300)
    try folder.write(try JPEGEncoder.encode(cloud), to: "photos/_sky/cloud.jpg")
    let night = RGBImage(width: 90, height: 90, pixels: [UInt8](repeating: 9, count: 90 * 90 * 3))
    try folder.write(try JPEGEncoder.encode(night), to: "photos/_sky/night.jpg")
    let jpegs = Repository.root.appending(path: "Tests/CupolaTests/Fixtures/jpeg").path
    for name in ["grey", "cmyk"] {
      try folder.write(
        try FileAccess.read("\(jpegs)/\(name).jpg"), to: "photos/bell_tower/\(name).jpg")
    }
    let check = try await check()
    #expect(items(check, .blurred) == ["chapel/blurred.jpg"])
    #expect(
      CheckReport(check, folder: "photos").text.hasPrefix(
        "photos: 31 photos of 2 buildings (14 to 17 each), 2 non-building photos"))
    #expect(items(check, .tooDark) == ["chapel/dark.jpg"])
    #expect(items(check, .tooBright) == ["chapel/bright.jpg"])
    let small = items(check, .tooSmall)
    #expect(small.contains("chapel/small.jpg") && !small.contains("_sky/night.jpg"))
    #expect(!small.contains("chapel/wide.jpg") && CheckFinding.Kind.tooSmall.severity == .advice)
    #expect(items(check, .colors) == ["bell_tower/cmyk.jpg", "bell_tower/grey.jpg"])
  }

  private static func resized(_ image: RGBImage, _ width: Int, _ height: Int) -> RGBImage {
    AreaResampler.resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height), width: width,
      height: height)
  }

  @Test("Photos without a readable capture time or a named session are counted")
  func times() async throws {
    let times: [(name: String, text: String?)] = [
      ("iso", "2026-05-01T10:00:00"), ("odd", "last May"), ("blank", "    :  :     :  :  "),
      ("none", nil), ("named", nil), ("column", nil),
    ]
    for (seed, time) in times.enumerated() {
      let exif = time.text.map {
        EXIFBuilder().payload([
          EXIFBuilder.Tag.exif: .directory([EXIFBuilder.Tag.time: .text($0)])
        ])
      }
      let jpeg = try JPEGEncoder.encode(
        StripedPicture.draw(.down, seed: UInt64(seed)), exif: exif ?? [])
      try folder.write(jpeg, to: "photos/hall/\(time.name).jpg")
      // The sessions of non-building photos matter less, so their times are not requested.
      if time.text == nil { try folder.write(jpeg, to: "photos/_street/\(time.name).jpg") }
    }
    try folder.write(
      """
      path,label,split,group,time
      hall/iso.jpg,hall,train,,
      hall/odd.jpg,hall,train,,
      hall/blank.jpg,hall,train,,
      hall/none.jpg,hall,train,,
      hall/named.jpg,hall,train,monday,
      hall/column.jpg,hall,train,,2026-05-01
      _street/none.jpg,_street,train,,

      """, to: "photos/split.csv")
    let check = try await check()
    #expect(items(check, .unreadableTime) == ["hall/odd.jpg"])
    #expect(items(check, .noTime) == ["hall/blank.jpg", "hall/none.jpg"])
    #expect(
      check.findings.first { $0.kind == .noTime }?.advice.contains(
        "in split.csv, write their times into a column time (2026-05-01 14:30), or") == true)
  }

  @Test("Copies are reported by kind and location")
  func copies() async throws {
    try writeSound()
    let photo = try Self.photos(of: "chapel")[0]
    var generator = SplitMix64(seed: 3)
    func copy(_ kind: Copies.Kind, _ number: Int) throws -> [UInt8] {
      let image = try Self.picture("chapel", number)
      return try JPEGEncoder.encode(Copies.copy(of: image, kind, using: &generator))
    }
    try folder.write(photo, to: "photos/chapel/equal.jpg")
    try folder.write(try copy(.cropped, 1), to: "photos/chapel/cropped.jpg")
    try folder.write(try copy(.mirrored, 2), to: "photos/bell_tower/mirrored.jpg")
    let check = try await check()
    func notes(_ kind: CheckFinding.Kind) -> [String] {
      check.findings.filter { $0.kind == kind }.flatMap(\.items)
        .map { "\($0.name): \($0.note ?? "")" }
    }
    #expect(notes(.equalPhotos) == ["chapel/equal.jpg: identical to chapel/0.jpg"])
    #expect(notes(.copies) == ["chapel/cropped.jpg: similar to chapel/1.jpg"])
    #expect(
      notes(.acrossLabels) == ["chapel/2.jpg: mirrored copy of bell_tower/mirrored.jpg"])
    let equal = check.findings.first { $0.kind == .equalPhotos }
    #expect(equal?.isHarmless == true)
    #expect(equal?.advice.hasPrefix("nothing needs to be done: one copy of each") == true)
    #expect(check.worst == .error)
  }

  @Test("Copies that join two sessions are to be deleted")
  func joinedVisits() async throws {
    try writeSound()
    try folder.write(try Self.photos(of: "chapel")[0], to: "photos/chapel/equal.jpg")
    var table = "path,label,split,group\nchapel/equal.jpg,chapel,train,chapel-2\n"
    for number in 0..<12 {
      table += "chapel/\(number).jpg,chapel,train,chapel-\(number < 6 ? 1 : 2)\n"
      table += "bell_tower/\(number).jpg,bell_tower,train,bell_tower-\(number < 6 ? 1 : 2)\n"
    }
    try folder.write(table, to: "photos/split.csv")
    let check = try await check()
    #expect(
      check.findings.first { $0.kind == .equalPhotos }?.advice
        == "delete one of each, because copies from different sessions join these sessions")
  }

  @Test("Copies across a split are errors, crops are warnings")
  func parts() async throws {
    try writeSound()
    var generator = SplitMix64(seed: 3)
    let (image, other) = (try Self.picture("chapel", 0), try Self.picture("chapel", 1))
    try folder.write(
      try JPEGEncoder.encode(Copies.copy(of: image, .savedAgain, using: &generator)),
      to: "photos/chapel/saved.jpg")
    try folder.write(
      try JPEGEncoder.encode(Copies.copy(of: other, .cropped, using: &generator)),
      to: "photos/chapel/cropped.jpg")
    let names = try PhotoSet(root: folder.path + "/photos").photos
    let rows = names.map { photo in
      let isTest = photo.name.hasSuffix("d.jpg")
      return "\(photo.name),\(photo.label),\(isTest ? "test" : "train")\n"
    }
    try folder.write("path,label,split\n" + rows.joined(), to: "photos/split.csv")
    let check = try await check()
    #expect(items(check, .acrossParts) == ["chapel/saved.jpg"])
    #expect(items(check, .alikeAcrossParts) == ["chapel/cropped.jpg"])
    #expect(items(check, .copies) == [])
  }

  @Test("Photos of one view at different times are not copies")
  func views() async throws {
    try writeSound()
    var generator = SplitMix64(seed: 3)
    let image = try Self.picture("chapel", 0)
    let names = ["first", "soon", "later", "edited"]
    for name in names {
      try folder.write(
        try JPEGEncoder.encode(Copies.copy(of: image, .savedAgain, using: &generator)),
        to: "photos/chapel/\(name).jpg")
    }
    try FileManager.default.removeItem(atPath: folder.path("photos/chapel/0.jpg"))
    func write(_ parts: String) throws {
      let times = ["2026:05:01 10:00:00", "2026:05:01 10:00:02", "2026:05:02 10:00:00"]
      let rows = zip(names, zip(times + [times[0]], parts)).map { name, row in
        "chapel/\(name).jpg,chapel,\(row.1 == "t" ? "train" : "test"),g1,\(row.0)\n"
      }
      try folder.write("path,label,split,group,time\n" + rows.joined(), to: "photos/split.csv")
    }
    try write("tttt")
    #expect(items(try await check(), .copies) == ["chapel/first.jpg"])
    #expect(items(try await check(), .twoSessions) == [])
    try write("teet")
    let parts = try await check()
    #expect(items(parts, .acrossParts) == [])
    #expect(items(parts, .alikeAcrossParts) == ["chapel/soon.jpg"])
  }

  @Test("Reports odd, clashing, empty and rare labels and hidden folders")
  func labels() async throws {
    try writeSound()
    let photos = try Self.photos(of: "gate_house")
    let labels = ["Chapel", "ends ", "a:b", "nul", "cafe\u{301}", "tab\t1", "café", "_drawn"]
    for (number, label) in labels.enumerated() {
      try folder.write(photos[number], to: "photos/\(label)/1.jpg")
    }
    for label in ["Misc", "other buildings", "_others"] {
      try folder.write(photos[0], to: "photos/\(label)/1.jpg")
    }
    try folder.write("no photo", to: "photos/lost/1.jpg")
    let check = try await check()
    #expect(items(check, .labelClash).sorted() == ["caf\u{E9}", "chapel"])
    #expect(
      Set(items(check, .oddLabel)) == ["ends ", "a:b", "nul", "cafe\u{301}", "tab\t1"])
    #expect(items(check, .labelWithoutPhotos) == ["lost"])
    #expect(items(check, .reservedLabel) == ["_drawn"])
    #expect(items(check, .backgroundName) == ["Misc", "other buildings"])
    #expect(
      check.findings.first { $0.kind == .backgroundName }?.advice
        == "unless Misc is a building, rename its folder to _Misc; unless other "
        + "buildings is a building, rename its folder to _other_buildings"
    )
    #expect(items(check, .fewPhotos).count >= 6)
    #expect(check.findings.contains { $0.kind == .imbalance })
  }

  @Test("A single building is a warning; backgrounds alone are too few")
  func fewLabels() async throws {
    try folder.write(try Self.photos(of: "chapel")[0], to: "photos/chapel/1.jpg")
    let one = try await check()
    #expect(one.findings.contains { $0.kind == .oneBuilding } && one.worst == .warning)
    try folder.write(try Self.photos(of: "chapel")[1], to: "photos/_street/1.jpg")
    #expect(try await check().worst == .warning)
    try FileManager.default.removeItem(atPath: folder.path + "/photos/chapel")
    #expect(try await check().findings.first?.kind == .tooFewLabels)
    await #expect(throws: TrainingError.self) {
      try folder.touch("empty/readme.txt")
      _ = try await DatasetCheck(
        of: PhotoSet(root: folder.path + "/empty"), decoder: PhotoDecoder(), threads: 1)
    }
  }

  @Test("A building with only one session is reported")
  func session() async throws {
    try writeSound()
    let rows = try PhotoSet(root: folder.path + "/photos").photos.enumerated().map {
      "\($1.name),\($1.label),train,\($1.label == "chapel" ? "one" : "s\($0 % 2)")\n"
    }
    try folder.write("path,label,split,group\n" + rows.joined(), to: "photos/split.csv")
    #expect(items(try await check(), .oneSession) == ["chapel"])
  }

  @Test("Photos of unknown buildings are not counted as a building")
  func unknown() async throws {
    try writeSound()
    let rows = try PhotoSet(root: folder.path + "/photos").photos.map {
      "\($0.name),\($0.label),\($0.label == "chapel" ? "train" : "test_unknown")\n"
    }
    try folder.write("path,label,split\n" + rows.joined(), to: "photos/split.csv")
    let text = CheckReport(try await check(), folder: "photos").text
    #expect(
      text.hasPrefix("photos: 12 photos of 1 building, 12 photos of unknown buildings\n"))
  }

  @Test("All of five items of a finding are listed")
  func fiveItems() async throws {
    try writeSound()
    try folder.write(try Self.photos(of: "chapel")[1], to: "photos/_street/1.jpg")
    let text = CheckReport(try await check(), folder: "photos").text
    #expect(
      text.contains(
        "\n  5 kinds of non-building photos may be missing, because no folder has such a name"))
    #expect(
      text.contains("\n      close-up objects: for example in ") && !text.contains("(--json)"))
  }

  @Test("Numbered groups are not sessions, but capture days are")
  func days() async throws {
    var table = "path,label,split,group,time\n"
    for label in ["chapel", "bell_tower"] {
      for number in 0..<12 {
        let name = "\(label)/\(number).jpg"
        let bytes = try JPEGEncoder.encode(Self.picture(label, number))
        try folder.write(bytes, to: "photos/\(name)")
        let day = label == "chapel" ? 1 : 1 + number / 6
        table += "\(name),\(label),train,g\(number),2026:05:0\(day) \(10 + number):00:00\n"
      }
    }
    try folder.write(table, to: "photos/split.csv")
    let check = try await check()
    #expect(items(check, .oneSession) == ["chapel"])
    #expect(check.coverage.map { $0.times.reduce(0, +) } == [12, 12])
    // Test photos and named sessions do not add a day.
    let named = table.replacing(/,train,g(\d+),2026:05:02/) { ",test,s\($0.1),2026:05:02" }
    try folder.write(named, to: "photos/split.csv")
    let again = try await self.check()
    #expect(items(again, .oneSession) == ["bell_tower", "chapel"])
    #expect(
      again.findings.first { $0.kind == .oneSession }?.message
        == "2 buildings with training photos of only one day")
    #expect(advice(again).contains("accuracy in different lighting is unknown"))
    #expect(again.coverage.map(\.part) == [.training, .test, .training])
    #expect(again.coverage.prefix(2).map(\.times) == [[1, 4, 1, 0, 0], [0, 0, 3, 3, 0]])
    let text = CheckReport(again, folder: "photos").text
    #expect(text.contains(/\nbuilding +photos +5-11h +11-15h +15-19h +19-22h +22-5h\n/))
    #expect(text.contains(/\nbell_tower +training .*\nbell_tower +test .*\nchapel +training\b/))
    // With test photos of another day of both buildings, the accuracy in that light is known.
    let both = named.replacing(/(chapel\/\d\.jpg,chapel),train,(.*),2026:05:01/) {
      "\($0.1),test,\($0.2),2026:05:03"
    }
    try folder.write(both, to: "photos/split.csv")
    #expect(advice(try await self.check()).hasPrefix("the photos of another day are test photos"))
  }

  @Test("A third session is suggested for buildings with two if photos are not split yet")
  func twoSessions() async throws {
    typealias Tag = EXIFBuilder.Tag
    // The gate house has two sessions on each of two days.
    for (label, days, hours) in [("chapel", 2, 1), ("bell_tower", 3, 1), ("gate_house", 2, 2)] {
      for number in 0..<12 {
        let (day, hour) = (1 + number % days, 10 + number / 2 % hours)
        let time = "2026:05:0\(day) \(hour):\(10 + number):00"
        let exif = EXIFBuilder().payload([Tag.exif: .directory([Tag.time: .text(time)])])
        let bytes = try JPEGEncoder.encode(Self.picture(label, number), exif: exif)
        try folder.write(bytes, to: "photos/train/\(label)/\(number).jpg")
      }
    }
    #expect(items(try await check(), .twoSessions) == [])
    for label in ["chapel", "bell_tower", "gate_house"] {
      try FileManager.default.moveItem(
        atPath: folder.path("photos/train/\(label)"), toPath: folder.path("photos/\(label)"))
    }
    try FileManager.default.removeItem(atPath: folder.path("photos/train"))
    let dated = try await check()
    #expect(items(dated, .twoSessions) == ["chapel"] && items(dated, .oneSession) == [])
    // Photos without a time may be from other days.
    try folder.write(try JPEGEncoder.encode(Self.picture("chapel", 15)), to: "photos/chapel/20.jpg")
    #expect(items(try await check(), .twoSessions) == [])
  }

  @Test("A building with only test photos is reported")
  func onlyTested() async throws {
    try writeSound()
    try folder.write(try Self.photos(of: "gate_house")[0], to: "photos/barn/1.jpg")
    let rows = try PhotoSet(root: folder.path("photos")).photos.map { photo in
      let parts = ["chapel": "train", "bell_tower": "test", "barn": "test_unknown"]
      return "\(photo.name),\(photo.label),\(parts[photo.label] ?? "")\n"
    }
    try folder.write("path,label,split\n" + rows.joined(), to: "photos/split.csv")
    let check = try await check()
    #expect(items(check, .onlyTested) == ["bell_tower"])
    #expect(check.ofBuildings == 24 && check.usable == 25)
  }

  @Test("Wrong labels of the sample campus are found")
  func suspects() async throws {
    var table = "path,label,split\n"
    let photos = try PhotoSet(root: Repository.sampleCampus).photos
    let wrong = ["chapel/03.jpg": "oval_arena", "observatory/07.jpg": "water_tower"]
    for photo in photos where photo.split != .testUnknown {
      table += "\(photo.name),\(wrong[photo.name] ?? photo.label),train\n"
    }
    let file = try folder.write(table, to: "split.csv")
    let check = try await DatasetCheck(
      of: PhotoSet(root: Repository.sampleCampus, splitFile: file), decoder: PhotoDecoder(),
      threads: 2)
    let suspects = Set(items(check, .suspectLabel))
    // Precision matters more than recall: most photos that look unusual have the right label.
    #expect(!suspects.isDisjoint(with: wrong.keys), "\(suspects)")
    #expect(2 * suspects.subtracting(wrong.keys).count <= suspects.count, "\(suspects)")
    let accuracy = try #require(check.validation?.accuracy)
    #expect(accuracy.grouped.accuracy ?? 0 > 0.5 && accuracy.random.accuracy ?? 0 > 0.6)
  }

  @Test(
    "Wrong labels of real photos are found",
    .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos),
    arguments: [("koe", 5), ("notredame", 1), ("poznan", 5), ("vyronas", 5)])
  func realSuspects(name: String, least: Int) async throws {
    let root = Repository.realPhotos + "/" + name
    let photos = try PhotoSet(root: root).photos.filter { $0.split != .testUnknown }
    let labels = Set(photos.map(\.label)).sorted()
    var generator = SplitMix64(seed: 8)
    let wrong = Set(photos.shuffled(using: &generator).prefix(8).map(\.name))
    var table = "path,label,split,group\n"
    for photo in photos {
      let index = labels.firstIndex(of: photo.label) ?? 0
      let label = wrong.contains(photo.name) ? labels[(index + 1) % labels.count] : photo.label
      table += "\(photo.name),\(label),train,\(photo.group ?? "")\n"
    }
    let file = try folder.write(table, to: "split.csv")
    let check = try await DatasetCheck(
      of: PhotoSet(root: root, splitFile: file), decoder: PhotoDecoder(), threads: 2)
    let suspects = Set(items(check, .suspectLabel))
    print(
      "\(name): \(suspects.intersection(wrong).count) of 8 wrong labels suspected, \(suspects.count) in all"
    )
    #expect(suspects.intersection(wrong).count >= least)
    #expect(2 * suspects.subtracting(wrong).count <= suspects.count)
    let finding = try #require(check.findings.first { $0.kind == .suspectLabel })
    #expect(finding.items.allSatisfy { $0.other != nil })
    guard name == "notredame" else { return }
    // Non-building photos change neither the suspects nor their order.
    let others = try PhotoSet(negatives: Repository.realPhotos + "/negatives")
    let joined = try await DatasetCheck(
      of: PhotoSet(root: root, splitFile: file).joined(with: others), decoder: PhotoDecoder(),
      threads: 2)
    #expect(items(joined, .suspectLabel) == items(check, .suspectLabel))
  }
}

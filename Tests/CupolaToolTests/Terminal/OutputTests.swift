import Cupola
import CupolaTestSupport
import CupolaTraining
import Foundation
import Testing

@Suite("Output files")
struct OutputTests {
  private let folder: TemporaryFolder

  init() async throws { folder = try await TinyCampus.folder() }

  private func run(_ arguments: String...) throws -> Tool.Output {
    try Tool.run(arguments, in: folder)
  }

  @Test("Devices and missing folders are rejected before work starts")
  func refused() throws {
    for output in ["/dev/null", "link"] {
      try? FileManager.default.createSymbolicLink(
        atPath: folder.path("link"), withDestinationPath: "/dev/null")
      expectFailure(
        try run("train", "photos", "-o", output, "--features", "hog", "-q"), 73, output,
        "is a pipe, socket or device")
      expectFailure(try run("split", "photos", "-o", output, "-q", "--force"), 73, output)
    }
    let kind = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type]
    #expect(kind as? FileAttributeType == .typeCharacterSpecial)
    for arguments in [
      ["train", "photos", "-o", "no/m", "-q"], ["split", "photos", "-o", "no/m", "-q"],
      ["explain", "m.safetensors", "photos/arch/1.jpg", "-o", "no/m.jpg"],
      ["export", "m.safetensors", "--format", "onnx", "-o", "no/m"],
      ["evaluate", "m.safetensors", "photos", "-q", "--report", "no/m"],
    ] {
      expectFailure(
        try Tool.run(arguments, in: folder), 73, "no/m",
        ": the folder no does not exist; create it first")
    }
  }

  @Test(
    "Nothing is written to a file named -",
    arguments: [
      "train photos -o -", "split photos -o -", "model m.safetensors -o -",
      "check photos --campus m --shots -", "features photos --mixture -",
    ])
  func hyphen(command: String) throws {
    let words = command.split(separator: " ").map(String.init)
    expectUsageError(try Tool.run(words, in: folder), " must be a file, not -; ")
    #expect(!FileManager.default.fileExists(atPath: folder.path("-")))
  }

  @Test("-o follows a symbolic link")
  func link() throws {
    try folder.touch("store/old")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("new"), withDestinationPath: "store/old")
    #expect(try run("train", "photos", "-o", "new", "--features", "hog", "-q").status == 0)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("new")) == "store/old")
    #expect(try Model(contentsOf: folder.path("store/old")).labels.names.count == 4)
  }

  @Test("A report keeps other files and is replaced completely")
  func report() throws {
    try folder.write("mine", to: "out/diary.txt")
    let report = ["evaluate", "m.safetensors", "photos", "-q", "--no-refits", "--report", "out"]
    expectSuccess(try Tool.run(report, in: folder))
    try folder.write("old", to: "out/report.txt")
    expectSuccess(try Tool.run(report, in: folder))
    #expect(try folder.bytes("out/diary.txt") == Array("mine".utf8))
    let whole = try folder.contents()
    #expect(whole["out/report.txt"] != Data("old".utf8))
    #expect(!whole.keys.contains { $0.contains(".part-") })
    // A folder in place of a table.
    try FileManager.default.removeItem(atPath: folder.path("out/roc.csv"))
    try folder.touch("out/roc.csv/mine")
    let before = try folder.contents()
    let failed = try run(
      "evaluate", "m.safetensors", "photos", "-q", "--no-refits", "--part", "train",
      "--allow-leaks", "--report", "out")
    expectFailure(failed, 73, "out/roc.csv", "Is a directory")
    #expect(try folder.contents() == before)
  }

  @Test(
    "A report never replaces foreign files")
  func foreignReport() throws {
    for name in ["report.txt", "predictions.csv", "report.json", "report.html"] {
      try folder.write(#"{"schema": "mine/1"}"#, to: "out/\(name)")
      let before = try folder.contents()
      expectFailure(
        try run("evaluate", "m.safetensors", "photos", "-q", "--report", "out"), 73,
        "out/\(name): cannot be written: File exists; existing files are not overwritten")
      #expect(try folder.contents() == before)
      try FileManager.default.removeItem(atPath: folder.path("out"))
    }
  }

  @Test("split replaces only split tables and keeps extra columns")
  func split() throws {
    func split(_ options: String...) throws -> Tool.Output {
      try Tool.run(["split", "photos", "-o", "photos/split.csv", "-q"] + options, in: folder)
    }
    try folder.write("date,weather\nmonday,rain\n", to: "photos/split.csv")
    let hand = try folder.bytes("photos/split.csv")
    expectFailure(try split(), 73, "photos/split.csv: not a split table", "--force")
    #expect(try folder.bytes("photos/split.csv") == hand)
    expectSuccess(try split("--force"))
    let own = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    let lines = own.split(separator: "\n").enumerated().map {
      $1 + ($0 == 0 ? ",light" : ",day\($0)")
    }
    try folder.write(lines.joined(separator: "\n"), to: "photos/split.csv")
    expectSuccess(try split())
    let kept = try PhotoSet(root: folder.path("photos")).photos
    #expect(Set(kept.compactMap { $0.attributes["light"] }).count == 24)
  }

  @Test(
    "Photos outside the folder need --allow-outside",
    arguments: ["train", "check", "split", "evaluate"])
  func outside(command: String) throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 50), to: "arch.jpg")
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table + "../arch.jpg,arch,test,x\n", to: "photos/split.csv")
    let arguments =
      [
        "train": ["train", "photos", "-o", "n", "--features", "hog", "-q"],
        "check": ["check", "photos", "-q"], "split": ["split", "photos", "-o", "s.csv", "-q"],
        "evaluate": ["evaluate", "m.safetensors", "photos", "-q"],
      ][command] ?? []
    expectFailure(
      try Tool.run(arguments, in: folder), 65, "photos/split.csv:26: ../arch.jpg is outside",
      "--allow-outside")
    #expect(try Tool.run(arguments + ["--allow-outside"], in: folder).status != 65)
  }
}

@Suite("Inputs are never overwritten")
struct OutputFileTests {
  private let folder: TemporaryFolder

  init() async throws {
    folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    try folder.write(TinyCampus.map, to: "map.geojson")
    try TinyCampus.writePhotos(to: folder)
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: "photos/arch/1.jpg")
    try FileManager.default.linkItem(
      atPath: folder.path("photos/arch/2.jpg"), toPath: folder.path("same"))
  }

  private func expectRefused(_ arguments: [String]) throws {
    let before = try folder.contents()
    let output = try Tool.run(arguments, in: folder)
    #expect(output.status == 64, "\(arguments): \(output.stderr)")
    #expect(output.stderr.contains(" would overwrite the input "), "\(output.stderr)")
    #expect(try folder.contents() == before, "\(arguments)")
  }

  @Test(
    "An output that is also an input is rejected",
    arguments: [
      "check photos --campus map.geojson --shots ./map.geojson",
      "check photos --campus map.geojson --shots photos/split.csv",
      "check photos --campus map.geojson --shots link",
      "train photos -o photos/../photos/barn/1.jpg", "train photos -o link",
      "train photos -o same", "train photos -o photos/split.csv",
      "train photos --campus map.geojson -o map.geojson",
      "split photos --force -o photos/arch/1.jpg",
      "model m.safetensors --strip hashes,digests,viewpoints -o m.safetensors",
      "evaluate m.safetensors photos --name m -o .",
    ])
  func refused(command: String) throws {
    try expectRefused(command.split(separator: " ").map(String.init))
  }

  @Test("A route never overwrites the guide")
  func guide() throws {
    try folder.write(GuideTests.map(lastName: "North Hall"), to: "map.geojson")
    expectSuccess(try Tool.run(["guide", "build", "map.geojson", "-o", "g"], in: folder))
    let route = ["guide", "route", "g", "--from", "Old Library", "--to", "North Hall"]
    let paths = try #require(
      try folder.contents().keys.first { $0.hasPrefix("g/paths-") })
    for name in ["g/guide.json", paths] {
      try expectRefused(route + ["--svg", name])
      try expectRefused(route + ["--geojson", name])
    }
    for _ in 0..<2 { expectSuccess(try Tool.run(route + ["--svg", "g/way.svg"], in: folder)) }
  }

  @Test(
    "A route and its drawing need different files",
    arguments: [("w", "./w"), ("photos/w", "photos/../photos/w"), ("link", "photos/arch/1.jpg")])
  func oneFile(svg: String, geojson: String) throws {
    let before = try folder.contents()
    let output = try Tool.run(
      ["guide", "route", "g", "--from", "a", "--to", "b", "--svg", svg, "--geojson", geojson],
      in: folder)
    expectUsageError(output, "--svg and --geojson must be different files")
    #expect(try folder.contents() == before)
  }

  @Test(
    "An output named - is rejected",
    arguments: [
      "guide route g --from a --to b --svg -", "guide route g --from a --to b --geojson -",
      "guide tour keys tour.json --count 1 -o -", "model m.safetensors -o -",
    ])
  func noStream(command: String) throws {
    let output = try Tool.run(command.split(separator: " ").map(String.init), in: folder)
    expectUsageError(output, "must be a file, not -")
    #expect(!FileManager.default.fileExists(atPath: folder.path("-")))
  }

  @Test("A model may be rewritten in place if nothing is removed")
  func rewrittenModel() throws {
    let before = try folder.contents()
    expectSuccess(
      try Tool.run(["model", "m.safetensors", "-o", "m.safetensors"], in: folder))
    #expect(try folder.contents() == before)
  }
}

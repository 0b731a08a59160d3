import CupolaTestSupport
import Foundation
import Testing

/// What commands read is never what they write over.
@Suite("Inputs stay")
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
    #expect(output.stderr.contains(" itself; name another file."), "\(output.stderr)")
    #expect(try folder.contents() == before, "\(arguments)")
  }

  @Test(
    "an output that is an input, by whatever name, is refused before work begins",
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

  @Test("a way is not written over the guide, but over an earlier way in its folder")
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
    "a way and its picture are two files, whatever they are called",
    arguments: [("w", "./w"), ("photos/w", "photos/../photos/w"), ("link", "photos/arch/1.jpg")])
  func oneFile(svg: String, geojson: String) throws {
    let before = try folder.contents()
    let output = try Tool.run(
      ["guide", "route", "g", "--from", "a", "--to", "b", "--svg", svg, "--geojson", geojson],
      in: folder)
    expectUsageError(output, "--svg and --geojson are one file")
    #expect(try folder.contents() == before)
  }

  @Test(
    "no file is called -, as stdout is elsewhere",
    arguments: [
      "guide route g --from a --to b --svg -", "guide route g --from a --to b --geojson -",
      "guide tour keys tour.json --count 1 -o -", "model m.safetensors -o -",
    ])
  func noStream(command: String) throws {
    let output = try Tool.run(command.split(separator: " ").map(String.init), in: folder)
    expectUsageError(output, "must be a file, not -")
    #expect(!FileManager.default.fileExists(atPath: folder.path("-")))
  }

  @Test("a model is written anew over itself where nothing is left out")
  func anew() throws {
    let before = try folder.contents()
    expectSuccess(
      try Tool.run(["model", "m.safetensors", "-o", "m.safetensors"], in: folder))
    #expect(try folder.contents() == before)
  }
}

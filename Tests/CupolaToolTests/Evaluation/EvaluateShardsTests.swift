import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola evaluate, shared")
struct EvaluateShardsTests {
  private let folder: TemporaryFolder

  init() async throws { folder = try await TinyCampus.folder() }

  private func evaluate(_ options: String...) throws -> Tool.Output {
    try Tool.run(["evaluate", "m.safetensors"] + options + ["-q"], in: folder)
  }

  /// The figures without those of time.
  private func figures(_ output: Tool.Output) throws -> NSDictionary {
    var object = try #require(
      try JSONSerialization.jsonObject(with: Data(output.stdout.utf8)) as? [String: Any])
    object["latency_ms"] = nil
    return object as NSDictionary
  }

  @Test("machines that each see a part give the figures of one")
  func shards() throws {
    let wanted = try evaluate("photos", "--json")
    expectSuccess(wanted)
    for shard in ["2/3", "3/3", "1/3"] {
      let output = try evaluate("photos", "--shard", shard, "-o", "deep/predictions")
      expectSuccess(output)
      #expect(
        output.stdout.hasPrefix(
          "shard deep/predictions/shard-\(shard.prefix(1))-of-3.safetensors, "))
    }
    for photos: [String] in [[], ["photos"]] {
      let output = try Tool.run(
        ["evaluate", "m.safetensors"] + photos
          + ["--predictions", "deep/predictions", "--json", "-q"], in: folder)
      expectSuccess(output)
      #expect(try figures(output) == figures(wanted))
    }
    try FileManager.default.removeItem(
      atPath: folder.path("deep/predictions/shard-2-of-3.safetensors"))
    expectFailure(
      try evaluate("--predictions", "deep/predictions"), 65, "shard 2 of 3 is missing",
      "cupola evaluate with --shard 2/3")
  }

  @Test("parts that somebody else chose, and a summary in JSON")
  func tables() throws {
    let lines = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self).split(
      separator: "\n")
    let tests = lines.dropFirst().filter { $0.contains(",test") }
    for (number, part) in [tests.prefix(3), tests.dropFirst(3)].enumerated() {
      try folder.write(([lines[0]] + part).joined(separator: "\n"), to: "part\(number).csv")
      let output = try evaluate(
        "photos", "--split", "part\(number).csv", "--name", "part\(number)", "-o", "p", "--json")
      expectSuccess(output)
      let summary = try #require(try output.json() as? [String: Any])
      #expect(summary["schema"] as? String == "cupola.shard/1")
      #expect(summary["shard"] as? String == "p/part\(number).safetensors")
      #expect(summary["photos"] as? Int == part.count)
    }
    expectSuccess(try evaluate("--predictions", "p", "--report", "report"))
    let page = String(decoding: try folder.bytes("report/report.html"), as: UTF8.self)
    #expect(page.contains("<html"))
  }

  @Test("what lies beside the folders of labels is told with the shard: no report will know")
  func leftOut() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    try folder.write(try TinyCampus.jpeg(.arch, seed: 70), to: "photos/stray.jpg")
    try expectStray(try evaluate("photos", "-o", "p", "--json"))
  }

  @Test("a page has pictures of the photos of the folder that is named, and none without")
  func pictures() throws {
    expectSuccess(try evaluate("photos", "-o", "p"))
    // Where names of shards would lead, if they were paths.
    for label in TinyCampus.Kind.allCases.map(\.label) {
      try FileManager.default.copyItem(
        atPath: folder.path("photos/" + label), toPath: folder.path(label))
    }
    for photos: [String] in [[], ["photos"]] {
      let output = try Tool.run(
        ["evaluate", "m.safetensors"] + photos
          + ["--predictions", "p", "--report", "r", "--no-refits", "-q"], in: folder)
      expectSuccess(output)
      #expect(output.stderr.contains(", without pictures: name the folder") == photos.isEmpty)
      let page = String(decoding: try folder.bytes("r/report.html"), as: UTF8.self)
      #expect(page.contains("data:image/jpeg") == !photos.isEmpty)
    }
  }

  @Test("options that do not fit each other are usage errors")
  func usage() throws {
    for options: [String] in [
      [], ["photos", "--shard", "1/2"], ["photos", "-o", "p", "--report", "r"],
      ["photos", "-o", "p", "--predictions", "q"], ["photos", "-o", "p", "--shard", "3/2"],
      ["photos", "-o", "p", "--shard", "1/2", "--name", "x"],
      ["--predictions", "p", "--part", "train"], ["--predictions", "p", "--negatives", "photos"],
      ["--predictions", "p", "--split", "no.csv"], ["--sequences", "s", "--split", "no.csv"],
      ["--sequences", "s", "--part", "val"], ["photos", "-o", "p", "--no-place"],
      ["photos", "-o", "p", "--max-error", "0.01"], ["photos", "-o", "p", "--allow-leaks"],
      ["photos", "-o", "p", "--unknown-visits", "0.5"],
      ["--sequences", "s", "--unknown-visits", "0.5"], ["--sequences", "s", "--shard", "1/2"],
      ["--sequences", "s", "--name", "x"], ["--sequences", "s", "--allow-leaks"],
      ["--sequences", "s", "--cache", "c"], ["--sequences", "s", "--no-cache"],
      ["--sequences", "s", "--no-refits"], ["--sequences", "s", "--allow-outside"],
      ["--sequences", "s", "--threads", "2"], ["photos", "-o", "p", "--no-refits"],
      ["photos", "-o", "p", "--cache", "c"], ["photos", "-o", "p", "--no-cache"],
    ] {
      let output = try Tool.run(["evaluate", "m.safetensors"] + options, in: folder)
      #expect(output.status == 64, "\(options)")
    }
    expectUsageError(
      try Tool.run(["evaluate", "m.safetensors", "--sequences", "s", "--matrix"], in: folder),
      "--threads or --matrix")
    for option in [["--allow-outside"], ["--lenient"], ["--cache", "c", "--report", "r"]] {
      expectUsageError(
        try Tool.run(["evaluate", "m.safetensors", "--predictions", "p"] + option, in: folder),
        "or name PHOTOS")
    }
  }
}

import CupolaTestSupport
import Testing

@testable import CupolaTool

@Suite("cupola benchmark")
struct BenchmarkTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("Median and 95th percentile use the nearest rank", arguments: [1, 2, 20, 100])
  func ranks(runs: Int) {
    let times = BenchmarkTimes((1...runs).reversed().map(Double.init))
    let least = { (share: Int) in Double((share * runs + 99) / 100) }
    #expect(times.median == least(50) && times.percentile95 == least(95))
  }

  @Test("Times the stages for a drawn image or a photo")
  func stages() throws {
    try folder.write(try TinyCampus.jpeg(.arch, seed: 1), to: "arch.jpg")
    for photo in [[], ["arch.jpg"]] {
      let output = try Tool.run(
        ["benchmark", "--repetitions", "1", "--json"] + photo, in: folder)
      expectSuccess(output)
      let figures = try #require(try output.json() as? [String: Any])
      #expect(figures["schema"] as? String == "cupola.benchmark/1")
      let stages = try #require(figures["milliseconds"] as? [String: Double])
      #expect(stages.count >= 5)
      #expect(stages.values.allSatisfy { $0 > 0 && $0.isFinite })
    }
  }

  @Test("Times a model's stages and the throughput by threads")
  func model() async throws {
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for (name, kind) in [("arch", TinyCampus.Kind.arch), ("barn", .barn)] {
      try folder.write(try TinyCampus.jpeg(kind, seed: 1), to: "\(name).jpg")
    }
    for photos in [[], ["arch.jpg"], ["arch.jpg", "barn.jpg"]] {
      let output = try Tool.run(
        ["benchmark", "m.safetensors", "--repetitions", "2", "--threads", "2", "--json"] + photos,
        in: folder)
      expectSuccess(output)
      let figures = try #require(try output.json() as? [String: Any])
      let stages = try #require(figures["milliseconds"] as? [String: Double])
      #expect(stages.keys.sorted().starts(with: ["all", "classify", "decode", "features"]))
      #expect(stages["hog 128x128"] == nil && stages["frame"] != nil)
      let slow = try #require(figures["milliseconds_95"] as? [String: Double])
      for (stage, time) in stages { #expect(try #require(slow[stage]) >= time) }
      let shares = try #require(figures["share"] as? [String: Double])
      let sum = shares.filter { $0.key != "all" }.values.reduce(0, +)
      #expect(abs(sum - 1) < 1e-6)
      let rates = try #require(figures["photos_per_second"] as? [String: Double])
      #expect(rates.keys.sorted() == ["1", "2"])
      #expect(rates.values.allSatisfy { $0 > 0 && $0.isFinite })
    }
    expectFailure(try Tool.run(["benchmark", "no.safetensors"], in: folder), 66, "no.safetensors")
  }

  @Test("Warns about photos off campus, which are not decoded")
  func offCampus() async throws {
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for (name, latitude) in [("on", 48.005), ("off", 48.5)] {
      try folder.write(
        try TinyCampus.jpeg(.arch, seed: 1, exif: TinyCampus.position(latitude, 10.01)),
        to: "\(name).jpg")
    }
    let run = ["benchmark", "m.safetensors", "--repetitions", "1", "--threads", "1", "on.jpg"]
    let quiet = try Tool.run(run, in: folder)
    expectSuccess(quiet)
    #expect(quiet.messages.isEmpty)
    let output = try Tool.run(run + ["off.jpg"], in: folder)
    expectSuccess(output)
    #expect(output.messages.count == 1)
    #expect(
      output.stderr.hasPrefix(
        "warning: 1 of 2 photos was taken off campus and not processed completely,"))
  }

  @Test("One thread's work is limited with many threads")
  func rounds() {
    #expect(ModelBenchmark.rounds(50, of: 1, threads: 1) == 50)
    #expect(ModelBenchmark.rounds(50, of: 1, threads: 64) == 512)
    #expect(ModelBenchmark.rounds(2, of: 4, threads: 64) == 128)
  }

  @Test("The text has a table of stages and the throughput")
  func text() async throws {
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    let output = try Tool.run(
      ["benchmark", "m.safetensors", "--repetitions", "2", "--threads", "2"], in: folder)
    expectSuccess(output)
    let lines = output.stdout.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix("stage"))
    #expect(lines.contains { $0.hasPrefix("features") && $0.hasSuffix("%") })
    #expect(lines.contains { $0.hasPrefix("all") && $0.hasSuffix("100.0%") })
    #expect(lines.contains { $0.hasPrefix("1 thread: ") && $0.hasSuffix(" photos per second") })
    #expect(lines.contains { $0.hasPrefix("2 threads: ") && $0.hasSuffix(" times as many)") })
  }

  @Test("Only one model is accepted, before the photos")
  func order() throws {
    for files in [["arch.jpg", "m.safetensors"], ["a.safetensors", "m.safetensors"]] {
      expectUsageError(
        try Tool.run(["benchmark"] + files, in: folder),
        "only the first file may be a model, not m.safetensors")
    }
    expectUsageError(
      try Tool.run(["benchmark", "a.jpg", "b.jpg"], in: folder), "give at most one photo, not 2")
  }

  @Test("--threads requires a model")
  func threads() throws {
    for photo in [[], ["a.jpg"]] {
      expectUsageError(
        try Tool.run(["benchmark", "--threads", "2"] + photo, in: folder),
        "--threads requires a model")
    }
  }

  @Test("Reports unusable photos")
  func badPhoto() throws {
    try folder.write("text", to: "text.jpg")
    expectFailure(try Tool.run(["benchmark", "text.jpg"], in: folder), 65, "text.jpg", "text")
    expectFailure(try Tool.run(["benchmark", "no.jpg"], in: folder), 66, "no.jpg")
  }
}

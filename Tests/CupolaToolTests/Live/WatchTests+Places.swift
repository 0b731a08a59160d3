import CupolaTestSupport
import Testing

@testable import CupolaTool

@Suite("cupola watch, places")
struct WatchPlacesTests {
  @Test("--position-error is for recorded positions that do not say it, too")
  func recordedError() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    let photo = try TinyCampus.jpeg(.arch, seed: 41, exif: TinyCampus.position(48.005, 10.01))
    try folder.write(photo, to: "arch.jpg")
    let watch = ["watch", "m.safetensors", "--jsonl"]
    expectSuccess(try Tool.run(watch + ["arch.jpg", "--record", "walk"], in: folder))
    for source in [["arch.jpg"], ["--replay", "walk"]] {
      for (options, fence) in [
        ([], "inside"), (["--position-error", "5000"], "too_close_to_tell"),
        (["--position-error", "5000", "--at", "48.5,10.01"], "outside"),
        (["--position-error", "5000", "--no-place"], nil),
      ] as [([String], String?)] {
        let output = try Tool.run(watch + source + options, in: folder)
        expectSuccess(output)
        let found = try output.jsonLines().first?["fence"] as? String
        #expect(found == fence, "\(source) \(options)")
      }
    }
  }

  @Test("The focal length of EXIF counts, of recorded frames too")
  func focalLength() async throws {
    let folder = try TemporaryFolder()
    try folder.write(try await TinyCampus.model(), to: "m.safetensors")
    for millimeters in [27, 200] as [UInt16] {
      let exif = EXIFBuilder().payload([
        EXIFBuilder.Tag.exif: .directory([EXIFBuilder.Tag.focalLength: .short(millimeters)])
      ])
      let photo = try TinyCampus.jpeg(.barn, seed: 41, exif: exif)
      try folder.write(photo, to: "\(millimeters).jpg")
    }
    func candidates(_ arguments: [String]) throws -> [Double] {
      let output = try Tool.run(["watch", "m.safetensors", "--jsonl"] + arguments, in: folder)
      expectSuccess(output)
      let found = try output.jsonLines().first?["candidates"] as? [[String: Any]]
      return (found ?? []).compactMap { $0["probability"] as? Double }
    }
    // From there the arch is to the north, and the barn to the northeast.
    let place = ["--at", "48.0045,10.01", "--heading", "20"]
    let usual = try candidates(["27.jpg"] + place)
    let narrow = try candidates(["200.jpg", "--record", "walk"] + place)
    #expect(usual.count == 3 && narrow.count == 3 && usual != narrow)
    #expect(try candidates(["--replay", "walk"]) == narrow)
  }
}

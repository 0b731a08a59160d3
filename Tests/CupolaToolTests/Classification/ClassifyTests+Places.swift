import CupolaTestSupport
import Foundation
import Testing

/// Where photos were taken.
extension ClassifyTests {
  @Test("a position outside the fence is Not on Campus, without a look at the picture")
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

  @Test("a position on the fence is on campus", arguments: ["48,10", "48.01, 10.02", "48.005,10"])
  func onTheFence(at: String) throws {
    let output = try classify("new/arch.jpg", "--at", at)
    expectSuccess(output)
    #expect(output.stdout.contains("Old Arch"))
  }

  @Test("with an error, only a position outside beyond doubt is Not on Campus")
  func positionError() throws {
    // 11 m north of the fence.
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

  @Test("an error given also holds for photos whose EXIF has none")
  func positionErrorOfPhotos() throws {
    let earth = 20_100_000
    try folder.write(try TinyCampus.fixture("gps.jpg"), to: "gps.jpg")
    let own = try classify("gps.jpg", "--position-error", "\(earth)", "--jsonl").jsonLines()
    // The phone's own error counts more.
    #expect(own.first?["fence"] as? String == "outside")
    let photo = try TinyCampus.jpeg(.arch, seed: 7, exif: TinyCampus.position(48.0101, 10.01))
    try folder.write(photo, to: "near.jpg")
    for (error, fence) in [("5", "outside"), ("20", "too_close_to_tell")] {
      let answer = try classify("near.jpg", "--position-error", error, "--jsonl").jsonLines().first
      #expect(answer?["fence"] as? String == fence)
    }
    // 15 m where nobody said.
    let usual = try classify("near.jpg", "--jsonl").jsonLines().first
    #expect(usual?["fence"] as? String == "too_close_to_tell")
    let ignored = try classify("near.jpg", "--position-error", "5", "--no-place", "--jsonl")
    #expect(try ignored.jsonLines().first?["fence"] == nil)
  }

  @Test("positions south of the equator and west of Greenwich can be given")
  func southWest() throws {
    let output = try classify("new/arch.jpg", "--at", "-33.95,-18.4", "--heading", "-90", "--json")
    expectSuccess(output)
    let answer = try #require((try output.json() as? [[String: Any]])?.first)
    let position = try #require(answer["position"] as? [String: Any])
    #expect(position["latitude"] as? Double == -33.95)
    #expect(position["longitude"] as? Double == -18.4)
    #expect((answer["heading"] as? [String: Any])?["degrees"] as? Double == 270)
  }

  @Test("--no-place ignores positions, given ones and the photo's own")
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

  @Test("a given position counts more than the photo's own")
  func givenPosition() throws {
    try folder.write(try TinyCampus.fixture("gps.jpg"), to: "gps.jpg")
    let output = try classify("gps.jpg", "--at", "48.005,10.01")
    expectSuccess(output)
    #expect(!output.stdout.contains("Not on Campus"))
  }
}

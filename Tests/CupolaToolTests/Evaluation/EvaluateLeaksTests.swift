import Cupola
import CupolaTestSupport
import Foundation
import Testing

@Suite("cupola evaluate with leaks")
struct LeakOptionsTests {
  private let folder: TemporaryFolder

  init() async throws { folder = try await TinyCampus.folder() }

  private func evaluate(_ options: String...) throws -> Tool.Output {
    try Tool.run(["evaluate", "m.safetensors", "photos", "-q"] + options, in: folder)
  }

  @Test("If most photos trained the model, they are rejected in one line")
  func refused() throws {
    let output = try evaluate("--part", "train")
    expectFailure(
      output, 65, "photos: 16 of 16 photos, too many to skip, are training photos of the model",
      "cupola split",
      "--allow-leaks",
      "photos/_street/1.jpg")
    #expect(output.stdout.isEmpty)
  }

  @Test("A single training photo is found under any name")
  func one() throws {
    try folder.write(try folder.bytes("photos/arch/1.jpg"), to: "photos/barn/new.jpg")
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table + "barn/new.jpg,barn,test,new\n", to: "photos/split.csv")
    // The other photos are evaluated.
    let output = try evaluate("--json")
    expectSuccess(output)
    #expect(
      output.messages == [
        "note: skipped 1 of 9 photos: training photos of the model, or copies or crops of them, such as "
          + "photos/barn/new.jpg; use --allow-leaks to include them"
      ])
    let figures = try #require(try output.json() as? [String: Any])
    #expect(figures["photos"] as? Int == 6 && figures["leaks"] == nil)
  }

  private func train(with photo: RGBImage) throws {
    let training = try folder.write(
      try JPEGEncoder.encode(photo, quality: 90), to: "photos/arch/scene.jpg")
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table + "arch/scene.jpg,arch,train,scene\n", to: "photos/split.csv")
    #expect(FileManager.default.fileExists(atPath: training))
    expectSuccess(
      try Tool.run(
        ["train", "photos", "-o", "new.safetensors", "--features", "hog", "-q"],
        in: folder))
  }

  @Test(
    "A crop is found by stored hashes or the training photo")
  func crops() throws {
    let drawn = SampleMap.path().replacing("campus.geojson", with: "founders_hall/01.jpg")
    let photo = try PhotoDecoder().open(FileAccess.read(drawn)).image()
    try train(with: photo)
    let crop = AreaResampler.resize(
      photo, region: PixelRect(x: 42, y: 19, width: 340, height: 249), width: 340, height: 249)
    let jpeg = try JPEGEncoder.encode(crop, quality: 70)
    try folder.write(jpeg, to: "a/arch/1.jpg")
    let alone = try Tool.run(["evaluate", "new.safetensors", "a", "-q"], in: folder)
    expectFailure(alone, 65, "1 of 1 photos", "crops", "a/arch/1.jpg")

    var model = try Model(contentsOf: folder.path("new.safetensors"))
    #expect(model.provenance.photoMiddles["arch"]?.values.count == 5)
    model.provenance.photoMiddles = [:]
    try folder.write(try model.bytes(), to: "old.safetensors")
    expectSuccess(try Tool.run(["evaluate", "old.safetensors", "a", "-q"], in: folder))
    try folder.write(jpeg, to: "photos/arch/crop.jpg")
    let table = String(decoding: try folder.bytes("photos/split.csv"), as: UTF8.self)
    try folder.write(table + "arch/crop.jpg,arch,test,new\n", to: "photos/split.csv")
    let beside = try Tool.run(["evaluate", "old.safetensors", "photos", "-q"], in: folder)
    expectSuccess(beside)
    #expect(
      beside.stderr.contains(
        "note: skipped 1 of 9 photos: training photos of the model, or copies or crops of them, such as "
          + "photos/arch/crop.jpg (like arch/scene.jpg); use"))
    expectSuccess(try Tool.run(["evaluate", "m.safetensors", "photos", "-q"], in: folder))
    let allowed = try Tool.run(
      ["evaluate", "old.safetensors", "photos", "-q", "--allow-leaks", "--json"], in: folder)
    let figures = try #require(try allowed.json() as? [String: Any])
    #expect((figures["leaks"] as? [String: Any])?["crops"] as? Int == 1)
  }

  @Test("A recompressed or mirrored copy is found, a new photo is not")
  func copies() throws {
    let photo = try Self.scene(1)
    try train(with: photo)
    for (number, picture) in [photo, photo.upright(from: .upMirrored)].enumerated() {
      try folder.write(try JPEGEncoder.encode(picture, quality: 60), to: "a\(number)/arch/1.jpg")
      let output = try Tool.run(["evaluate", "new.safetensors", "a\(number)", "-q"], in: folder)
      expectFailure(output, 65, "1 of 1 photos")
    }
    try folder.write(try JPEGEncoder.encode(try Self.scene(2), quality: 60), to: "b/arch/1.jpg")
    expectSuccess(try Tool.run(["evaluate", "new.safetensors", "b", "-q"], in: folder))
  }

  private static func scene(_ seed: UInt64) throws -> RGBImage {
    var generator = SplitMix64(seed: seed)
    let levels = (0..<100).map { _ in UInt8.random(in: 0...255, using: &generator) }
    var pixels: [UInt8] = []
    for y in 0..<200 {
      for x in 0..<200 {
        let level = levels[y / 20 * 10 + x / 20]
        pixels += [level, level, level]
      }
    }
    return RGBImage(width: 200, height: 200, pixels: pixels)
  }

  @Test("--allow-leaks prints figures with and without leaks")
  func allowed() throws {
    try FileManager.default.removeItem(atPath: folder.path("photos/split.csv"))
    let output = try evaluate("--allow-leaks", "--json")
    expectSuccess(output)
    let figures = try #require(try output.json() as? [String: Any])
    let leaks = try #require(figures["leaks"] as? [String: Any])
    #expect(leaks["same"] as? Int == 16)
    #expect(leaks["copies"] as? Int == 0)
    #expect(leaks["crops"] as? Int == 0)
    #expect(leaks["top1_difference"] as? Double == 0)
    #expect((leaks["top1_difference_interval"] as? [Double])?.count == 2)
    #expect(leaks["photos_leak_free"] as? Int == 6)
    #expect(leaks["photos_leaking"] as? Int == 12)
    #expect(leaks["top1_leak_free"] as? Double == 1)
    #expect(leaks["top1_leaking"] as? Double == 1)
    #expect((leaks["top1_leak_free_interval"] as? [Double])?.last == 1)
    let text = try evaluate("--allow-leaks").stdout
    #expect(
      text.contains(
        "LEAKS: the model was trained on 16 of 24 photos, on copies of 0 more and on crops of 0;"))
    #expect(
      text.contains("top-1 without leaks         100.0% of 6 (95% interval 61.0% to 100.0%)"))
    #expect(
      text.contains("top-1 of the leaks          100.0% of 12 (95% interval 75.8% to 100.0%)"))
    #expect(
      text.contains("leaks minus the others      0.0 points (95% interval -24.2 to 39.0)"))
  }

  @Test("Without leaks nothing is printed about them")
  func none() throws {
    let output = try evaluate("--json")
    expectSuccess(output)
    #expect(output.stderr.isEmpty)
    #expect((try output.json() as? [String: Any])?["leaks"] == nil)
    #expect(!(try evaluate("--allow-leaks").stdout.contains("LEAKS")))
  }

  @Test("A model without digests recognizes photos by hashes")
  func hashesOnly() throws {
    let model = try Model(contentsOf: folder.path("m.safetensors")).stripping([.digests])
    try folder.write(try model.bytes(), to: "m.safetensors")
    let output = try evaluate("--part", "train")
    expectFailure(
      output, 65, "of 16 photos, too many to skip, are training photos of the model, or copies")
    expectSuccess(try evaluate())
  }

  @Test("A model without hashes causes a note about copies")
  func digestsOnly() throws {
    let model = try Model(contentsOf: folder.path("m.safetensors")).stripping([.hashes])
    try folder.write(try model.bytes(), to: "m.safetensors")
    let beside = try evaluate()
    expectSuccess(beside)
    let words =
      "note: the model has no image hashes of its training photos; copies and crops, which inflate the results, are "
    #expect(
      beside.messages == [
        words + "detected only for training photos in photos"
      ])
    try folder.write(try TinyCampus.jpeg(.arch, seed: 70), to: "a/arch/1.jpg")
    let alone = try Tool.run(["evaluate", "m.safetensors", "a", "-q"], in: folder)
    expectSuccess(alone)
    #expect(alone.messages == [words + "not detected"])
    let trained = try evaluate("--part", "train")
    #expect(trained.status == 65 && trained.stderr.contains("16 of 16 photos, too many to skip"))
  }

  @Test("A model without photo records causes a note")
  func older() throws {
    var model = try Model(contentsOf: folder.path("m.safetensors"))
    model = model.stripping([.digests, .hashes])
    try folder.write(try model.bytes(), to: "m.safetensors")
    let output = try evaluate("--part", "train")
    expectSuccess(output)
    #expect(output.messages.count == 1 && output.stderr.hasPrefix("note: the model does not list"))
  }
}

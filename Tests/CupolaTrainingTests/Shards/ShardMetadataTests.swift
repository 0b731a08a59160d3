import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

/// What a shard tells of a photo beside its features.
@Suite("Metadata in shards of features")
struct ShardMetadataTests {
  private let folder: TemporaryFolder
  private let plan: FeaturePlan

  init() throws {
    folder = try TemporaryFolder()
    try Directory.create(folder.path("s"))
    let hog = try #require(Recipe.hog.features.own as? HOG)
    plan = FeaturePlan(
      recipe: .hog, extractor: FeatureExtractor(hog: hog), scale: .full, seed: 0,
      decoder: PhotoDecoder())
  }

  /// A photo with all that training reads of EXIF.
  private static func photo() throws -> LabeledPhoto {
    typealias Tag = EXIFBuilder.Tag
    let facing: [UInt16: EXIFBuilder.Value] = [
      Tag.directionReference: .text("T"), Tag.direction: .rationals([(905, 10)]),
    ]
    let exif = EXIFBuilder().payload([
      Tag.exif: .directory([Tag.time: .text("2025:06:07 08:09:10"), Tag.focalLength: .short(150)]),
      Tag.gps: .directory(EXIFBuilder.place.merging(facing) { $1 }),
    ])
    let pixels = [UInt8](repeating: 90, count: 64 * 64 * 3)
    let jpeg = try JPEGEncoder.encode(RGBImage(width: 64, height: 64, pixels: pixels), exif: exif)
    return LabeledPhoto(contents: jpeg, name: "1.jpg", label: "a")
  }

  private func metadata() throws -> PhotoMetadata {
    try #require(try FeatureShards(folder: folder.path("s")).rows.first).metadata
  }

  @Test("what training reads of a photo's EXIF is the same from a shard")
  func same() async throws {
    let photo = try Self.photo()
    _ = try await ShardDescriber(plan: plan).write([photo], to: folder.path("s/1.safetensors"))
    let known = try photo.opened(by: PhotoDecoder()).metadata
    try #require(known.focalLength == 150 && known.heading != nil && known.faults.isEmpty)
    #expect(try metadata() == known)
  }

  @Test("a shard that does not tell the focal length, as older ones, can be read")
  func older() async throws {
    let path = folder.path("s/1.safetensors")
    _ = try await ShardDescriber(plan: plan).write([try Self.photo()], to: path)
    try CraftedShard.change(path) { file in
      let text = try #require(file.metadata["photos"])
      let older = text.replacing(#""focalLength":150,"#, with: "")
      try #require(older != text)
      file.metadata["photos"] = older
    }
    let read = try metadata()
    #expect(read.focalLength == nil && read.captureTime == "2025:06:07 08:09:10")
  }
}

import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Crops by the hash of the middle")
struct CropSearchTests {
  private static func picture(_ photo: LabeledPhoto) throws -> RGBImage {
    try PhotoDecoder().open(FileAccess.read(photo.path)).image(
      minimumWidth: 256, minimumHeight: 256)
  }

  private static let cropped: [Copies.Kind] = [.cropped, .mirroredAndCropped, .croppedAndSmaller]

  /// How many planted crops of some photos are found by the middles of these photos, of how many.
  private static func found(
    _ photos: [LabeledPhoto], each: Int, seed: UInt64
  ) throws -> (found: Int, planted: Int) {
    var generator = SplitMix64(seed: seed)
    let pictures = try photos.map(picture)
    let search = CropSearch(
      middles: pictures.compactMap { CropSearch.middle(of: LumaThumbnail($0)) })
    let chosen = Array(stride(from: 0, to: pictures.count, by: each))
    let found = try chosen.enumerated().count { number, index in
      let kind = cropped[number % cropped.count]
      let copy = try Copies.copy(of: pictures[index], kind, using: &generator)
      return search.finds(LumaThumbnail(copy))
    }
    return (found, chosen.count)
  }

  @Test("of planted crops of drawn photos at least 95 % are found")
  func planted() throws {
    let photos = Array(try PhotoSet(root: Repository.sampleCampus).photos.prefix(90))
    let (found, planted) = try Self.found(photos, each: 1, seed: 5)
    #expect(planted == 90)
    #expect(Double(found) >= 0.95 * Double(planted), "\(found) of \(planted)")
  }

  @Test(
    "of planted crops of real photos at least 95 % are found",
    .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos))
  func plantedReal() throws {
    var (found, planted) = (0, 0)
    for (number, name) in ["vyronas", "notredame", "koe", "poznan"].enumerated() {
      let photos = try PhotoSet(root: Repository.realPhotos + "/" + name).photos
      let result = try Self.found(photos, each: 4, seed: UInt64(number))
      found += result.found
      planted += result.planted
    }
    print("\(found) of \(planted) crops found by the middle")
    #expect(planted > 300)
    #expect(Double(found) >= 0.95 * Double(planted), "\(found) of \(planted)")
  }

  @Test(
    "no test photo of the real sets is taken for a crop of a training photo",
    .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos),
    arguments: ["vyronas", "notredame", "koe", "poznan"])
  func falseAlarms(name: String) throws {
    let set = try PhotoSet(root: Repository.realPhotos + "/" + name)
    let middles = try set.photos(for: [.train, .val]).compactMap {
      CropSearch.middle(of: LumaThumbnail(try Self.picture($0)))
    }
    let search = CropSearch(middles: middles)
    for photo in set.photos(for: [.test, .testUnknown]) {
      #expect(!search.finds(LumaThumbnail(try Self.picture(photo))), "\(photo.name)")
    }
  }

  @Test(
    "of the same views in other light so few look like crops that evaluate only says so",
    .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos),
    arguments: ["day", "cloud", "noon"])
  func otherLight(light: String) throws {
    let photos = try PhotoSet(root: Repository.realPhotos + "/vyronas").photos
    let middles = try photos.filter { $0.attributes["light"] == light }.compactMap {
      CropSearch.middle(of: LumaThumbnail(try Self.picture($0)))
    }
    let search = CropSearch(middles: middles)
    let others = photos.filter { $0.attributes["light"] != light }
    try #require(!middles.isEmpty && !others.isEmpty)
    let found = try others.filter { search.finds(LumaThumbnail(try Self.picture($0))) }.count
    print("\(found) of \(others.count) photos in other light look like crops of \(light)")
    #expect(50 * found <= others.count)
  }

  @Test("other photos of the sample campus are no crops, nor is what has nothing in it")
  func others() throws {
    let thumbnails = try PhotoSet(root: Repository.sampleCampus).photos.prefix(120)
      .map { LumaThumbnail(try Self.picture($0)) }
    let search = CropSearch(middles: thumbnails.prefix(60).compactMap { CropSearch.middle(of: $0) })
    #expect(thumbnails.prefix(60).allSatisfy { search.finds($0) })
    #expect(!thumbnails.dropFirst(60).contains { search.finds($0) })
    let plain = LumaThumbnail(
      RGBImage(width: 80, height: 60, pixels: [UInt8](repeating: 90, count: 14_400)))
    #expect(CropSearch.middle(of: plain) == nil)
    #expect(!search.finds(plain))
    #expect(!CropSearch(middles: []).finds(thumbnails[0]))
  }

  @Test("a code of a hash is that of the same coefficients")
  func codes() throws {
    let thumbnail = LumaThumbnail(
      try Self.picture(try #require(try PhotoSet(root: Repository.sampleCampus).photos.first)))
    let code = SearchCode(PerceptualHash(thumbnail))
    #expect(code.distance(to: .whole(of: thumbnail)) <= 1)
  }
}

import Cupola
import Testing

@testable import CupolaTraining

@Suite("Near-duplicates")
struct NearDuplicatesTests {
  /// Photos of the sample campus, small.
  private static func drawn() throws -> [RGBImage] {
    try PhotoSet(root: Repository.sampleCampus).photos.prefix(120).map(picture)
  }

  private static func picture(_ photo: LabelledPhoto) throws -> RGBImage {
    try PhotoDecoder().image(
      from: FileAccess.read(photo.path), minimumWidth: 256, minimumHeight: 256)
  }

  private static func real(_ name: String) throws -> [LabelledPhoto] {
    try PhotoSet(root: Repository.realPhotos + "/" + name).photos
  }

  /// How many of the copies of every so many-th picture are found among all, of how many.
  private static func found(
    _ kind: Copies.Kind, of pictures: [RGBImage], each: Int, seed: UInt64
  ) async throws -> (found: Int, planted: Int) {
    var generator = SplitMix64(seed: seed)
    let originals = Array(stride(from: 0, to: pictures.count, by: each))
    let copies = try originals.map {
      try Copies.copy(of: pictures[$0], kind, using: &generator)
    }
    let thumbnails = (pictures + copies).map { LumaThumbnail($0) }
    let pairs = await NearDuplicates.pairs(among: thumbnails, threads: 2)
    let found = originals.enumerated().count { number, original in
      pairs.contains { $0.first == original && $0.second == pictures.count + number }
    }
    return (found, originals.count)
  }

  @Test(
    "of planted copies of drawn photos at least 99 % are found", arguments: Copies.Kind.allCases)
  func planted(kind: Copies.Kind) async throws {
    let (found, planted) = try await Self.found(kind, of: try Self.drawn(), each: 1, seed: 7)
    #expect(planted == 120)
    #expect(Double(found) >= 0.99 * Double(planted), "\(found) of \(planted)")
  }

  @Test(
    "of planted copies of real photos at least 99 % are found", arguments: Copies.Kind.allCases)
  func plantedReal(kind: Copies.Kind) async throws {
    guard Repository.hasRealPhotos else { return }
    var (found, planted) = (0, 0)
    for (number, name) in ["vyronas", "notredame", "koe", "poznan", "negatives"].enumerated() {
      let pictures = try Self.real(name).map(Self.picture)
      let result = try await Self.found(kind, of: pictures, each: 4, seed: UInt64(number))
      found += result.found
      planted += result.planted
    }
    #expect(planted > 400)
    #expect(Double(found) >= 0.99 * Double(planted), "\(found) of \(planted)")
  }

  @Test(
    "photos of different buildings that look alike are no copies",
    .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos),
    arguments: ["vyronas", "notredame", "koe", "poznan"])
  func lookAlikes(name: String) async throws {
    let photos = try Self.real(name)
    let thumbnails = try photos.map { LumaThumbnail(try Self.picture($0)) }
    let pairs = await NearDuplicates.pairs(among: thumbnails, threads: 2)
    for pair in pairs {
      let (first, second) = (photos[pair.first], photos[pair.second])
      #expect(first.label == second.label, "\(first.name) and \(second.name)")
    }
  }

  @Test("other photos of the sample campus are no copies")
  func sampleCampus() async throws {
    let photos = try PhotoSet(root: Repository.sampleCampus).photos
    let thumbnails = try photos.map { LumaThumbnail(try Self.picture($0)) }
    #expect(await NearDuplicates.pairs(among: thumbnails, threads: 2) == [])
  }

  @Test("pairs do not depend on the number of threads, and come once each, sorted")
  func threads() async throws {
    let pictures = try Self.drawn().prefix(20)
    let mirrored = pictures.map { $0.upright(from: .upMirrored) }
    let thumbnails = (pictures + pictures + mirrored).map { LumaThumbnail($0) }
    let pairs = await NearDuplicates.pairs(among: thumbnails, threads: 1)
    #expect(await NearDuplicates.pairs(among: thumbnails, threads: 3) == pairs)
    let expected = (0..<20).flatMap { index in
      [
        NearDuplicates.Pair(first: index, second: index + 20, isMirrored: false),
        NearDuplicates.Pair(first: index, second: index + 40, isMirrored: true),
      ]
    }
    #expect(pairs.filter { $0.first < 20 } == expected)
    #expect(pairs.count == 60)
  }

  @Test("plain pictures and missing ones are copies of nothing")
  func plain() async throws {
    let grey = RGBImage(width: 80, height: 60, pixels: [UInt8](repeating: 90, count: 14_400))
    let thumbnails = [LumaThumbnail(grey), LumaThumbnail(grey), nil, nil]
    #expect(LumaThumbnail(grey).isPlain)
    #expect(await NearDuplicates.pairs(among: thumbnails, threads: 2) == [])
    #expect(await NearDuplicates.pairs(among: [], threads: 2) == [])
  }

  @Test("many equal pictures are one group")
  func crowd() async throws {
    let thumbnail = LumaThumbnail(try Self.drawn()[0])
    let count = 300
    let pairs = await NearDuplicates.pairs(
      among: [LumaThumbnail?](repeating: thumbnail, count: count), threads: 2)
    var sets = DisjointSets(count: count)
    for pair in pairs { sets.join(pair.first, pair.second) }
    #expect((0..<count).allSatisfy { sets.root(of: $0) == 0 })
  }
}

import Cupola
import CupolaTestSupport
import Testing

@testable import CupolaTraining

@Suite("Near-duplicates")
struct NearDuplicatesTests {
  /// Photos of the sample campus, small.
  private static func drawn() throws -> [RGBImage] {
    try PhotoSet(root: Repository.sampleCampus).photos.prefix(120).map(picture)
  }

  private static func picture(_ photo: LabeledPhoto) throws -> RGBImage {
    try PhotoDecoder().open(FileAccess.read(photo.path)).image(
      minimumWidth: 256, minimumHeight: 256)
  }

  private static func real(_ name: String) throws -> [LabeledPhoto] {
    try PhotoSet(root: Repository.realPhotos + "/" + name).photos
  }

  /// How many of the copies of every so many-th picture are found among all, of how many.
  private static func found(
    _ kind: Copies.Kind, of pictures: [RGBImage], and thumbnails: [LumaThumbnail], each: Int,
    seed: UInt64
  ) async throws -> (found: Int, planted: Int) {
    var generator = SplitMix64(seed: seed)
    let originals = Array(stride(from: 0, to: pictures.count, by: each))
    let copies = try originals.map {
      LumaThumbnail(try Copies.copy(of: pictures[$0], kind, using: &generator))
    }
    let pairs = await NearDuplicates.pairs(among: thumbnails + copies, threads: 2)
    let found = originals.enumerated().count { number, original in
      pairs.contains { $0.first == original && $0.second == pictures.count + number }
    }
    return (found, originals.count)
  }

  @Test(
    "of planted copies of drawn photos at least 99 % are found", arguments: Copies.Kind.allCases)
  func planted(kind: Copies.Kind) async throws {
    let pictures = try Self.drawn()
    let (found, planted) = try await Self.found(
      kind, of: pictures, and: pictures.map { LumaThumbnail($0) }, each: 1, seed: 7)
    #expect(planted == 120)
    #expect(Double(found) >= 0.99 * Double(planted), "\(found) of \(planted)")
  }

  @Test(
    "of planted copies of real photos, of each kind at least 99 % are found",
    .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos))
  func plantedReal() async throws {
    var found: [Copies.Kind: Int] = [:]
    var planted: [Copies.Kind: Int] = [:]
    for (number, name) in ["vyronas", "notredame", "koe", "poznan", "negatives"].enumerated() {
      // Decoded once for all kinds: that takes longer than to find the copies.
      let pictures = try Self.real(name).map(Self.picture)
      let thumbnails = pictures.map { LumaThumbnail($0) }
      for kind in Copies.Kind.allCases {
        let result = try await Self.found(
          kind, of: pictures, and: thumbnails, each: 4, seed: UInt64(number))
        found[kind, default: 0] += result.found
        planted[kind, default: 0] += result.planted
      }
    }
    for kind in Copies.Kind.allCases {
      let (found, planted) = (found[kind, default: 0], planted[kind, default: 0])
      #expect(planted > 400)
      #expect(Double(found) >= 0.99 * Double(planted), "\(kind): \(found) of \(planted)")
    }
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

  @Test("joined is what pairs join, whatever was joined before; all is told as compared")
  func join() async throws {
    let pictures = try Self.drawn().prefix(12)
    var generator = SplitMix64(seed: 3)
    var thumbnails: [LumaThumbnail?] = [nil]
    for picture in pictures + pictures + pictures {
      let copy = try Copies.copy(of: picture, .croppedAndSmaller, using: &generator)
      thumbnails += [LumaThumbnail(picture), LumaThumbnail(copy)]
    }
    var paired = DisjointSets(count: thumbnails.count)
    for pair in await NearDuplicates.pairs(among: thumbnails, threads: 2) {
      paired.join(pair.first, pair.second)
    }
    #expect(Set(thumbnails.indices.map { paired.root(of: $0) }).count <= 15)
    paired.join(1, 3)
    for threads in [1, 3] {
      var sets = DisjointSets(count: thumbnails.count)
      sets.join(1, 3)
      let told = Locked<[Int]>([])
      await NearDuplicates.join(thumbnails, in: &sets, threads: threads) { number in
        told.withLock { $0.append(number) }
      }
      #expect(thumbnails.indices.allSatisfy { sets.root(of: $0) == paired.root(of: $0) })
      let numbers = told.withLock { $0 }
      #expect(numbers == numbers.sorted() && numbers.last == thumbnails.count)
    }
  }

  @Test("plain pictures and missing ones are copies of nothing")
  func plain() async throws {
    let gray = RGBImage(width: 80, height: 60, pixels: [UInt8](repeating: 90, count: 14_400))
    let thumbnails = [LumaThumbnail(gray), LumaThumbnail(gray), nil, nil]
    #expect(LumaThumbnail(gray).isPlain)
    #expect(await NearDuplicates.pairs(among: thumbnails, threads: 2) == [])
    #expect(await NearDuplicates.pairs(among: [], threads: 2) == [])
  }

  @Test("many equal pictures are one group, with the crops and mirrored copies of them")
  func crowd() async throws {
    let picture = try Self.drawn()[0]
    var generator = SplitMix64(seed: 1)
    let kinds: [Copies.Kind] = [.cropped, .mirrored, .mirroredAndCropped]
    let copies = try kinds.map { try Copies.copy(of: picture, $0, using: &generator) }
    let thumbnails =
      [LumaThumbnail?](repeating: LumaThumbnail(picture), count: 3000)
      + copies.map { LumaThumbnail($0) }
    let pairs = await NearDuplicates.pairs(among: thumbnails, threads: 2)
    var sets = DisjointSets(count: thumbnails.count)
    for pair in pairs { sets.join(pair.first, pair.second) }
    #expect(thumbnails.indices.allSatisfy { sets.root(of: $0) == 0 })
    // Not the square of their number.
    #expect(pairs.count < 40 * thumbnails.count)
    #expect(pairs.filter { $0.first == 0 && $0.second >= 3000 }.count == 3)
  }

  @Test("equal pictures are paired as pictures that are nearly equal would be")
  func equalPictures() async throws {
    let (first, second) = (
      LumaThumbnail(try Self.drawn()[0]), LumaThumbnail(try Self.drawn()[1])
    )
    let nearly = LumaThumbnail(samples: first.samples.map { $0 == 100 ? 101 : $0 })
    let thumbnails: [LumaThumbnail?] = [first, second, first, nearly, second, nil, first]
    let pairs = await NearDuplicates.pairs(among: thumbnails, threads: 2)
    let expected = [(0, 2), (0, 3), (0, 6), (1, 4), (2, 3), (2, 6), (3, 6)]
    #expect(
      pairs == expected.map { NearDuplicates.Pair(first: $0, second: $1, isMirrored: false) })
  }

  @Test("of each photo the first original is told, whichever of both is the crop")
  func originals() async throws {
    let pictures = Array(try Self.drawn().prefix(40))
    var generator = SplitMix64(seed: 9)
    let crops = try pictures.enumerated().map { number, picture in
      let kind: Copies.Kind = number.isMultiple(of: 2) ? .cropped : .mirroredAndCropped
      return LumaThumbnail(try Copies.copy(of: picture, kind, using: &generator))
    }
    let wholes: [LumaThumbnail?] = pictures.map { LumaThumbnail($0) }
    let others: [LumaThumbnail?] = [nil] + Array(wholes.prefix(20)) + Array(wholes.prefix(20))
    let narrow = await NearDuplicates.originals(of: crops, among: others, threads: 2)
    let expected = (1...20).map { Optional($0) } + [Int?](repeating: nil, count: 20)
    #expect(zip(narrow, expected).count { $0 != $1 } <= 1)
    let wide = await NearDuplicates.originals(
      of: wholes + [nil as LumaThumbnail?], among: crops, threads: 1)
    #expect(zip(wide, 0..<40).count { $0 != $1 } <= 1)
    #expect(wide.last == .some(nil))
    #expect(
      await NearDuplicates.originals(of: crops, among: [], threads: 2).allSatisfy { $0 == nil })
  }
}

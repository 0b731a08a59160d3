import Cupola
import CupolaTestSupport
import Foundation
import Testing

@testable import CupolaTraining

@Suite("Near-duplicates")
struct NearDuplicatesTests {
  private static func drawn() throws -> [RGBImage] { try campus.get() }

  private static let campus = Result {
    try PhotoSet(root: Repository.sampleCampus).photos.prefix(120).map(picture)
  }

  private static func picture(_ photo: LabeledPhoto) throws -> RGBImage {
    try PhotoDecoder().open(FileAccess.read(photo.path)).image(
      minimumWidth: 256, minimumHeight: 256)
  }

  private static func real(_ name: String) throws -> [LabeledPhoto] {
    try PhotoSet(root: Repository.realPhotos + "/" + name).photos
  }

  /// The number of copies found if every `each`-th photo has a copy.
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
    "At least 99% of copies of sample photos are found", arguments: Copies.Kind.allCases)
  func planted(kind: Copies.Kind) async throws {
    let pictures = try Self.drawn()
    let (found, planted) = try await Self.found(
      kind, of: pictures, and: pictures.map { LumaThumbnail($0) }, each: 1, seed: 7)
    #expect(planted == 120)
    #expect(Double(found) >= 0.99 * Double(planted), "\(found) of \(planted)")
  }

  @Test(
    "At least 99% of copies of real photos are found",
    .enabled(if: Repository.hasRealPhotos, Repository.noRealPhotos))
  func plantedReal() async throws {
    var found: [Copies.Kind: Int] = [:]
    var planted: [Copies.Kind: Int] = [:]
    for (number, name) in ["vyronas", "notredame", "koe", "poznan", "negatives"].enumerated() {
      // Decode the photos only once, because decoding takes longer than the search.
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
    "Similar photos of different buildings are not copies",
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

  @Test("The sample campus has no copies")
  func sampleCampus() async throws {
    let photos = try PhotoSet(root: Repository.sampleCampus).photos
    let thumbnails = try photos.map { LumaThumbnail(try Self.picture($0)) }
    #expect(await NearDuplicates.pairs(among: thumbnails, threads: 2) == [])
  }

  @Test("Pairs are sorted, unique and independent of threads")
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

  @Test("Joining finds the same groups as all pairs")
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

  @Test("Uniform and missing photos have no copies")
  func plain() async throws {
    let gray = RGBImage(width: 80, height: 60, pixels: [UInt8](repeating: 90, count: 14_400))
    let thumbnails = [LumaThumbnail(gray), LumaThumbnail(gray), nil, nil]
    #expect(LumaThumbnail(gray).isPlain)
    #expect(await NearDuplicates.pairs(among: thumbnails, threads: 2) == [])
    #expect(await NearDuplicates.pairs(among: [], threads: 2) == [])
  }

  @Test("Many equal photos and their crops form one group")
  func manyEqualPhotos() async throws {
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
    // The number of pairs does not grow quadratically.
    #expect(pairs.count < 40 * thumbnails.count)
    #expect(pairs.filter { $0.first == 0 && $0.second >= 3000 }.count == 3)
  }

  @Test("Equal photos are paired like nearly equal ones")
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

  @Test("The first original of each photo is found in both directions")
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

@Suite("Crop search by the hash of the middle")
struct CropSearchTests {
  private static func picture(_ photo: LabeledPhoto) throws -> RGBImage {
    try PhotoDecoder().open(FileAccess.read(photo.path)).image(
      minimumWidth: 256, minimumHeight: 256)
  }

  private static let cropped: [Copies.Kind] = [.cropped, .mirroredAndCropped, .croppedAndSmaller]

  /// The number of crops found if every `each`-th photo has a crop.
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

  @Test("At least 95% of crops of sample photos are found")
  func planted() throws {
    let photos = Array(try PhotoSet(root: Repository.sampleCampus).photos.prefix(90))
    let (found, planted) = try Self.found(photos, each: 1, seed: 5)
    #expect(planted == 90)
    #expect(Double(found) >= 0.95 * Double(planted), "\(found) of \(planted)")
  }

  @Test(
    "At least 95% of crops of real photos are found",
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
    "Real test photos are not taken for crops of training photos",
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
    "At most 2% of photos in other lighting look like crops",
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

  @Test("Other sample photos and uniform photos are not crops")
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

  @Test("A hash and a search code use the same coefficients")
  func codes() throws {
    let thumbnail = LumaThumbnail(
      try Self.picture(try #require(try PhotoSet(root: Repository.sampleCampus).photos.first)))
    let code = SearchCode(PerceptualHash(thumbnail))
    #expect(code.distance(to: .whole(of: thumbnail)) <= 1)
  }
}

@Suite("Perceptual hash")
struct PerceptualHashTests {
  private static func thumbnail(seed: UInt64) throws -> LumaThumbnail {
    var generator = SplitMix64(seed: seed)
    let samples = (0..<64 * 64).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return try #require(LumaThumbnail(samples: samples))
  }

  private static func mirrored(_ thumbnail: LumaThumbnail) throws -> LumaThumbnail {
    try #require(
      LumaThumbnail(
        samples: (0..<64).flatMap { y in
          (0..<64).map { thumbnail.samples[64 * y + 63 - $0] }
        }))
  }

  /// The cosine coefficient of an image area, integrated in double precision.
  private static func coefficient(
    _ thumbnail: LumaThumbnail, _ u: Int, _ v: Int, _ across: ClosedRange<Double>,
    _ down: ClosedRange<Double>
  ) -> Double {
    let steps = 12_800
    func cosines(_ range: ClosedRange<Double>, _ frequency: Int) -> [(sample: Int, Double)] {
      (0..<steps).map { step in
        let share = (Double(step) + 0.5) / Double(steps)
        let place = range.lowerBound + share * (range.upperBound - range.lowerBound)
        return (Int(place * 64), cos(Double(frequency) * .pi * share) / Double(steps))
      }
    }
    var rows = [Double](repeating: 0, count: 64)
    for (y, weight) in cosines(down, v) { rows[y] += weight }
    var columns = [Double](repeating: 0, count: 64)
    for (x, weight) in cosines(across, u) { columns[x] += weight }
    var sum = 0.0
    for y in 0..<64 {
      for x in 0..<64 {
        sum += rows[y] * columns[x] * (Double(thumbnail.samples[64 * y + x]) - 128)
      }
    }
    return sum
  }

  @Test("Coefficients match a cosine transform of each region")
  func coefficients() throws {
    let thumbnail = try Self.thumbnail(seed: 1)
    let ranges: [ClosedRange<Double>] = [0...1, 0.05...0.95, 0.2...1]
    let values = CosineBasis(ranges: ranges, frequencies: 8).coefficients(of: thumbnail)
    for (row, down) in ranges.enumerated() {
      for (column, across) in ranges.enumerated() {
        for (u, v) in [(0, 0), (1, 0), (0, 3), (7, 5)] {
          let expected = Self.coefficient(thumbnail, u, v, across, down)
          #expect(abs(Double(values[row * 8 + v, column * 8 + u]) - expected) < 0.02)
        }
      }
    }
  }

  @Test("A hash survives a round trip as hexadecimal text")
  func hexadecimal() throws {
    let hash = PerceptualHash(try Self.thumbnail(seed: 2))
    #expect(hash.hexadecimal.utf8.count == 64)
    #expect(PerceptualHash(hexadecimal: hash.hexadecimal) == hash)
    for text in ["", "0", String(repeating: "g", count: 64), hash.hexadecimal + "0"] {
      #expect(PerceptualHash(hexadecimal: text) == nil)
    }
  }

  @Test("The hash of a mirrored photo is the mirrored hash")
  func mirroredHash() throws {
    for seed in 0..<10 as Range<UInt64> {
      let thumbnail = try Self.thumbnail(seed: seed)
      let mirror = try Self.mirrored(thumbnail)
      let (hash, other) = (PerceptualHash(thumbnail), PerceptualHash(mirror))
      #expect(hash.mirrored.distance(to: other) <= 1)
      #expect(hash.distance(to: other) > 60)
      #expect(
        SearchCode.whole(of: thumbnail).mirrored.distance(to: SearchCode.whole(of: mirror)) <= 1)
    }
  }

  @Test("Hashes of different photos differ in about half of their bits")
  func different() throws {
    let hashes = try (0..<20 as Range<UInt64>).map { PerceptualHash(try Self.thumbnail(seed: $0)) }
    for (index, hash) in hashes.enumerated() {
      #expect(hash.distance(to: hash) == 0)
      for other in hashes[..<index] { #expect((80...176).contains(hash.distance(to: other))) }
    }
  }

  @Test("The first of 225 windows is the whole photo")
  func windows() throws {
    let thumbnail = try Self.thumbnail(seed: 3)
    let windows = SearchCode.windows(of: thumbnail)
    #expect(windows.count == 225)
    #expect(windows[0].window == .whole)
    #expect(windows[0].code.distance(to: .whole(of: thumbnail)) <= 1)
    #expect(Set(windows.map(\.code.bits)).count > 100)
  }

  @Test("The index matches an exhaustive search up to 7 bits")
  func index() throws {
    var generator = SplitMix64(seed: 4)
    let thumbnails = try (0..<40 as Range<UInt64>).map { try Self.thumbnail(seed: $0) }
    let codes = thumbnails.flatMap { SearchCode.windows(of: $0).prefix(60).map(\.code) }
    let index = SearchCodeIndex(codes)
    for _ in 0..<200 {
      let asked = codes[Int.random(in: codes.indices, using: &generator)]
      var found: [Int: Int] = [:]
      index.forEach(near: asked) { found[$0] = $1 }
      for (number, distance) in found {
        #expect(distance == codes[number].distance(to: asked))
        #expect(distance <= SearchCode.reach)
      }
      for (number, code) in codes.enumerated() where code.distance(to: asked) <= 7 {
        #expect(found[number] != nil)
      }
    }
  }
}

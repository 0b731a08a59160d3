import Cupola
import Foundation
import Testing

@testable import CupolaTraining

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

  /// The integral of the luma times both cosines over a part, in double.
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

  @Test("coefficients are those of the cosine transform of each part")
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

  @Test("a hash changes in no bit when it is written and read")
  func hexadecimal() throws {
    let hash = PerceptualHash(try Self.thumbnail(seed: 2))
    #expect(hash.hexadecimal.utf8.count == 64)
    #expect(PerceptualHash(hexadecimal: hash.hexadecimal) == hash)
    for text in ["", "0", String(repeating: "g", count: 64), hash.hexadecimal + "0"] {
      #expect(PerceptualHash(hexadecimal: text) == nil)
    }
  }

  @Test("the hash of a mirrored photo is the mirrored hash")
  func mirroredHash() throws {
    for seed in 0..<10 as Range<UInt64> {
      let thumbnail = try Self.thumbnail(seed: seed)
      let mirror = try Self.mirrored(thumbnail)
      let (hash, other) = (PerceptualHash(thumbnail), PerceptualHash(mirror))
      // A coefficient may be next to nothing.
      #expect(hash.mirrored.distance(to: other) <= 1)
      #expect(hash.distance(to: other) > 60)
      #expect(
        SearchCode.whole(of: thumbnail).mirrored.distance(to: SearchCode.whole(of: mirror)) <= 1)
    }
  }

  @Test("hashes of different pictures differ in about half of their bits")
  func different() throws {
    let hashes = try (0..<20 as Range<UInt64>).map { PerceptualHash(try Self.thumbnail(seed: $0)) }
    for (index, hash) in hashes.enumerated() {
      #expect(hash.distance(to: hash) == 0)
      for other in hashes[..<index] { #expect((80...176).contains(hash.distance(to: other))) }
    }
  }

  @Test("the first window is the whole, and there are 225")
  func windows() throws {
    let thumbnail = try Self.thumbnail(seed: 3)
    let windows = SearchCode.windows(of: thumbnail)
    #expect(windows.count == 225)
    #expect(windows[0].window == .whole)
    #expect(windows[0].code.distance(to: .whole(of: thumbnail)) <= 1)
    #expect(Set(windows.map(\.code.bits)).count > 100)
  }

  @Test("the index finds what comparing with all finds, up to 7 bits, and nothing beyond its reach")
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

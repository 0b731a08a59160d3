import Testing

@testable import Cupola

@Suite("Area resampler") struct AreaResamplerTests {
  static func resize(_ image: RGBImage, _ width: Int, _ height: Int) -> RGBImage {
    AreaResampler.resize(
      image, region: PixelRect(x: 0, y: 0, width: image.width, height: image.height), width: width,
      height: height)
  }

  @Test("Resized images match the integer reference exactly", arguments: 0..<10)
  func goldens(number: Int) throws {
    let goldens = try Fixtures.tensors("resample.safetensors")
    let source = try goldens.picture("source.\(number)")
    let expected = try goldens.picture("resized.\(number)")
    #expect(Self.resize(source, expected.width, expected.height) == expected)
  }

  @Test("Images of any size match the reference implementation", arguments: 1...12)
  func reference(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let sides = (0..<4).map { _ in Int.random(in: 1...19, using: &generator) }
    let picture = RGBImage.random(sides[0], sides[1], seed: seed)
    let expected = NaiveResampler.resize(picture, width: sides[2], height: sides[3])
    #expect(Self.resize(picture, sides[2], sides[3]) == expected)
  }

  @Test(
    "A uniform image stays uniform",
    arguments: [(1, 1), (3, 40), (16, 16), (31, 7)], [0, 1, 127, 254, 255])
  func constant(size: (Int, Int), level: Int) {
    let picture = RGBImage.gray(17, 23) { _, _ in UInt8(level) }
    let resized = Self.resize(picture, size.0, size.1)
    #expect(resized == .gray(size.0, size.1) { _, _ in UInt8(level) })
  }

  @Test("A region is resized as a separate image", arguments: 1...6)
  func regions(seed: UInt64) {
    var generator = SplitMix64(seed: seed)
    let picture = RGBImage.random(20, 14, seed: seed)
    let (x, y) = (
      Int.random(in: 0...9, using: &generator), Int.random(in: 0...6, using: &generator)
    )
    let region = PixelRect(
      x: x, y: y, width: .random(in: 1...20 - x, using: &generator),
      height: .random(in: 1...14 - y, using: &generator))
    let found = AreaResampler.resize(picture, region: region, width: 9, height: 8)
    #expect(found == Self.resize(picture.cropped(to: region), 9, 8))
  }

  @Test("A region at its own size is copied")
  func copies() {
    let picture = RGBImage.random(12, 10, seed: 8)
    let region = PixelRect(x: 3, y: 2, width: 5, height: 7)
    let copy = AreaResampler.resize(picture, region: region, width: 5, height: 7)
    #expect(copy == picture.cropped(to: region))
    #expect(Self.resize(picture, 12, 10) == picture)
  }

  @Test("Halves are rounded up, smaller fractions down")
  func rounding() {
    #expect(Self.resize(.gray(2, 1) { x, _ in UInt8(x) }, 1, 1)[0, 0] == [1, 1, 1])
    let strip = RGBImage.gray(4000, 1) { x, _ in x < 2000 ? 7 : 8 }
    #expect(Self.resize(strip, 1, 1)[0, 0] == [8, 8, 8])
    let less = RGBImage.gray(4000, 1) { x, _ in x < 2001 ? 7 : 8 }
    #expect(Self.resize(less, 1, 1)[0, 0] == [7, 7, 7])
  }

  /// The sum of 255 times all weights exceeds 2^32 between the two sizes.
  @Test(
    "Sums around 32 bits match the reference implementation",
    arguments: [2050, 2060])
  func largeSums(half: Int) {
    for picture in [RGBImage.gray(2, 2 * half) { _, _ in 255 }, .random(2, 2 * half, seed: 1)] {
      let expected = NaiveResampler.resize(picture, width: half, height: 1)
      #expect(Self.resize(picture, half, 1) == expected)
    }
  }

  @Test("The weights of every output sample sum to the total")
  func weightSums() {
    for m in 1...24 {
      for n in 1...24 { Self.checkWeights(from: m, to: n) }
    }
  }

  @Test(
    "Weights sum to the total at photo sizes",
    arguments: [(4032, 256), (3024, 320), (65_500, 256), (255, 256), (257, 256)])
  func largeWeightSums(m: Int, n: Int) { Self.checkWeights(from: m, to: n) }

  static func checkWeights(from m: Int, to n: Int) {
    let taps = AxisTaps(from: m, to: n)
    #expect(taps.total == NaiveResampler.total(from: m, to: n))
    let wrong = (0..<n).filter { output in
      let range = taps.range(of: output)
      let sum = taps.weight[range].reduce(0) { $0 + Int($1) }
      return sum != taps.total || !taps.source[range].allSatisfy { (0..<m).contains($0) }
    }
    #expect(wrong.isEmpty, "\(m) to \(n)")
  }
}

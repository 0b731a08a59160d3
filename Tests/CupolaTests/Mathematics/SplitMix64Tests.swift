import Testing

@testable import Cupola

@Suite("SplitMix64") struct SplitMix64Tests {
  @Test(
    "The sequence matches the published one",
    arguments: [
      (0, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]),
      (
        1_234_567,
        [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
      ),
    ] as [(UInt64, [UInt64])])
  func known(seed: UInt64, expected: [UInt64]) {
    var generator = SplitMix64(seed: seed)
    #expect(expected.map { _ in generator.next() } == expected)
  }

  @Test("Equal seeds yield equal sequences, different seeds different ones")
  func seeds() {
    func first(_ seed: UInt64) -> [UInt64] {
      var generator = SplitMix64(seed: seed)
      return (0..<20).map { _ in generator.next() }
    }
    #expect(first(7) == first(7))
    #expect(Set(first(7)).isDisjoint(with: first(8)))
  }
}

/// Expected values are those of `random(in:using:)` and `shuffled(using:)` in Swift 6.3, with which models were
/// trained.
@Suite("Seeded draws") struct DrawsTests {
  @Test("Fractions in 0..<1 match known values")
  func fraction() {
    var generator = SplitMix64(seed: 7)
    let known = [
      0.3713247053241798, 0.38242719366388966, 0.7578738828972862, 0.8412401215039663,
      0.6010009834872634, 0.83575763505843,
    ]
    #expect(known.map { _ in generator.fraction } == known)
  }

  @Test(
    "Integers match known values and consume the same draws",
    arguments: [
      (1, [0, 0, 0, 0, 0, 0], 8_632_209_307_422_871_798),
      (10, [3, 0, 9, 5, 4, 2], 8_632_209_307_422_871_798),
      (
        3 << 61,
        [
          2_696_658_600_334_640_432, 116_133_514_723_108_426, 6_231_038_155_055_853_504,
          3_129_779_942_062_771_377, 1_725_449_795_799_580_614, 3_237_078_490_283_576_924,
        ], 6_051_947_643_683_389_182
      ),
      (
        .max,
        [
          3_595_544_800_446_187_243, 154_844_686_297_477_901, 8_308_050_873_407_804_672,
          5_376_582_964_150_736_100, 4_173_039_922_750_361_836, 2_300_599_727_732_774_152,
        ], 8_632_209_307_422_871_798
      ),
    ] as [(Int, [Int], UInt64)])
  func below(count: Int, known: [Int], next: UInt64) {
    var generator = SplitMix64(seed: 7)
    #expect(known.map { _ in generator.below(count) } == known)
    #expect(generator.next() == next)
  }

  @Test(
    "Shuffles match known orders and consume the same draws",
    arguments: [
      ([], 7_191_089_600_892_374_487), ([0], 7_191_089_600_892_374_487),
      ([0, 1], 309_689_372_594_955_804),
      ([4, 1, 11, 8, 7, 6, 3, 5, 0, 10, 9, 2], 17_706_551_433_532_105_516),
    ] as [([Int], UInt64)])
  func shuffled(known: [Int], next: UInt64) {
    var generator = SplitMix64(seed: 7)
    #expect(generator.shuffled(known.indices) == known)
    #expect(generator.next() == next)
  }

  @Test("A long shuffle matches the known order and is a permutation")
  func long() {
    var generator = SplitMix64(seed: 7)
    let order = generator.shuffled(0..<200)
    #expect(order.prefix(8) == [77, 4, 180, 117, 92, 53, 96, 70])
    #expect(order.suffix(3) == [22, 125, 37])
    #expect(order.sorted() == Array(0..<200))
  }
}

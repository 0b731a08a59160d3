import Testing

@testable import Cupola

@Suite("SplitMix64") struct SplitMix64Tests {
  @Test(
    "The sequence is the published one",
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

  @Test("The same seed gives the same sequence, another seed another")
  func seeds() {
    func first(_ seed: UInt64) -> [UInt64] {
      var generator = SplitMix64(seed: seed)
      return (0..<20).map { _ in generator.next() }
    }
    #expect(first(7) == first(7))
    #expect(Set(first(7)).isDisjoint(with: first(8)))
  }
}

import Testing

@testable import CupolaTraining

@Suite("Thinned arrays") struct ArrayThinnedTests {
  @Test("thinning keeps both ends")
  func thinned() {
    #expect(Array(0..<10).thinned(to: 4) == [0, 3, 6, 9])
    #expect([1, 2].thinned(to: 4) == [1, 2])
    #expect(Array(0..<1000).thinned(to: 200).count == 200)
  }

  @Test("a sample begins with the first and is spread over all")
  func sampled() {
    #expect(Array(0..<10).sampled(to: 4) == [0, 2, 5, 7])
    #expect([1, 2].sampled(to: 4) == [1, 2])
    #expect([Int]().sampled(to: 4) == [] && [1, 2].sampled(to: 0) == [])
  }
}

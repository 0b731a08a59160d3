import Testing

@testable import CupolaCampus

@Suite("Morton order") struct MortonOrderTests {
  @Test("Squares of four follow each other, from the south-west")
  func curve() {
    let places = (0..<16).map { SIMD2(Double($0 / 4), Double($0 % 4)) }
    let order = MortonOrder.indices(of: places).map { places[$0] }
    #expect(order.prefix(4) == [[0, 0], [0, 1], [1, 0], [1, 1]])
    #expect(order.suffix(4) == [[2, 2], [2, 3], [3, 2], [3, 3]])
  }

  @Test("Places at one place, or none, keep their order")
  func same() {
    #expect(MortonOrder.indices(of: []) == [])
    #expect(MortonOrder.indices(of: [[1, 2], [1, 2], [1, 2]]) == [0, 1, 2])
    #expect(MortonOrder.indices(of: [[5, 2], [1, 2], [5, 2]]) == [1, 0, 2])
  }
}

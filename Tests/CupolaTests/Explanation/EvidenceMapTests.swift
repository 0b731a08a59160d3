import Testing

@testable import Cupola

@Suite("Evidence map") struct EvidenceMapTests {
  private static func close(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-12 }

  @Test("A share is spread over the cells by how much of it lies in each")
  func spreading() {
    var map = EvidenceMap(columns: 4, rows: 2)
    // From the middle of the first column to the end of the third, in the upper row.
    map.add(10, over: Extent(x: 0.125, y: 0, width: 0.625, height: 0.5))
    #expect(zip(map.values, [2, 4, 4, 0, 0, 0, 0, 0]).allSatisfy(Self.close))
    map.add(-4, over: Extent(x: 0.75, y: 0.25, width: 0.25, height: 0.5))
    #expect(zip(map.values, [2, 4, 4, -2, 0, 0, 0, -2]).allSatisfy(Self.close))
    #expect(Self.close(map.total, 6) && Self.close(map.magnitude, 14))
    #expect(map[3, 1] == map.values[7])
  }

  @Test("The total grows by the share, wherever it lies")
  func total() {
    var generator = SplitMix64(seed: 1)
    func random(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &generator) }
    for (columns, rows) in [(1, 1), (3, 7), (32, 32)] {
      var map = EvidenceMap(columns: columns, rows: rows)
      var expected = 0.0
      for _ in 0..<200 {
        let share = random(-1...1)
        expected += share
        map.add(
          share,
          over: Extent(
            x: random(-0.1...1), y: random(-0.1...1), width: random(0...0.5), height: random(0...1)
          ))
      }
      #expect(abs(map.total - expected) < 1e-9)
    }
  }
}

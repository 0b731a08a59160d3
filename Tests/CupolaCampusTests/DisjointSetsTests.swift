import Cupola
import Testing

@testable import CupolaCampus

@Suite("Disjoint sets")
struct DisjointSetsTests {
  @Test("agree with a naive relabeling, and the least member stands for the set")
  func naive() {
    var generator = SplitMix64(seed: 2)
    var sets = DisjointSets(count: 200)
    var colors = Array(0..<200)
    for _ in 0..<150 {
      let a = Int.random(in: 0..<200, using: &generator)
      let b = Int.random(in: 0..<200, using: &generator)
      sets.join(a, b)
      let (from, to) = (colors[b], colors[a])
      for index in colors.indices where colors[index] == from { colors[index] = to }
      for member in [a, b] {
        #expect(sets.root(of: member) == colors.firstIndex(of: colors[member]))
      }
    }
    for member in 0..<200 {
      #expect(sets.root(of: member) == colors.firstIndex(of: colors[member]))
    }
  }

  @Test("Equal keys join their members, and nothing joins those without a key")
  func keys() {
    var sets = DisjointSets(count: 6)
    sets.joinEqual(["b", nil, "a", "b", nil, "a"])
    #expect((0..<6).map { sets.root(of: $0) } == [0, 1, 2, 0, 4, 2])
  }
}

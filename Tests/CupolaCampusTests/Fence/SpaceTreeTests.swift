import Cupola
import Testing

@testable import CupolaCampus

@Suite("Space tree") struct SpaceTreeTests {
  private static func point(using generator: inout SplitMix64) -> SIMD3<Double> {
    func number() -> Double { Double.random(in: -1000...1000, using: &generator) }
    return [number(), number(), number()]
  }

  @Test("Finds what a loop over all finds", arguments: [0, 1, 7, 8, 9, 64, 65, 300])
  func twin(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let boxes = (0..<count).map { _ in
      let corner = Self.point(using: &generator)
      return SpaceTree.Box(
        corner, corner + Self.point(using: &generator) / 50,
        reach: Double.random(in: 0...5, using: &generator))
    }
    let more = boxes.map { _ in Double.random(in: 0...50, using: &generator) }
    let tree = SpaceTree(boxes)
    for _ in 0..<50 {
      let place = Self.point(using: &generator)
      let distances = boxes.map { $0.distance(from: place) }
      for limit in [Double.infinity, 800, 0] {
        let values = zip(distances, more).map { $0 + $1 }
        let least = tree.least(from: place, below: limit) { values[$0] }
        #expect(least == min(limit, values.min() ?? .infinity))
        var found: [Int] = []
        tree.visit(from: place, within: limit) { found.append($0) }
        #expect(found == Set(found).sorted())
        #expect(Set(found).isSuperset(of: boxes.indices.filter { distances[$0] < limit }))
      }
    }
  }

  @Test("What is near in a long line is found with little work")
  func work() {
    let boxes = (0..<4096).map { number in
      SpaceTree.Box([Double(number), 0, 0], [Double(number) + 1, 1, 1], reach: 0)
    }
    let tree = SpaceTree(boxes)
    for place in [[2000.5, 20, 0], [-300, 0, 5], [5000, 9, 9]] as [SIMD3<Double>] {
      var values = 0
      let least = tree.least(from: place, below: .infinity) { number in
        values += 1
        return boxes[number].distance(from: place)
      }
      var visits = 0
      tree.visit(from: place, within: least + 0.1) { _ in visits += 1 }
      #expect(values < 40 && (1..<40).contains(visits))
    }
  }
}

import Cupola
import Testing
@testable import CupolaCampus

@Suite("Box index") struct BoxIndexTests {
  @Test("Finds the same boxes as a loop", arguments: [0, 1, 2, 3, 64, 65, 300])
  func twin(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let boxes = (0..<count).map { _ in BoxTreeTests.box(using: &generator) }
    let index = BoxIndex(boxes)
    for _ in 0..<50 {
      let asked = BoxTreeTests.box(using: &generator)
      #expect(index.indices(meeting: asked) == boxes.indices.filter { boxes[$0].meets(asked) })
    }
  }

  @Test("Tests few of many boxes in any order")
  func work() {
    let boxes = (0..<4096).map { number in
      let place = number * 1597 % 4096
      let corner = SIMD2(Double(place % 64), Double(place / 64))
      return BoxTree.Box(corner, corner + 0.5)
    }
    let index = BoxIndex(boxes)
    for (number, box) in boxes.enumerated() {
      var work = 0
      #expect(index.indices(meeting: box, &work) == [number])
      #expect(work < 50)
    }
  }
}

@Suite("Box tree") struct BoxTreeTests {
  static func box(using generator: inout SplitMix64) -> BoxTree.Box {
    let west = Double(Int.random(in: 0...60, using: &generator))
    let south = Double(Int.random(in: 0...60, using: &generator))
    return BoxTree.Box(
      [west, south],
      [
        west + Double(Int.random(in: 0...9, using: &generator)),
        south + Double(Int.random(in: 0...9, using: &generator)),
      ])
  }

  @Test("Finds the same boxes as a loop", arguments: [0, 1, 2, 3, 64, 65, 300])
  func twin(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let boxes = (0..<count).map { _ in Self.box(using: &generator) }
    let tree = BoxTree(boxes)
    for _ in 0..<50 {
      let asked = Self.box(using: &generator)
      var found: [Int] = []
      tree.indices(meeting: asked) { found.append($0) }
      #expect(found == boxes.indices.filter { boxes[$0].meets(asked) })
    }
  }

  @Test("Finds a box in a long row with little work")
  func work() {
    let boxes = (0..<4096).map { number in
      BoxTree.Box([Double(number), 0], [Double(number) + 1, 1])
    }
    let asked = BoxTree.Box([2000.25, 0], [2000.5, 1])
    #expect(BoxTree(boxes).indices(meeting: asked) { _ in } < 40)
  }
}

@Suite("Space tree") struct SpaceTreeTests {
  private static func point(using generator: inout SplitMix64) -> SIMD3<Double> {
    func number() -> Double { Double.random(in: -1000...1000, using: &generator) }
    return [number(), number(), number()]
  }

  @Test("Finds the same items as a loop", arguments: [0, 1, 7, 8, 9, 64, 65, 300])
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

  @Test("Finds near items in a long row with little work")
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

@Suite("Morton order") struct MortonOrderTests {
  @Test("Visits quadrants from the southwest")
  func curve() {
    let places = (0..<16).map { SIMD2(Double($0 / 4), Double($0 % 4)) }
    let order = MortonOrder.indices(of: places).map { places[$0] }
    #expect(order.prefix(4) == [[0, 0], [0, 1], [1, 0], [1, 1]])
    #expect(order.suffix(4) == [[2, 2], [2, 3], [3, 2], [3, 3]])
  }

  @Test("Keeps the order of equal places")
  func same() {
    #expect(MortonOrder.indices(of: []) == [])
    #expect(MortonOrder.indices(of: [[1, 2], [1, 2], [1, 2]]) == [0, 1, 2])
    #expect(MortonOrder.indices(of: [[5, 2], [1, 2], [5, 2]]) == [1, 0, 2])
  }
}

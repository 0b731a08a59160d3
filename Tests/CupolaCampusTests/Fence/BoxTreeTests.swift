import Cupola
import Testing

@testable import CupolaCampus

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

  @Test("Finds the boxes that a loop over all finds", arguments: [0, 1, 2, 3, 64, 65, 300])
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

  @Test("A small box in a long line of them is found with little work")
  func work() {
    let boxes = (0..<4096).map { number in
      BoxTree.Box([Double(number), 0], [Double(number) + 1, 1])
    }
    let asked = BoxTree.Box([2000.25, 0], [2000.5, 1])
    #expect(BoxTree(boxes).indices(meeting: asked) { _ in } < 40)
  }
}

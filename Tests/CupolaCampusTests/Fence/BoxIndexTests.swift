import Cupola
import Testing

@testable import CupolaCampus

@Suite("Box index") struct BoxIndexTests {
  @Test("Finds the boxes that a loop over all finds", arguments: [0, 1, 2, 3, 64, 65, 300])
  func twin(count: Int) {
    var generator = SplitMix64(seed: UInt64(count))
    let boxes = (0..<count).map { _ in BoxTreeTests.box(using: &generator) }
    let index = BoxIndex(boxes)
    for _ in 0..<50 {
      let asked = BoxTreeTests.box(using: &generator)
      #expect(index.indices(meeting: asked) == boxes.indices.filter { boxes[$0].meets(asked) })
    }
  }

  @Test("Of many boxes in any order one is compared with few")
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

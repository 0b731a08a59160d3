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
}

import Cupola
import Testing

@testable import CupolaGuide

@Suite("PathQueue") struct PathQueueTests {
  @Test("States come out by bound, then by number, whatever the order in which they went in")
  func order() {
    var random = SplitMix64(seed: 1)
    for count in [0, 1, 2, 3, 10, 100, 500] {
      var queue = PathQueue()
      var items: [(bound: Double, state: Int)] = []
      for _ in 0..<count {
        // Few different bounds: many are equal.
        items.append(
          (
            Double(Int.random(in: 0..<20, using: &random)),
            Int.random(in: 0..<1_000, using: &random)
          ))
      }
      for item in items { queue.push(item.bound, item.state) }
      var popped: [(bound: Double, state: Int)] = []
      while let item = queue.pop() { popped.append(item) }
      items.sort { $0 < $1 }
      #expect(popped.map(\.bound) == items.map(\.bound))
      #expect(popped.map(\.state) == items.map(\.state))
    }
  }

  @Test("It may be filled again while it is emptied")
  func refill() {
    var random = SplitMix64(seed: 2)
    var queue = PathQueue()
    var slow: [(bound: Double, state: Int)] = []
    for step in 0..<2_000 {
      if step % 3 == 2 {
        let least = slow.indices.min { slow[$0] < slow[$1] }
        let expected = least.map { slow.remove(at: $0) }
        let popped = queue.pop()
        #expect(popped?.bound == expected?.bound && popped?.state == expected?.state)
      } else {
        let item = (
          Double.random(in: 0...1, using: &random), Int.random(in: 0..<100, using: &random)
        )
        queue.push(item.0, item.1)
        slow.append(item)
      }
    }
  }
}

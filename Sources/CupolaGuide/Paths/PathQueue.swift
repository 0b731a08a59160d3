/// A binary heap of states, the smallest bound first; among equals the lower state.
struct PathQueue {
  private var items: [(bound: Double, state: Int32)] = []

  mutating func push(_ bound: Double, _ state: Int) {
    items.append((bound, Int32(state)))
    var place = items.count - 1
    while place > 0 {
      let parent = (place - 1) / 2
      guard Self.precedes(items[place], items[parent]) else { return }
      items.swapAt(place, parent)
      place = parent
    }
  }

  mutating func pop() -> (bound: Double, state: Int)? {
    guard let first = items.first, let last = items.popLast() else { return nil }
    if !items.isEmpty { sink(last) }
    return (first.bound, Int(first.state))
  }

  private mutating func sink(_ item: (bound: Double, state: Int32)) {
    var place = 0
    while true {
      var child = 2 * place + 1
      guard child < items.count else { break }
      if child + 1 < items.count, Self.precedes(items[child + 1], items[child]) { child += 1 }
      guard Self.precedes(items[child], item) else { break }
      items[place] = items[child]
      place = child
    }
    items[place] = item
  }

  private static func precedes(
    _ a: (bound: Double, state: Int32), _ b: (bound: Double, state: Int32)
  ) -> Bool {
    a.bound < b.bound || a.bound == b.bound && a.state < b.state
  }
}

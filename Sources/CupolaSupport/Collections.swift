/// Disjoint sets of integers (union-find, Galler & Fischer 1964). A set's root is its smallest member.
package struct DisjointSets: Sendable {
  private var parents: [Int]

  package init(count: Int) { parents = Array(0..<count) }

  package mutating func root(of member: Int) -> Int {
    var root = member
    while parents[root] != root { root = parents[root] }
    var at = member
    while parents[at] != root { (at, parents[at]) = (parents[at], root) }
    return root
  }

  package mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(of: a), root(of: b))
    parents[max(first, second)] = min(first, second)
  }

  /// Joins members that have equal keys. Members with `nil` keys are not joined.
  package mutating func joinEqual<Key: Hashable>(_ keys: [Key?]) {
    var first: [Key: Int] = [:]
    for (member, key) in keys.enumerated() {
      guard let key else { continue }
      if let earlier = first[key] { join(earlier, member) } else { first[key] = member }
    }
  }
}

extension Range<Int> {
  /// Returns the first number for which a monotonic predicate is true; `upperBound` if there is none.
  @inlinable
  package func bisection(_ holds: (Int) -> Bool) -> Int {
    var (low, high) = (lowerBound, upperBound)
    while low < high {
      let middle = (low + high) / 2
      if holds(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Int {
  /// Truncates a number toward zero and clamps it to the range of `Int`; NaN becomes 0.
  package init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    // `Double(Int.max)` rounds up to `Int.max + 1`.
    self = value >= Double(Int.max) ? .max : value <= Double(Int.min) ? .min : Int(value)
  }
}

/// Sets that grow together (union-find, Galler & Fischer 1964); the root of a set is its least member.
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

  /// Joins members with equal keys; those without a key stay as they are.
  package mutating func joinEqual<Key: Hashable>(_ keys: [Key?]) {
    var first: [Key: Int] = [:]
    for (member, key) in keys.enumerated() {
      guard let key else { continue }
      if let earlier = first[key] { join(earlier, member) } else { first[key] = member }
    }
  }
}

extension Range<Int> {
  /// The first number of which something holds that then holds of all behind it; the end where it holds of none.
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
  /// The whole number next to zero from a value; the nearest there is where the value is beyond all of them, and 0
  /// for what is no number.
  package init(saturating value: Double) {
    guard !value.isNaN else {
      self = 0
      return
    }
    // Double(Int.max) is one more than Int.max.
    self = value >= Double(Int.max) ? .max : value <= Double(Int.min) ? .min : Int(value)
  }
}

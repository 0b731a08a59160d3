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

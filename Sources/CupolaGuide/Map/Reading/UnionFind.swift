/// Which of some numbers belong together (Galler & Fischer 1964).
struct UnionFind {
  private var parents: [Int]

  init(_ count: Int) { parents = Array(0..<count) }

  /// The least number of a group.
  mutating func root(_ number: Int) -> Int {
    var number = number
    while parents[number] != number {
      parents[number] = parents[parents[number]]
      number = parents[number]
    }
    return number
  }

  mutating func join(_ a: Int, _ b: Int) {
    let (a, b) = (root(a), root(b))
    parents[max(a, b)] = min(a, b)
  }
}

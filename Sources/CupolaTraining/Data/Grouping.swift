internal import Cupola

/// Tells which photos must stay together when photos are divided: they show nearly the same.
enum Grouping {
  /// Photos of a label taken within so many seconds of each other are one burst.
  static let burstSeconds = 300

  /// A group number a row: by the given group, by burst of the same label, and by equal files.
  static func groups(of rows: [FeatureTable.Row]) -> [Int] {
    var sets = DisjointSets(count: rows.count)
    var firstOfGroup: [String: Int] = [:]
    var firstOfDigest: [String: Int] = [:]
    for (index, row) in rows.enumerated() {
      if let group = row.photo.group {
        sets.join(index, firstOfGroup[group, default: index])
        firstOfGroup[group] = firstOfGroup[group] ?? index
      }
      sets.join(index, firstOfDigest[row.digest, default: index])
      firstOfDigest[row.digest] = firstOfDigest[row.digest] ?? index
    }
    joinBursts(rows, &sets)
    return rows.indices.map { sets.root(of: $0) }
  }

  private static func joinBursts(_ rows: [FeatureTable.Row], _ sets: inout DisjointSets) {
    let timed = rows.indices.compactMap { index -> (label: String, time: Int, index: Int)? in
      guard rows[index].photo.group == nil,
        let time = rows[index].metadata.captureTime.flatMap(seconds)
      else { return nil }
      return (rows[index].photo.label, time, index)
    }
    let ordered = timed.sorted { ($0.label, $0.time, $0.index) < ($1.label, $1.time, $1.index) }
    for (earlier, later) in zip(ordered, ordered.dropFirst())
    where earlier.label == later.label && later.time - earlier.time <= burstSeconds {
      sets.join(earlier.index, later.index)
    }
  }

  /// Seconds on a clock that runs evenly within a month: enough to compare moments of one burst;
  /// `nil` for what no clock shows.
  static func seconds(_ time: String) -> Int? {
    let fields = time.split { $0 == ":" || $0 == " " }.map { Int($0) }
    let numbers = fields.compactMap { $0 }
    // A camera without a clock writes zeros, and a damaged file anything.
    let ranges = [1...9999, 1...12, 1...31, 0...23, 0...59, 0...60]
    guard fields.count == 6, numbers.count == 6,
      zip(ranges, numbers).allSatisfy({ $0.contains($1) })
    else { return nil }
    let days = (numbers[0] * 12 + numbers[1]) * 31 + numbers[2]
    return ((days * 24 + numbers[3]) * 60 + numbers[4]) * 60 + numbers[5]
  }
}

/// Sets that grow together (union-find); the root of a set is its least member.
struct DisjointSets {
  private var parents: [Int]

  init(count: Int) { parents = Array(0..<count) }

  mutating func root(of member: Int) -> Int {
    var root = member
    while parents[root] != root { root = parents[root] }
    var at = member
    while parents[at] != root { (at, parents[at]) = (parents[at], root) }
    return root
  }

  mutating func join(_ a: Int, _ b: Int) {
    let (first, second) = (root(of: a), root(of: b))
    parents[max(first, second)] = min(first, second)
  }
}

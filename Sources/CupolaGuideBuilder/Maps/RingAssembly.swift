internal import CupolaSupport

/// Joins lines end to end, in any direction, to rings that touch themselves nowhere at a line's end.
struct RingAssembly {
  struct Ring {
    /// At least three, the first one not repeated.
    let points: [Int]
    /// The numbers of its lines.
    let lines: [Int]
  }

  private(set) var rings: [Ring] = []
  /// How many lines are in no ring.
  private(set) var open = 0

  private let lines: [[Int]]
  private var isUsed: [Bool]
  /// Numbers of lines by the points where they end.
  private var ends: [Int: [Int]] = [:]

  init(_ lines: [[Int]]) {
    self.lines = lines
    isUsed = Array(repeating: false, count: lines.count)
    for (number, line) in lines.enumerated() {
      guard let first = line.first, let last = line.last else { continue }
      if first == last {
        isUsed[number] = true
        add([(number, true)])
      } else {
        ends[first, default: []].append(number)
        ends[last, default: []].append(number)
      }
    }
    for number in lines.indices where !isUsed[number] && !lines[number].isEmpty { follow(number) }
  }

  /// Goes from line to line; wherever the way meets itself, a ring is complete.
  private mutating func follow(_ start: Int) {
    guard var end = lines[start].first else { return }
    var chain: [(line: Int, isForward: Bool)] = []
    var joints: [Int: Int] = [end: 0]
    var next: Int? = start
    while true {
      guard let line = next ?? unused(at: end) else {
        // A dead end.
        guard let last = chain.popLast() else { return }
        joints[end] = nil
        open += 1
        end = ends(of: last).start
        continue
      }
      next = nil
      isUsed[line] = true
      chain.append((line, lines[line].first == end))
      end = chain.last.map { ends(of: $0).end } ?? end
      if let joint = joints[end] {
        for step in chain[joint...].dropFirst() { joints[ends(of: step).start] = nil }
        add(Array(chain[joint...]))
        chain.removeSubrange(joint...)
      } else {
        joints[end] = chain.count
      }
    }
  }

  private func ends(of step: (line: Int, isForward: Bool)) -> (start: Int, end: Int) {
    let line = lines[step.line]
    let (first, last) = (line.first ?? 0, line.last ?? 0)
    return step.isForward ? (first, last) : (last, first)
  }

  private mutating func unused(at end: Int) -> Int? {
    while let line = ends[end]?.popLast() {
      if !isUsed[line] { return line }
    }
    return nil
  }

  private mutating func add(_ chain: [(line: Int, isForward: Bool)]) {
    var points: [Int] = []
    for (line, isForward) in chain {
      points += isForward ? lines[line].dropLast() : lines[line].reversed().dropLast()
    }
    guard Set(points).count > 2 else {
      open += chain.count
      return
    }
    rings.append(Ring(points: points, lines: chain.map(\.line)))
  }
}

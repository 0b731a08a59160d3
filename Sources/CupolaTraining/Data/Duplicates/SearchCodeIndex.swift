/// Finds codes that differ from a given one in few bits, without comparing it with all.
///
/// Codes stand in a table for each chunk of 16 bits (multi-index hashing, Norouzi et al. 2012). Asked
/// for are the buckets of a chunk and of those that differ from it in one bit: of two codes that
/// differ in up to 7 bits one chunk always does so, and of those that differ in 10 nearly always.
struct SearchCodeIndex: Sendable {
  private let codes: [SearchCode]
  /// For each chunk, where the entries of each bucket begin.
  private let starts: [[Int32]]
  private let entries: [[Int32]]

  /// Entries looked at in one bucket: so that thousands of nearly equal photos take no square of time.
  private static let bucketLimit = 256

  init(_ codes: [SearchCode]) {
    self.codes = codes
    var starts: [[Int32]] = []
    var entries: [[Int32]] = []
    for chunk in 0..<SearchCode.chunks {
      var ends = [Int32](repeating: 0, count: 0x1_0001)
      for code in codes { ends[code.chunk(chunk) + 1] += 1 }
      for bucket in 1..<ends.count { ends[bucket] += ends[bucket - 1] }
      starts.append(ends)
      var order = [Int32](repeating: 0, count: codes.count)
      for (index, code) in codes.enumerated() {
        order[Int(ends[code.chunk(chunk)])] = Int32(index)
        ends[code.chunk(chunk)] += 1
      }
      entries.append(order)
    }
    self.starts = starts
    self.entries = entries
  }

  /// Calls `body` with the number and the distance of codes within ``SearchCode/reach``, some of them
  /// more than once.
  func forEach(near code: SearchCode, _ body: (Int, Int) -> Void) {
    for chunk in 0..<SearchCode.chunks {
      let key = code.chunk(chunk)
      visit(key, ofChunk: chunk, near: code, body)
      for bit in 0..<16 { visit(key ^ 1 << bit, ofChunk: chunk, near: code, body) }
    }
  }

  /// Looks through one bucket.
  private func visit(
    _ key: Int, ofChunk chunk: Int, near code: SearchCode, _ body: (Int, Int) -> Void
  ) {
    let start = Int(starts[chunk][key])
    let end = min(Int(starts[chunk][key + 1]), start + Self.bucketLimit)
    guard start < end else { return }
    for place in start..<end {
      let index = Int(entries[chunk][place])
      let distance = codes[index].distance(to: code)
      if distance <= SearchCode.reach { body(index, distance) }
    }
  }
}

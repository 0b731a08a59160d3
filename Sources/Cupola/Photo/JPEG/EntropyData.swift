/// The coded data of a scan, without the zeros that are stuffed behind 0xFF and without the markers of restarts, so that
/// they can be read by the word (ITU-T T.81, B.1.1.5 and E.1.4).
struct EntropyData {
  /// More zeros than the bytes that the blocks of a unit can take: none is read behind the end.
  static let padding = 10 * 64 * 4 + 8

  /// All stretches between restarts, and the padding.
  let bytes: [UInt8]
  /// Where each stretch ends.
  let ends: [Int]
  /// The marker behind the data; `nil` where the file ends before one.
  let marker: UInt8?
  /// Whether restarts are numbered 0 to 7 over and over.
  let isInOrder: Bool

  /// - Parameter range: where they stand in a file, up to a marker that is no restart's.
  init(_ file: Span<UInt8>, _ range: Range<Int>) {
    var ends: [Int] = []
    var marker: UInt8?
    var isInOrder = true
    bytes = [UInt8](capacity: range.count + Self.padding) { output in
      var at = range.lowerBound
      while at + 1 < range.upperBound {
        Self.appendWords(file, &at, range.upperBound, to: &output)
        guard at + 1 < range.upperBound else { break }
        let next = file[at + 1]
        if file[at] != 0xFF {
          output.append(file[at])
          at += 1
          continue
        }
        at += 2
        if next == 0 {
          output.append(0xFF)
          continue
        }
        guard (0xD0...0xD7).contains(next) else {
          marker = next
          break
        }
        isInOrder = isInOrder && Int(next) - 0xD0 == ends.count & 7
        ends.append(output.count)
      }
      if marker == nil, at < range.upperBound { output.append(file[at]) }
      ends.append(output.count)
      for _ in 0..<Self.padding { output.append(0) }
    }
    (self.ends, self.marker, self.isInOrder) = (ends, marker, isInOrder)
  }

  /// Appends eight bytes at once as long as 0xFF is not among them.
  @inline(__always)
  private static func appendWords(
    _ file: Span<UInt8>, _ at: inout Int, _ end: Int, to output: inout OutputSpan<UInt8>
  ) {
    while at + 8 <= end {
      let word = file.word(at: at)
      // A byte of the complement is zero where one of the word is 0xFF.
      guard (~word &- 0x0101_0101_0101_0101) & word & 0x8080_8080_8080_8080 == 0 else { return }
      for byte in 1...UInt64(8) {
        output.append(UInt8(truncatingIfNeeded: word &>> (64 &- 8 &* byte)))
      }
      at += 8
    }
  }
}

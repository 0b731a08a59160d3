internal import CupolaGuide
internal import CupolaSupport

// 1. Fill a buffer from a stream, and find the next line end outside quotation marks.
// 2. Store the values of the row as ranges, and remove quotation marks within values in place.

/// Reads rows of comma-separated values (RFC 4180) from a stream.
///
/// Lines end with LF, CRLF or CR, and spaces around values are removed. A quoted value may contain commas, line ends
/// and doubled quotation marks; text after the closing mark becomes part of the value. A line with an unclosed
/// quotation mark is skipped.
struct CSVReader {
  enum Step: Equatable {
    case row
    case skipped(FeedFaultKind)
    case end
  }

  let limit: Int
  private(set) var bytes: [UInt8] = []
  /// The values of the row as ranges of `bytes`, valid until the next row.
  private(set) var fields: [Range<Int>] = []
  private(set) var line = 0
  private(set) var hasTextAfterQuote = false

  private var stream: FeedStream
  private var start = 0
  private var nextLine = 1
  private var isWhole = false
  private var marked: [Int] = []

  init(_ stream: FeedStream, limit: Int = 1 << 16) throws(GuideError) {
    (self.stream, self.limit) = (stream, limit)
    while bytes.count < 3, try fill() {}
    start = ByteOrderMark.length(in: bytes)
  }

  mutating func next() throws(GuideError) -> Step {
    line = nextLine
    while true {
      switch scan() {
      case .ended(let end, let lines):
        guard end - start <= limit else {
          try skipLine()
          return .skipped(.rowTooLong)
        }
        (start, nextLine) = (end, line &+ lines)
        takeOutMarks()
        return .row
      case .nothing: return .end
      case .openQuote:
        try skipLine()
        return .skipped(.quoteNotClosed)
      case .unfinished:
        guard bytes.count - start <= limit else {
          try skipLine()
          return .skipped(.rowTooLong)
        }
        _ = try fill()
      }
    }
  }

  private mutating func fill() throws(GuideError) -> Bool {
    bytes.removeSubrange(..<start)
    start = 0
    let isMore = try stream.append(to: &bytes)
    isWhole = !isMore
    return isMore
  }

  private mutating func skipLine() throws(GuideError) {
    var place = start
    while true {
      while place < bytes.count, !Self.endsLine(bytes[place]) { place += 1 }
      // A CR at the end of the buffer may be followed by LF.
      if place + 1 < bytes.count || isWhole { break }
      start = place
      _ = try fill()
      place = 0
    }
    if place < bytes.count { place = afterLineEnd(place) }
    start = place
    nextLine = line &+ 1
  }

  private func afterLineEnd(_ place: Int) -> Int {
    let isPair = bytes[place] == Self.cr && place + 1 < bytes.count && bytes[place + 1] == Self.lf
    return isPair ? place + 2 : place + 1
  }

  private enum Scan {
    case ended(Int, lines: Int)
    case nothing
    case unfinished
    case openQuote
  }

  private mutating func scan() -> Scan {
    fields.removeAll(keepingCapacity: true)
    marked.removeAll(keepingCapacity: true)
    hasTextAfterQuote = false
    let count = bytes.count
    guard start < count else { return isWhole ? .nothing : .unfinished }
    var place = start
    var lines = 1
    while true {
      while place < count, Self.isBlank(bytes[place]) { place += 1 }
      if place < count, bytes[place] == Self.quote {
        guard let end = quoted(from: place, lines: &lines) else {
          return isWhole ? .openQuote : .unfinished
        }
        place = end
      } else {
        let first = place
        place = plainEnd(from: place)
        fields.append(trimmed(first, place))
      }
      guard place < count else {
        // A comma at the end of the file is followed by an empty value.
        return isWhole ? .ended(place, lines: lines) : .unfinished
      }
      if bytes[place] == Self.comma {
        place += 1
        continue
      }
      if bytes[place] == Self.cr, place + 1 == count, !isWhole { return .unfinished }
      return .ended(afterLineEnd(place), lines: lines)
    }
  }

  private func plainEnd(from start: Int) -> Int {
    var place = start
    while place < bytes.count {
      let byte = bytes[place]
      if byte <= Self.comma, byte == Self.comma || Self.endsLine(byte) { break }
      place &+= 1
    }
    return place
  }

  private mutating func quoted(from start: Int, lines: inout Int) -> Int? {
    var place = start + 1
    var hasMarks = false
    while true {
      guard place < bytes.count else { return nil }
      let byte = bytes[place]
      if byte == Self.quote {
        guard place + 1 < bytes.count else {
          guard isWhole else { return nil }
          break
        }
        if bytes[place + 1] != Self.quote { break }
        hasMarks = true
        place += 1
      } else if byte == Self.lf || byte == Self.cr && !isPair(place) {
        lines += 1
      }
      place += 1
    }
    let end = plainEnd(from: place + 1)
    let tail = trimmed(place + 1, end)
    if !tail.isEmpty { hasTextAfterQuote = true }
    if hasMarks || !tail.isEmpty {
      marked.append(fields.count)
      fields.append(start..<end)
    } else {
      fields.append(trimmed(start + 1, place))
    }
    return end
  }

  private func isPair(_ place: Int) -> Bool {
    place + 1 < bytes.count && bytes[place] == Self.cr && bytes[place + 1] == Self.lf
  }

  private mutating func takeOutMarks() {
    for field in marked {
      let range = fields[field]
      var end = range.lowerBound
      var isQuoted = true
      var place = range.lowerBound + 1
      while place < range.upperBound {
        let byte = bytes[place]
        place += 1
        if isQuoted, byte == Self.quote {
          if place < range.upperBound, bytes[place] == Self.quote {
            place += 1
          } else {
            isQuoted = false
            continue
          }
        }
        bytes[end] = byte
        end += 1
      }
      fields[field] = trimmed(range.lowerBound, end)
    }
  }

  private func trimmed(_ start: Int, _ end: Int) -> Range<Int> {
    var (first, last) = (start, end)
    while first < last, Self.isBlank(bytes[first]) { first &+= 1 }
    while first < last, Self.isBlank(bytes[last &- 1]) { last &-= 1 }
    return first..<last
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lf = UInt8(ascii: "\n")
  private static let cr = UInt8(ascii: "\r")

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  @inline(__always)
  private static func endsLine(_ byte: UInt8) -> Bool { byte == lf || byte == cr }
}

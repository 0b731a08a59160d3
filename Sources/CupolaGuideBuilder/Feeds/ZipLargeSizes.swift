/// The sizes of zip64 beside an entry: there is one for each field that is full of ones.
struct ZipLargeSizes {
  private let entries: LittleEndian
  private var place: Int
  private var end: Int

  init(_ entries: LittleEndian, _ extra: Range<Int>) {
    self.entries = entries
    (place, end) = (0, 0)
    var start = extra.lowerBound
    while start + 4 <= extra.upperBound, let kind = entries.number16(at: start),
      let count = entries.number16(at: start + 2), start + 4 + count <= extra.upperBound
    {
      if kind == 1 { (place, end) = (start + 4, start + 4 + count) }
      start += 4 + count
    }
  }

  /// The value of a field, in the order of size, compressed size, offset; `nil` where it is
  /// missing.
  mutating func value(_ field: Int) -> Int? {
    guard field == 0xFFFF_FFFF else { return field }
    guard place + 8 <= end else { return nil }
    place += 8
    return entries.number64(at: place - 8)
  }
}

internal import CupolaCampus

/// Looks up what the next bits of a baseline scan mean.
struct CodeLookup {
  /// For all values of the next bits.
  private let entries: [BlockCode.Entry]
  private let window: Int
  private let table: HuffmanTable
  private let isOfMeans: Bool

  private init(
    _ table: HuffmanTable, _ window: Int, isOfMeans: Bool, _ entry: (Int) -> BlockCode.Entry
  ) {
    (self.table, self.window, self.isOfMeans) = (table, window, isOfMeans)
    entries = (0..<1 << window).map(entry)
  }

  /// The differences of means.
  static func means(_ table: HuffmanTable) -> CodeLookup {
    CodeLookup(table, 9, isOfMeans: true) { bits in number(bits, 9, table, isMean: true) }
  }

  /// The other coefficients, with their values.
  static func values(_ table: HuffmanTable) -> CodeLookup {
    CodeLookup(table, 10, isOfMeans: false) { bits in number(bits, 10, table, isMean: false) }
  }

  /// The lengths of the other coefficients, of several where as many are in the bits.
  static func lengths(_ table: HuffmanTable) -> CodeLookup {
    CodeLookup(table, 12, isOfMeans: false) { bits in lengths(bits, 12, table) }
  }

  private static func number(
    _ bits: Int, _ window: Int, _ table: HuffmanTable, isMean: Bool
  ) -> BlockCode.Entry {
    guard let code = table.code(bits, of: window) else { return .long }
    let size = isMean ? code.symbol : code.symbol & 15
    let length = code.length + size
    guard length <= window else { return .long }
    let value = JPEGBits.signed(bits >> (window - length) & (1 << size - 1), size)
    let coefficients = isMean ? 1 : coefficients(code.symbol)
    return BlockCode.Entry(length: length, coefficients: coefficients, value: value)
  }

  private static func lengths(_ bits: Int, _ window: Int, _ table: HuffmanTable) -> BlockCode.Entry
  {
    var taken = 0
    var coefficients = 0
    var before = 0
    while taken < window, coefficients < 63,
      let code = table.code(bits & (1 << (window - taken) - 1), of: window - taken)
    {
      before = coefficients
      taken += code.length + code.symbol & 15
      coefficients += Self.coefficients(code.symbol)
    }
    return taken == 0
      ? .long : BlockCode.Entry(length: taken, coefficients: coefficients, before: before)
  }

  /// How many coefficients a symbol stands for: zeros and one that is not, 16 zeros, or the rest of the block.
  private static func coefficients(_ symbol: Int) -> Int {
    symbol & 15 > 0 || symbol == 0xF0 ? symbol >> 4 + 1 : BlockCode.end
  }

  /// What the bits that are held mean.
  @inline(__always)
  func entry(_ bits: JPEGBits) -> BlockCode.Entry { entries.span[bits.peek(window)] }

  /// Takes one number of bits that are held, however long.
  @inline(never)
  func readLong(_ bits: JPEGBits) -> (after: JPEGBits, value: Int32, coefficients: Int) {
    var after = bits
    guard let symbol = table.symbol(&after) else { return (after, 0, BlockCode.damaged) }
    let size = isOfMeans ? symbol : symbol & 15
    guard size < 16 else { return (after, 0, BlockCode.damaged) }
    let value = Int32(after.signed(size))
    return (after, value, isOfMeans ? 1 : Self.coefficients(symbol))
  }
}

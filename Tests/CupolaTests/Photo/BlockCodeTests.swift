import CupolaCampus
import Testing

@testable import Cupola

@Suite("Blocks of a baseline JPEG") struct BlockCodeTests {
  /// A table, and how to write by it.
  private struct Code {
    let table: HuffmanTable
    private let words: [UInt8: String]

    /// Some symbols have so many bits, some twice as many or 9, and the rest 16.
    init(_ symbols: [UInt8], shortest: Int) throws {
      var counts = [UInt8](repeating: 0, count: 16)
      var words: [UInt8: String] = [:]
      var (word, length) = (0, 0)
      for (next, most) in [
        (shortest, max(1, (1 << shortest) / 2)), (max(9, 2 * shortest), 60), (16, 255),
      ] {
        (word, length) = (word << (next - length), next)
        // The word of ones only stays free.
        while counts[length - 1] < most, word + 1 < 1 << length, words.count < symbols.count {
          let text = String(word, radix: 2)
          words[symbols[words.count]] = String(repeating: "0", count: length - text.count) + text
          counts[length - 1] += 1
          word += 1
        }
      }
      table = try #require(HuffmanTable(counts: counts[...], symbols: symbols[...]))
      self.words = words
    }

    /// A symbol, and the bits of a number of some size behind it.
    func text(_ symbol: UInt8, _ value: Int, size: Int) throws -> String {
      let bits = value < 0 ? value + (1 << size) - 1 : value
      let text = size == 0 ? "" : String(bits, radix: 2)
      return try #require(words[symbol]) + String(repeating: "0", count: size - text.count) + text
    }
  }

  /// A block's difference of means, and its other coefficients in the order of the file.
  private struct Block {
    let mean: Int
    var details = [Int32](repeating: 0, count: 64)
    private(set) var text: String

    init(_ means: Code, _ codes: Code, _ generator: inout SplitMix64, often: UInt64) throws {
      let size = Int(generator.next() % 12)
      mean = Self.number(size, &generator)
      text = try means.text(UInt8(size), mean, size: size)
      var last = 0
      while last < 63 {
        let run = Int(generator.next() % 18)
        if generator.next() % often == 0 || last + run >= 63 {
          text += try codes.text(0, 0, size: 0)
          return
        }
        if run >= 16 {
          text += try codes.text(0xF0, 0, size: 0)
          last += 16
          continue
        }
        last += run + 1
        let size = Int(1 + generator.next() % 10)
        let value = Self.number(size, &generator)
        details[last] = Int32(value)
        text += try codes.text(UInt8(run << 4 | size), value, size: size)
      }
    }

    /// A number that needs so many bits.
    private static func number(_ size: Int, _ generator: inout SplitMix64) -> Int {
      guard size > 0 else { return 0 }
      let value = Int(generator.next() % (1 << UInt64(size - 1))) + 1 << (size - 1)
      return generator.next() % 2 == 0 ? value : -value
    }
  }

  private static func bytes(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for (number, bit) in text.utf8.enumerated() {
      if number % 8 == 0 { bytes.append(0) }
      bytes[number / 8] |= (bit - 48) << UInt8(7 - number % 8)
    }
    return bytes + [UInt8](repeating: 0, count: EntropyData.padding)
  }

  @Test(
    "They are passed over and read as they were written", arguments: [1, 2, 3, 5, 8],
    [UInt64(1), 2, 3, 5, 15, 100])
  func written(shortest: Int, often: UInt64) throws {
    var generator = SplitMix64(seed: 100 * often + UInt64(shortest))
    let sizes = (0...11).map(UInt8.init).shuffled(using: &generator)
    let symbols: [UInt8] =
      ([0x00, 0xF0] + (0..<16).flatMap { run in (1...10).map { run << 4 | $0 } })
      .shuffled(using: &generator)
    let means = try Code(sizes, shortest: min(shortest, 3))
    let codes = try Code(symbols, shortest: shortest)
    let blocks = try (0..<300).map { _ in
      try Block(means, codes, &generator, often: often)
    }
    let data = Self.bytes(blocks.map(\.text).joined())
    let skipping = BlockCode(mean: .means(means.table), details: .lengths(codes.table))
    let reading = BlockCode(mean: .means(means.table), details: .values(codes.table))
    var (skipped, read, length) = (JPEGBits(at: 0), JPEGBits(at: 0), 0)
    for block in blocks {
      length += block.text.utf8.count
      let mean = skipping.readMean(&skipped, in: data.span)
      let isBlock = skipping.skip(&skipped, in: data.span)
      #expect(mean == Int32(block.mean) && isBlock)
      #expect(skipped.nextByte == (length + 7) / 8)
      let details = Self.details(reading, &read, data)
      #expect(details == block.details)
      #expect(read.nextByte == (length + 7) / 8)
    }
  }

  /// A block's coefficients where each has a sum of its own; none when it is no block.
  private static func details(
    _ code: BlockCode, _ bits: inout JPEGBits, _ data: [UInt8]
  ) -> [Int32] {
    var sums = [Int32](repeating: 0, count: 64)
    let slots = Array(0..<64)
    let factors = [Int32](repeating: 1, count: 64)
    guard code.readMean(&bits, in: data.span) != nil else { return [] }
    var span = sums.mutableSpan
    let isFlat = code.readDetails(
      &bits, in: data.span, into: &span, at: slots.span, by: factors.span)
    guard let isFlat else { return [] }
    #expect(!isFlat || sums.allSatisfy { $0 == 0 })
    return sums
  }

  @Test("Bits that are no code are told, and coefficients past the last")
  func damaged() throws {
    // 0 ends a block or is a mean of 0, 10 are 16 zeros, 11 is no code.
    let counts: [UInt8] = [1, 1] + [UInt8](repeating: 0, count: 14)
    let means = try #require(HuffmanTable(counts: counts[...], symbols: [0, 1]))
    let details = try #require(HuffmanTable(counts: counts[...], symbols: [0, 0xF0]))
    for lookup in [CodeLookup.values(details), .lengths(details)] {
      let code = BlockCode(mean: .means(means), details: lookup)
      for (text, isBlock) in [
        ("00", true), ("0101010100", false), ("01010100", true), ("011", false),
      ] {
        let data = Self.bytes(text + "1111")
        var bits = JPEGBits(at: 0)
        let mean = code.readMean(&bits, in: data.span)
        let isRead = code.skip(&bits, in: data.span)
        #expect(mean == 0 && isRead == isBlock, "\(text)")
      }
      #expect(Self.details(code, data: "0100") == [Int32](repeating: 0, count: 64))
      #expect(Self.details(code, data: "0101010100").isEmpty)
      #expect(Self.details(code, data: "11").isEmpty)
    }
  }

  private static func details(_ code: BlockCode, data text: String) -> [Int32] {
    var bits = JPEGBits(at: 0)
    return details(code, &bits, bytes(text + "1111"))
  }
}

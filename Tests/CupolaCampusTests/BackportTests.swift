import Cupola
import Testing

@testable import CupolaCampus

@Suite("Backport") struct BackportTests {
  @Test("Spans show an array, and change it and no copy of it")
  func spans() {
    var values: [Int32] = [3, 1, 4, 1, 5]
    let copy = values
    #expect(Self.read(values.span) == copy)
    Self.double(values.mutableSpan)
    #expect(values == [6, 2, 8, 2, 10] && copy == [3, 1, 4, 1, 5])
    #expect(Self.read([Int32]().span) == [])
  }

  private static func read(_ span: Span<Int32>) -> [Int32] { span.indices.map { span[$0] } }

  private static func double(_ span: consuming MutableSpan<Int32>) {
    for index in span.indices { span[index] *= 2 }
  }

  @Test("Bytes are text exactly where the standard library says so")
  func validation() {
    var random = SplitMix64(seed: 8)
    var texts = [Array("Bibliothèque 图书馆 🏛️".utf8), [], [0], [0xC0, 0x80], [0xED, 0xA0, 0x80]]
    texts += [[0xEF, 0xBF, 0xBD], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82], [0xFF]]
    for _ in 0..<20_000 {
      texts.append(
        (0..<Int.random(in: 1...4, using: &random)).map { _ in
          [0x41, 0x80, 0xBF, 0xC3, 0xE2, 0x82, 0xAC, 0xED, 0xF0, 0x9F, 0xF4].randomElement(
            using: &random)
            ?? UInt8.random(in: 0...255, using: &random)
        })
    }
    for bytes in texts {
      // A sequence that is no collection is left to the standard library.
      let expected = String(validating: AnySequence(bytes), as: UTF8.self)
      #expect(String(validating: bytes, as: UTF8.self) == expected, "\(bytes)")
    }
  }
}

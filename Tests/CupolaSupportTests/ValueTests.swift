import Cupola
import Testing
@testable import CupolaSupport

@Suite("Backport") struct BackportTests {
  @Test("Spans read and change an array in place")
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

  @Test("UTF-8 validation agrees with the standard library")
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
      // A sequence that is not a collection uses the standard library.
      let expected = String(validating: AnySequence(bytes), as: UTF8.self)
      #expect(String(validating: bytes, as: UTF8.self) == expected, "\(bytes)")
    }
  }
}

@Suite("Disjoint sets")
struct DisjointSetsTests {
  @Test("Agree with naive relabeling; the root is the smallest member")
  func naive() {
    var generator = SplitMix64(seed: 2)
    var sets = DisjointSets(count: 200)
    var colors = Array(0..<200)
    for _ in 0..<150 {
      let a = Int.random(in: 0..<200, using: &generator)
      let b = Int.random(in: 0..<200, using: &generator)
      sets.join(a, b)
      let (from, to) = (colors[b], colors[a])
      for index in colors.indices where colors[index] == from { colors[index] = to }
      for member in [a, b] {
        #expect(sets.root(of: member) == colors.firstIndex(of: colors[member]))
      }
    }
    for member in 0..<200 {
      #expect(sets.root(of: member) == colors.firstIndex(of: colors[member]))
    }
  }

  @Test("Joins members with equal keys and ignores nil")
  func keys() {
    var sets = DisjointSets(count: 6)
    sets.joinEqual(["b", nil, "a", "b", nil, "a"])
    #expect((0..<6).map { sets.root(of: $0) } == [0, 1, 2, 0, 4, 2])
  }
}

@Suite("Gregorian calendar")
struct GregorianCalendarTests {
  @Test("Days of 9999 years are consecutive")
  func days() {
    var number = GregorianCalendar.dayNumber(year: 1, month: 1, day: 1)
    #expect(number == -719_162)
    for year in 1...9999 {
      let isLeap = year.isMultiple(of: 4) && !year.isMultiple(of: 100) || year.isMultiple(of: 400)
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1...12, lengths) {
        var isRight = GregorianCalendar.days(inMonth: month, of: year) == length
        for day in 1...length {
          let date = GregorianCalendar.date(ofDay: number)
          if date.year != year || date.month != month || date.day != day { isRight = false }
          if GregorianCalendar.dayNumber(year: year, month: month, day: day) != number {
            isRight = false
          }
          number += 1
        }
        guard isRight else {
          Issue.record("\(year)-\(month)")
          return
        }
      }
    }
    #expect(number == 2_932_897)
  }
}

@Suite("Saturating integers") struct SaturatingIntegerTests {
  @Test(
    "Converts any number to an integer",
    arguments: [
      (0, 0), (-0.0, 0), (2.9, 2), (-2.9, -2), (1e15, 1_000_000_000_000_000),
      (.infinity, .max), (-.infinity, .min), (.nan, 0), (1e300, .max), (-1e300, .min),
      (9_223_372_036_854_775_808, .max), (-9_223_372_036_854_775_808, .min),
      (9_223_372_036_854_774_784, 9_223_372_036_854_774_784), (.leastNonzeroMagnitude, 0),
    ] as [(Double, Int)])
  func values(value: Double, whole: Int) { #expect(Int(saturating: value) == whole) }
}

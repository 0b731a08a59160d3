import CupolaCampus
import Testing

@testable import Cupola

@Suite("The data of a JPEG's scan") struct EntropyDataTests {
  /// Byte by byte.
  private static func slowly(_ file: [UInt8]) -> (bytes: [UInt8], ends: [Int], marker: UInt8?) {
    var (bytes, ends): ([UInt8], [Int]) = ([], [])
    var at = 0
    while at < file.count {
      if file[at] == 0xFF, at + 1 < file.count {
        let next = file[at + 1]
        if (0xD0...0xD7).contains(next) {
          ends.append(bytes.count)
        } else if next == 0 {
          bytes.append(0xFF)
        } else {
          return (bytes, ends + [bytes.count], next)
        }
        at += 2
      } else {
        bytes.append(file[at])
        at += 1
      }
    }
    return (bytes, ends + [bytes.count], nil)
  }

  @Test("They are as when they are read byte by byte")
  func twin() {
    var generator = SplitMix64(seed: 3)
    for turn in 0..<2000 {
      let often = turn % 5 == 0 ? 3 : UInt64(30)
      let file = (0..<Int(generator.next() % 80)).flatMap { _ -> [UInt8] in
        guard generator.next() % often == 0 else { return [UInt8(generator.next() % 255)] }
        let kind = generator.next() % 20
        return [0xFF, kind == 0 ? UInt8(generator.next() & 255) : kind < 5 ? 0xD0 : 0]
      }
      let found = EntropyData(file.span, 0..<file.count)
      let expected = Self.slowly(file)
      #expect(found.bytes.dropLast(EntropyData.padding).elementsEqual(expected.bytes))
      #expect(found.ends == expected.ends && found.marker == expected.marker)
      #expect(found.bytes.suffix(EntropyData.padding).allSatisfy { $0 == 0 })
    }
  }

  @Test("They are only those of their place in the file, and the order of restarts is known")
  func place() {
    let file: [UInt8] = [9, 1, 0xFF, 0xD0, 2, 0xFF, 0xD1, 0xFF, 0, 0xFF]
    let data = EntropyData(file.span, 1..<9)
    #expect(data.bytes.prefix(3) == [1, 2, 0xFF] && data.ends == [1, 2, 3] && data.isInOrder)
    let cut = EntropyData(file.span, 1..<8)
    #expect(cut.bytes.prefix(3) == [1, 2, 0xFF] && cut.ends == [1, 2, 3])
    #expect(!EntropyData(file.span, 4..<10).isInOrder)
    #expect(EntropyData(file.span, 5..<5).ends == [0])
  }
}

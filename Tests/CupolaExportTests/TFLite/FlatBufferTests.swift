import Cupola
import Testing

@testable import CupolaExport

@Suite("FlatBuffer")
struct FlatBufferTests {
  /// A table with something of every kind; sizes and texts differ with the seed.
  private static func table(seed: UInt64) -> FlatBufferTable {
    var generator = SplitMix64(seed: seed)
    func number() -> Int { Int.random(in: 0...40, using: &generator) }
    let bytes = (0..<number()).map { _ in UInt8.random(in: 0...255, using: &generator) }
    return [
      0: .int8(-3), 1: .uint32(.max), 3: .bool(true),
      4: .text(String(repeating: "é", count: number())),
      5: .bytes(bytes), 6: .int32s((0..<number()).map { Int32(-$0) }), 7: .float32(-0.5),
      8: .table([2: .int32(.min)]), 9: .tables((0..<number()).map { [0: .int32(Int32($0))] }),
      11: .float32s((0..<number()).map { Float($0) / 3 }), 12: nil,
      13: .int64s((0..<number()).map { Int64($0) << 40 - 1 }), 14: .uint8(200),
    ]
  }

  private static func file(seed: UInt64) -> [UInt8] {
    FlatBufferWriter.bytes(root: table(seed: seed), identifier: "TEST")
  }

  @Test("what is written is read", arguments: 0..<40 as Range<UInt64>)
  func roundTrip(seed: UInt64) throws {
    let table = Self.table(seed: seed)
    let root = try FlatBufferReader(Self.file(seed: seed)).root(identifier: "TEST")
    #expect(root.used == [0, 1, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14])
    #expect(try root.int8(0) == -3)
    #expect(try root.uint32(1) == Int(UInt32.max))
    #expect(try root.bool(3))
    #expect(try root.text(4).map { .text($0) } == table.values[4])
    #expect(try .bytes(Array(root.bytes(5))) == table.values[5])
    #expect(try .int32s(root.int32s(6).map { Int32($0) }) == table.values[6])
    #expect(try root.float32(7) == -0.5)
    #expect(try root.table(8)?.int32(2) == Int(Int32.min))
    let numbers = try root.tables(9).map {
      FlatBufferTable(dictionaryLiteral: (0, .int32(Int32(try $0.int32(0)))))
    }
    #expect(.tables(numbers) == table.values[9])
    #expect(try .float32s(root.float32s(11)) == table.values[11])
    #expect(try .int64s(root.int64s(13)) == table.values[13])
    #expect(try root.uint8(14) == 200)
  }

  @Test("slots that are not there have their defaults")
  func defaults() throws {
    let root = try FlatBufferReader(FlatBufferWriter.bytes(root: [:], identifier: "TEST"))
      .root(identifier: "TEST")
    #expect(root.used == [])
    #expect(try root.int8(0, default: 7) == 7)
    #expect(try root.int32(3, default: -1) == -1)
    #expect(try root.text(99) == nil)
    #expect(try root.table(0) == nil)
    #expect(try root.tables(0).isEmpty && root.bytes(1).isEmpty && root.int32s(2).isEmpty)
  }

  @Test("every number stands where its size divides its place", arguments: 0..<20 as Range<UInt64>)
  func alignment(seed: UInt64) throws {
    let root = try FlatBufferReader(Self.file(seed: seed)).root(identifier: "TEST")
    let bytes = try root.bytes(5)
    #expect(bytes.startIndex % 16 == 0)
  }

  @Test("the bytes are those of the format's description")
  func bytes() {
    let file = FlatBufferWriter.bytes(root: [0: .uint8(7), 2: .text("ab")], identifier: "TEST")
    #expect(
      file == [
        20, 0, 0, 0, 0x54, 0x45, 0x53, 0x54,  // the root table is at 20; TEST
        10, 0, 9, 0, 8, 0, 0, 0, 4, 0,  // vtable: 10 bytes, table of 9; slots at 8, nowhere, 4
        0, 0,
        12, 0, 0, 0,  // table: the vtable is 12 before
        8, 0, 0, 0, 7,  // the text is 8 behind; 7
        0, 0, 0, 2, 0, 0, 0, 0x61, 0x62, 0,
      ])
  }

  @Test("equal tables are equal bytes, and equal vtables stand once")
  func once() {
    #expect(Self.file(seed: 3) == Self.file(seed: 3))
    func size(_ count: Int32) -> Int {
      let tables = (0..<count).map { FlatBufferTable(dictionaryLiteral: (5, .int32($0))) }
      return FlatBufferWriter.bytes(root: [0: .tables(tables)], identifier: "TEST").count
    }
    // An offset, the distance to the vtable, and the number.
    #expect(size(101) - size(100) == 12)
  }

  @Test("equal texts, vectors and tables of numbers stand once, behind what points to them")
  func shared() throws {
    func table(_ last: Int32) -> FlatBufferTable {
      [0: .int32s([1, 2, last]), 1: .text("text"), 2: .table([1: .float32(0.5)])]
    }
    func file(_ tables: [FlatBufferTable]) -> [UInt8] {
      FlatBufferWriter.bytes(root: [0: .tables(tables)], identifier: "TEST")
    }
    // An offset to the table, the distance to its vtable, and three offsets; the list is another.
    #expect(file([table(3), table(3)]).count - file([table(3)]).count == 20)
    #expect(file([table(3), table(4)]).count - file([table(3), table(3)]).count == 16)
    let root = try FlatBufferReader(file([table(3), table(4)])).root(identifier: "TEST")
    for (read, last) in zip(try root.tables(0), [3, 4]) {
      #expect(try read.int32s(0) == [1, 2, last])
      #expect(try read.text(1) == "text")
      #expect(try read.table(2)?.float32(1) == 0.5)
    }
  }

  /// Reads all there is; returns how many values were read.
  private static func readAll(_ bytes: [UInt8]) throws -> Int {
    let root = try FlatBufferReader(bytes).root(identifier: "TEST")
    var count = try root.text(4)?.utf8.count ?? 0
    count += try root.bytes(5).count + root.int32s(6).count + root.tables(9).count
    count += try root.float32s(11).count + root.int64s(13).count + root.int8(0)
    for table in try root.tables(9) { count += try table.int32(0) & 1 }
    return count + (try root.table(8)?.int32(2) ?? 0) + (try root.uint8(14))
  }

  @Test("a cut file throws, wherever it is cut")
  func cut() throws {
    let file = Self.file(seed: 5)
    _ = try Self.readAll(file)
    for length in file.indices {
      #expect(throws: FlatBufferReader.Fault.self) { try Self.readAll(Array(file[..<length])) }
    }
  }

  @Test("changed bytes are read or refused, and never more than there is")
  func changed() {
    let file = Self.file(seed: 6)
    var generator = SplitMix64(seed: 1)
    var refused = 0
    for _ in 0..<20_000 {
      var bytes = file
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let place = Int.random(in: 8..<bytes.count, using: &generator)
        bytes[place] =
          [0, 1, 0x7F, 0x80, 0xFF, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      if (try? Self.readAll(bytes)) == nil { refused += 1 }
    }
    #expect((1_000..<20_000).contains(refused))
  }

  @Test("another identifier is refused")
  func identifier() {
    #expect(throws: FlatBufferReader.Fault.wrongIdentifier) {
      try FlatBufferReader(Self.file(seed: 1)).root(identifier: "TFL3")
    }
    #expect(throws: FlatBufferReader.Fault.wrongIdentifier) {
      try FlatBufferReader([]).root(identifier: "TEST")
    }
  }
}

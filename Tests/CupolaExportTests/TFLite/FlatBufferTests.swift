import Testing

@testable import CupolaExport

@Suite("FlatBuffer")
struct FlatBufferTests {
  @Test("every kind of value stands in its slot")
  func kinds() {
    let table: FlatBufferTable = [
      0: .int8(-3), 1: .uint32(.max), 3: .bool(true), 4: .text("é塔"), 5: .bytes([1, 2, 3]),
      6: .int32s([1, -1]), 7: .float32(-0.5), 8: .table([2: .int32(.min)]),
      9: .tables([[0: .int32(7)], [0: .int32(8)]]), 11: .float32s([2]), 12: nil,
      13: .int64s([1 << 40]), 14: .uint8(200),
    ]
    let root = FlatBufferLook(FlatBufferWriter.bytes(root: table, identifier: "TEST"))
    #expect(root.integer(0, bytes: 1) == 0xFD)
    #expect(root.integer(1, bytes: 4) == 0xFFFF_FFFF)
    #expect(root.integer(3, bytes: 1) == 1)
    #expect(root.text(4) == "é塔")
    #expect(root.integers(5, bytes: 1) == [1, 2, 3])
    #expect(root.integers(6, bytes: 4) == [1, 0xFFFF_FFFF])
    #expect(root.integer(7, bytes: 4) == 0xBF00_0000)
    #expect(root.table(8)?.integer(2, bytes: 4) == 0x8000_0000)
    #expect(root.tables(9).map { $0.integer(0, bytes: 4) } == [7, 8])
    #expect(root.integers(11, bytes: 4) == [0x4000_0000])
    #expect(root.integer(12, bytes: 4) == nil)
    #expect(root.integers(13, bytes: 8) == [1 << 40])
    #expect(root.integer(14, bytes: 1) == 200)
  }

  @Test("vectors of bytes stand at multiples of 16, of longer numbers at multiples of their size")
  func alignment() {
    for count in 0..<40 {
      let file = FlatBufferWriter.bytes(
        root: [
          0: .text(String(repeating: "x", count: count)), 1: .bytes([1]), 2: .int64s([1]),
          3: .float32s([1]),
        ], identifier: "TEST")
      let root = FlatBufferLook(file)
      #expect(root.vector(1).start % 16 == 0)
      #expect(root.vector(2).start % 8 == 0)
      #expect(root.vector(3).start % 4 == 0)
    }
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

  @Test("equal vtables stand once")
  func once() {
    func size(_ count: Int32) -> Int {
      let tables = (0..<count).map { FlatBufferTable(dictionaryLiteral: (5, .int32($0))) }
      return FlatBufferWriter.bytes(root: [0: .tables(tables)], identifier: "TEST").count
    }
    // An offset, the distance to the vtable, and the number.
    #expect(size(101) - size(100) == 12)
  }

  @Test("equal texts, vectors and tables of numbers stand once, behind what points to them")
  func shared() {
    func table(_ last: Int32) -> FlatBufferTable {
      [0: .int32s([1, 2, last]), 1: .text("text"), 2: .table([1: .float32(0.5)])]
    }
    func file(_ tables: [FlatBufferTable]) -> [UInt8] {
      FlatBufferWriter.bytes(root: [0: .tables(tables)], identifier: "TEST")
    }
    // An offset to the table, the distance to its vtable, and three offsets; the list is another.
    #expect(file([table(3), table(3)]).count - file([table(3)]).count == 20)
    #expect(file([table(3), table(4)]).count - file([table(3), table(3)]).count == 16)
    let root = FlatBufferLook(file([table(3), table(4)]))
    for (read, last) in zip(root.tables(0), [3, 4]) {
      #expect(read.integers(0, bytes: 4) == [1, 2, last])
      #expect(read.text(1) == "text")
      #expect(read.table(2)?.integer(1, bytes: 4) == 0x3F00_0000)
    }
  }
}

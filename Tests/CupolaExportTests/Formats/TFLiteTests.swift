import Cupola
import Testing

@testable import CupolaExport

@Suite("TFLiteModel")
struct TFLiteModelTests {
  static let labels = [Graph.notACampusBuilding, "hall", "tower"]

  static func model(
    labels: [String] = labels, weights: WeightFormat = .float32
  ) throws(ExportError) -> TFLiteModel {
    try TFLiteModel(
      graph: SmallTFLiteGraph.graph(labels: labels, weights: weights),
      notes: ExportNotes(SampleModels.hog(), source: [1]))
  }

  private static func graph(_ bytes: [UInt8]) throws -> ParsedTable {
    try #require(ParsedTable(bytes).tables(TFLiteSchema.Model.subgraphs).first)
  }

  private static func tensors(_ graph: ParsedTable) -> [ParsedTable] {
    graph.tables(TFLiteSchema.Subgraph.tensors)
  }

  // MARK: - Structure

  @Test("Uses operators that delegates support")
  func operators() throws {
    let codes = ParsedTable(try Self.model(weights: .int8).bytes())
      .tables(TFLiteSchema.Model.operatorCodes).map { table in
        let code = table.integer(TFLiteSchema.OperatorCode.code, bytes: 4) ?? 0
        let version = table.integer(TFLiteSchema.OperatorCode.version, bytes: 4) ?? 1
        return "\(TFLiteOperator(rawValue: code).map { "\($0)" } ?? "?") \(version)"
      }
    #expect(
      codes == [
        "cast 1", "multiply 1", "mirrorPad 1", "convolution 1", "averagePool 1", "concatenation 1",
        "stridedSlice 1", "slice 1", "transpose 1", "reshape 1", "pad 1", "absolute 1",
        "squareRoot 1", "relu 1", "minimum 1", "maximum 1", "subtract 1", "power 1", "sum 1",
        "largest 1", "add 1", "divide 1", "fullyConnected 6", "batchMatrixProduct 1",
        "dequantize 5",
        "softmax 1",
      ])
  }

  @Test("Have the minimum version of the runtime", arguments: WeightFormat.allCases)
  func runtime(weights: WeightFormat) throws {
    let model = ParsedTable(try Self.model(weights: weights).bytes())
    let entries = model.tables(TFLiteSchema.Model.metadata)
    let names = entries.map { $0.text(TFLiteSchema.Metadata.name) }
    #expect(names == ["TFLITE_METADATA", "min_runtime_version"])
    let buffer = entries[1].integer(TFLiteSchema.Metadata.buffer, bytes: 4) ?? 0
    let version = model.tables(TFLiteSchema.Model.buffers)[buffer]
      .integers(TFLiteSchema.Buffer.data, bytes: 1)
    let expected = weights == .int8 ? "2.7.0" : "2.3.0"
    #expect(version == (Array(expected.utf8) + [UInt8](repeating: 0, count: 11)).map(Int.init))
  }

  @Test("Input and output have the expected names and types")
  func interface() throws {
    typealias Slot = TFLiteSchema.Tensor
    let graph = try Self.graph(try Self.model().bytes())
    let tensors = Self.tensors(graph)
    let input = tensors[graph.integers(TFLiteSchema.Subgraph.inputs, bytes: 4)[0]]
    let output = tensors[graph.integers(TFLiteSchema.Subgraph.outputs, bytes: 4)[0]]
    #expect(input.text(Slot.name) == "image")
    #expect(input.integers(Slot.shape, bytes: 4) == [1, 8, 8, 3])
    #expect(input.integer(Slot.type, bytes: 1) == TFLiteSchema.Element.uint8.rawValue)
    #expect(output.text(Slot.name) == "probabilities")
    #expect(output.integers(Slot.shape, bytes: 4) == [1, 3])
    // No other tensors have names.
    #expect(tensors.compactMap { $0.text(Slot.name) } == ["image", "probabilities"])
  }

  @Test("Aligns values to 16 bytes")
  func alignment() throws {
    for weights in WeightFormat.allCases {
      let bytes = try Self.model(weights: weights).bytes()
      let buffers = ParsedTable(bytes).tables(TFLiteSchema.Model.buffers)
      let places = buffers.map { $0.vector(TFLiteSchema.Buffer.data) }
      #expect(places.count > 10)
      #expect(places.allSatisfy { $0.start % 16 == 0 })
    }
  }

  @Test("Narrow weights take less space")
  func sizes() throws {
    let labels = ["not_a_campus_building"] + (0..<999).map { "hall \($0)" }
    let sizes = try WeightFormat.allCases.map {
      try Self.model(labels: labels, weights: $0).bytes().count
    }
    #expect(sizes[0] - sizes[1] > 48_000)
    // Each label has a scale of 4 bytes and a zero point of 8 bytes.
    #expect(sizes[1] - sizes[2] > 12_000)
  }

  // MARK: - Labels

  static let hostile = [
    "Old Library", " leading and trailing ", "a/b\\c", "🏛️👩‍🏫", "مكتبة الجامعة", "\u{202E}reversed",
    "tab\there",
    "line\u{2028}separator\u{85}", "quote\"'`", "{\"a\":1}", "%s %n", "e\u{301}", "\u{E9}", "null",
    "-1", "0",
    String(repeating: "塔", count: 200),
  ]

  @Test("Appends labels as lines")
  func hostileLabels() throws {
    let labels = [Graph.notACampusBuilding] + Self.hostile
    let bytes = try Self.model(labels: labels).bytes()
    let lines = Array(("labels.txt" + labels.map { $0 + "\n" }.joined()).utf8)
    let behind = bytes.suffix(2 * lines.count + 20_000)
    #expect(behind.indices.contains { behind[$0...].starts(with: lines) })
  }

  @Test(
    "Rejects labels with line breaks",
    arguments: ["two\nlines", "carriage\rreturn", "", "nul\0"])
  func noLines(label: String) {
    #expect(throws: ExportError.textForTFLite(label)) {
      try Self.model(labels: [Graph.notACampusBuilding, label])
    }
  }
}

@Suite("FlatBuffer")
struct FlatBufferTests {
  @Test("Writes all kinds of values")
  func kinds() {
    let table: FlatBufferTable = [
      0: .int8(-3), 1: .uint32(.max), 3: .bool(true), 4: .text("é塔"), 5: .bytes([1, 2, 3]),
      6: .int32s([1, -1]), 7: .float32(-0.5), 8: .table([2: .int32(.min)]),
      9: .tables([[0: .int32(7)], [0: .int32(8)]]), 11: .float32s([2]), 12: nil,
      13: .int64s([1 << 40]), 14: .uint8(200),
    ]
    let root = ParsedTable(FlatBufferWriter.bytes(root: table, identifier: "TEST"))
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

  @Test("Aligns vectors")
  func alignment() {
    for count in 0..<40 {
      let file = FlatBufferWriter.bytes(
        root: [
          0: .text(String(repeating: "x", count: count)), 1: .bytes([1]), 2: .int64s([1]),
          3: .float32s([1]),
        ], identifier: "TEST")
      let root = ParsedTable(file)
      #expect(root.vector(1).start % 16 == 0)
      #expect(root.vector(2).start % 8 == 0)
      #expect(root.vector(3).start % 4 == 0)
    }
  }

  @Test("Agrees with the format description")
  func bytes() {
    let file = FlatBufferWriter.bytes(root: [0: .uint8(7), 2: .text("ab")], identifier: "TEST")
    #expect(
      file == [
        20, 0, 0, 0, 0x54, 0x45, 0x53, 0x54,  // the root table is at 20; TEST
        10, 0, 9, 0, 8, 0, 0, 0, 4, 0,  // vtable: 10 bytes, table of 9; slots at 8, none, 4
        0, 0,
        12, 0, 0, 0,  // table: the vtable is 12 bytes before
        8, 0, 0, 0, 7,  // the text is 8 bytes after; 7
        0, 0, 0, 2, 0, 0, 0, 0x61, 0x62, 0,
      ])
  }

  @Test("Writes equal vtables once")
  func once() {
    func size(_ count: Int32) -> Int {
      let tables = (0..<count).map { FlatBufferTable(dictionaryLiteral: (5, .int32($0))) }
      return FlatBufferWriter.bytes(root: [0: .tables(tables)], identifier: "TEST").count
    }
    // An offset, the distance to the vtable, and the number.
    #expect(size(101) - size(100) == 12)
  }

  @Test("Writes equal leaves once, after their references")
  func shared() {
    func table(_ last: Int32) -> FlatBufferTable {
      [0: .int32s([1, 2, last]), 1: .text("text"), 2: .table([1: .float32(0.5)])]
    }
    func file(_ tables: [FlatBufferTable]) -> [UInt8] {
      FlatBufferWriter.bytes(root: [0: .tables(tables)], identifier: "TEST")
    }
    // An offset to the table, the distance to its vtable, and three offsets; the list differs.
    #expect(file([table(3), table(3)]).count - file([table(3)]).count == 20)
    #expect(file([table(3), table(4)]).count - file([table(3), table(3)]).count == 16)
    let root = ParsedTable(file([table(3), table(4)]))
    for (read, last) in zip(root.tables(0), [3, 4]) {
      #expect(read.integers(0, bytes: 4) == [1, 2, last])
      #expect(read.text(1) == "text")
      #expect(read.table(2)?.integer(1, bytes: 4) == 0x3F00_0000)
    }
  }
}

@Suite("ZipWriter")
struct ZipWriterTests {
  @Test("CRC-32 has the check value of CRC-32/ISO-HDLC")
  func check() {
    #expect(CRC32.of(Array("123456789".utf8)) == 0xCBF4_3926)
    #expect(CRC32.of([]) == 0)
  }

  @Test("Agrees with PKWARE's description")
  func bytes() {
    var file: [UInt8] = [9, 9, 9]
    var archive = ZipWriter(after: file.count)
    file += archive.entry("é", Array("123456789".utf8)) + archive.end
    let name: [UInt8] = [0xC3, 0xA9]
    let common: [UInt8] = [
      20, 0, 0, 8, 0, 0, 0, 0, 0x21, 0,  // version 2.0; UTF-8; stored; January 1, 1980
      0x26, 0x39, 0xF4, 0xCB, 9, 0, 0, 0, 9, 0, 0, 0, 2, 0,  // CRC-32; both sizes; name length
    ]
    let local: [UInt8] = [0x50, 0x4B, 3, 4] + common + [0, 0] + name + Array("123456789".utf8)
    let central: [UInt8] =
      [0x50, 0x4B, 1, 2, 20, 0] + common + [UInt8](repeating: 0, count: 12) + [3, 0, 0, 0] + name
    let end: [UInt8] = [
      0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0,  // one disk; one file on it and in total
      48, 0, 0, 0, 44, 0, 0, 0, 0, 0,  // the directory's size and offset; no comment
    ]
    #expect(file == [9, 9, 9] + local + central + end)
  }
}

// 1. A table stores values by the slot numbers in its schema.
// 2. Write tables from front to back. Write equal vtables once.
// 3. Write vectors, strings and tables of scalars after all other tables. Write equal ones once.

/// A FlatBuffers table. The keys are the slot numbers in its schema.
struct FlatBufferTable: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// The types of fields in TFLite files.
  indirect enum Field: Hashable, Sendable {
    case int8(Int8)
    case uint8(UInt8)
    case bool(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case float32(Float)
    case text(String)
    /// A vector of bytes, aligned to 16 bytes.
    case bytes([UInt8])
    case int32s([Int32])
    case int64s([Int64])
    case float32s([Float])
    case table(FlatBufferTable)
    case tables([FlatBufferTable])
  }

  private(set) var values: [Int: Field] = [:]

  /// Creates a table. A slot with `nil` keeps its default value.
  init(dictionaryLiteral elements: (Int, Field?)...) {
    for (slot, value) in elements { values[slot] = value }
  }
}

extension FlatBufferTable.Field {
  /// A scalar's bytes; `nil` for values that are stored outside the table.
  var scalar: [UInt8]? {
    switch self {
    case .int8(let value): [UInt8(bitPattern: value)]
    case .uint8(let value): [value]
    case .bool(let value): [value ? 1 : 0]
    case .int32(let value): UInt32(bitPattern: value).littleEndianBytes
    case .uint32(let value): value.littleEndianBytes
    case .float32(let value): value.bitPattern.littleEndianBytes
    case .text, .bytes, .int32s, .int64s, .float32s, .table, .tables: nil
    }
  }

  /// Whether the value is stored outside the table and contains no references. Equal leaves are written once.
  var isLeaf: Bool {
    switch self {
    case .tables: false
    case .table(let table): table.values.values.allSatisfy { $0.scalar != nil }
    default: scalar == nil
    }
  }
}

/// Writes tables in the FlatBuffers format (see its "Internals" page). A table precedes the values that it refers to.
struct FlatBufferWriter {
  private var bytes: [UInt8] = []
  private var vtables: [[UInt16]: Int] = [:]
  /// Leaves to write, and the offsets that refer to them.
  private var leaves: [FlatBufferTable.Field] = []
  private var pointers: [FlatBufferTable.Field: [Int]] = [:]

  /// Returns a file: the root table's offset, a four-letter identifier, and the tables.
  static func bytes(root: FlatBufferTable, identifier: String) -> [UInt8] {
    precondition(
      identifier.utf8.count == 4, "file identifier must have 4 bytes, not \(identifier.utf8.count)")
    var writer = FlatBufferWriter()
    writer.append(UInt32(0))
    writer.bytes += Array(identifier.utf8)
    writer.point(from: 0, to: writer.write(root))
    for leaf in writer.leaves {
      guard let target = writer.writeTarget(of: leaf) else { continue }
      for place in writer.pointers[leaf] ?? [] { writer.point(from: place, to: target) }
    }
    return writer.bytes
  }

  // MARK: - Tables

  /// Appends a table and all values that it refers to. Returns the table's offset.
  private mutating func write(_ table: FlatBufferTable) -> Int {
    let slots = table.values.keys.sorted()
    // Write the widest values first, so that no padding is needed.
    let narrow = slots.filter { table.values[$0]?.scalar?.count == 1 }
    let wide = slots.filter { !narrow.contains($0) }
    var vtable = [UInt16](repeating: 0, count: 2 + (slots.last ?? -1) + 1)
    vtable[0] = UInt16(2 * vtable.count)
    vtable[1] = UInt16(4 + 4 * wide.count + narrow.count)
    for (index, slot) in wide.enumerated() { vtable[2 + slot] = UInt16(4 + 4 * index) }
    for (index, slot) in narrow.enumerated() {
      vtable[2 + slot] = UInt16(4 + 4 * wide.count + index)
    }
    let vtablePlace = place(ofVtable: vtable)
    align(4)
    let start = bytes.count
    append(UInt32(bitPattern: Int32(start - vtablePlace)))
    // The offsets of values that are stored elsewhere are filled in later.
    for slot in wide + narrow { bytes += table.values[slot]?.scalar ?? [0, 0, 0, 0] }
    for slot in slots {
      guard let value = table.values[slot] else { continue }
      let place = start + Int(vtable[2 + slot])
      if value.isLeaf {
        if pointers[value] == nil { leaves.append(value) }
        pointers[value, default: []].append(place)
      } else if let target = writeTarget(of: value) {
        point(from: place, to: target)
      }
    }
    return start
  }

  private mutating func place(ofVtable vtable: [UInt16]) -> Int {
    if let known = vtables[vtable] { return known }
    align(2)
    let place = bytes.count
    bytes += vtable.flatMap(\.littleEndianBytes)
    vtables[vtable] = place
    return place
  }

  // MARK: - Values outside tables

  /// Appends a value that is stored outside its table. Returns its position; `nil` for scalars.
  private mutating func writeTarget(of value: FlatBufferTable.Field) -> Int? {
    switch value {
    case .int8, .uint8, .bool, .int32, .uint32, .float32: return nil
    case .text(let text):
      return write(Array(text.utf8) + [0], count: text.utf8.count, alignment: 4)
    case .bytes(let values): return write(values, count: values.count, alignment: 16)
    case .int32s(let values):
      let bytes = values.flatMap { UInt32(bitPattern: $0).littleEndianBytes }
      return write(bytes, count: values.count, alignment: 4)
    case .int64s(let values):
      let bytes = values.flatMap { UInt64(bitPattern: $0).littleEndianBytes }
      return write(bytes, count: values.count, alignment: 8)
    case .float32s(let values):
      return write(
        values.flatMap(\.bitPattern.littleEndianBytes), count: values.count, alignment: 4)
    case .table(let table): return write(table)
    case .tables(let tables): return write(tables)
    }
  }

  private mutating func write(_ tables: [FlatBufferTable]) -> Int {
    let room = [UInt8](repeating: 0, count: 4 * tables.count)
    let start = write(room, count: tables.count, alignment: 4)
    for (index, table) in tables.enumerated() {
      point(from: start + 4 + 4 * index, to: write(table))
    }
    return start
  }

  /// Appends a vector whose first element is aligned. Returns the offset of its length.
  private mutating func write(_ values: [UInt8], count: Int, alignment: Int) -> Int {
    while (bytes.count + 4) % alignment != 0 { bytes.append(0) }
    append(UInt32(count))
    bytes += values
    return bytes.count - values.count - 4
  }

  // MARK: - Bytes

  private mutating func align(_ alignment: Int) {
    while bytes.count % alignment != 0 { bytes.append(0) }
  }

  private mutating func append(_ value: UInt32) { bytes += value.littleEndianBytes }

  private mutating func point(from place: Int, to target: Int) {
    bytes.replaceSubrange(place..<place + 4, with: UInt32(target - place).littleEndianBytes)
  }
}

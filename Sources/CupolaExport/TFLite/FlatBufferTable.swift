/// A FlatBuffers table to be written: values by the slot numbers of its schema.
struct FlatBufferTable: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// What may stand in a slot: as much of the format as TFLite files need.
  indirect enum Field: Hashable, Sendable {
    case int8(Int8)
    case uint8(UInt8)
    case bool(Bool)
    case int32(Int32)
    case uint32(UInt32)
    case float32(Float)
    case text(String)
    /// A vector of bytes; the first stands at a multiple of 16.
    case bytes([UInt8])
    case int32s([Int32])
    case int64s([Int64])
    case float32s([Float])
    case table(FlatBufferTable)
    case tables([FlatBufferTable])
  }

  /// What the slots hold; others are left at their defaults.
  var values: [Int: Field]

  /// Slots and what they hold; `nil` leaves a slot at its default.
  init(dictionaryLiteral elements: (Int, Field?)...) {
    var values: [Int: Field] = [:]
    for (slot, value) in elements { values[slot] = value }
    self.values = values
  }

  init(_ values: [Int: Field]) { self.values = values }

  /// The slots in use, lowest first.
  var slots: [Int] { values.keys.sorted() }
}

extension FlatBufferTable.Field {
  /// Whether it points to what points nowhere, of which equal ones need to stand only once.
  var isLeaf: Bool {
    switch self {
    case .tables: false
    case .table(let table): table.values.values.allSatisfy(\.isScalar)
    default: !isScalar
    }
  }

  /// Whether it stands in the table itself.
  private var isScalar: Bool {
    switch self {
    case .int8, .uint8, .bool, .int32, .uint32, .float32: true
    default: false
    }
  }

  /// How many bytes of the table it takes: itself, or an offset to it.
  var size: Int {
    switch self {
    case .int8, .uint8, .bool: 1
    default: 4
    }
  }
}

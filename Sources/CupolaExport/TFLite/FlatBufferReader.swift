/// Reads the FlatBuffers format from bytes that nobody vouches for: whatever would lie outside of the
/// file throws.
struct FlatBufferReader: Sendable {
  private let bytes: [UInt8]

  /// What is wrong with the bytes.
  enum Fault: Error, Equatable {
    /// The file does not begin with the identifier asked for.
    case wrongIdentifier
    /// Something is said to stand outside of the file.
    case outside(at: Int)
    /// A text that is no UTF-8.
    case notUTF8(at: Int)
    /// A vector longer than what is accepted.
    case tooLong(at: Int, count: Int)
  }

  /// One table, by the slot numbers of its schema.
  struct Table: Sendable {
    fileprivate let reader: FlatBufferReader
    fileprivate let start: Int
    /// Distances of the slots from `start`; 0 for those that are not there.
    fileprivate let slots: [Int]
  }

  /// Longer vectors of tables or numbers are refused, so that a small file cannot claim much memory.
  static let maximumCount = 1 << 12

  /// Looks at bytes without reading them.
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The root table of a file with an identifier.
  func root(identifier: String) throws -> Table {
    guard bytes.count >= 8, Array(bytes[4..<8]) == Array(identifier.utf8) else {
      throw Fault.wrongIdentifier
    }
    return try table(at: Int(try uint32(at: 0)))
  }

  // MARK: - Places

  fileprivate func check(_ place: Int, count: Int) throws {
    guard place >= 0, count >= 0, place <= bytes.count, count <= bytes.count - place else {
      throw Fault.outside(at: place)
    }
  }

  fileprivate func byte(at place: Int) throws -> UInt8 {
    try check(place, count: 1)
    return bytes[place]
  }

  private func uint16(at place: Int) throws -> Int {
    try check(place, count: 2)
    return Int(bytes[place]) | Int(bytes[place + 1]) << 8
  }

  fileprivate func uint32(at place: Int) throws -> UInt32 {
    try check(place, count: 4)
    return UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8 | UInt32(bytes[place + 2]) << 16
      | UInt32(bytes[place + 3]) << 24
  }

  fileprivate func table(at start: Int) throws -> Table {
    let distance = Int(Int32(bitPattern: try uint32(at: start)))
    let vtable = start - distance
    let vtableSize = try uint16(at: vtable)
    let tableSize = try uint16(at: vtable + 2)
    guard vtableSize >= 4, vtableSize % 2 == 0, tableSize >= 4 else {
      throw Fault.outside(at: vtable)
    }
    try check(vtable, count: vtableSize)
    try check(start, count: tableSize)
    let slots = try stride(from: 4, to: vtableSize, by: 2).map { try uint16(at: vtable + $0) }
    guard slots.allSatisfy({ $0 == 0 || (4..<tableSize).contains($0) }) else {
      throw Fault.outside(at: vtable)
    }
    return Table(reader: self, start: start, slots: slots)
  }

  /// Where an offset leads.
  fileprivate func target(at place: Int) throws -> Int { place + Int(try uint32(at: place)) }

  /// Where the elements of a vector stand, and how many there are.
  fileprivate func vector(at start: Int, elementSize: Int) throws -> (start: Int, count: Int) {
    let count = Int(try uint32(at: start))
    try check(start + 4, count: count * elementSize)
    return (start + 4, count)
  }

  fileprivate func slice(_ range: Range<Int>) -> ArraySlice<UInt8> { bytes[range] }
}

// MARK: - Slots

extension FlatBufferReader.Table {
  /// The slots that are not left at their defaults.
  var used: Set<Int> { Set(slots.indices.filter { slots[$0] != 0 }) }

  private func place(_ slot: Int) -> Int? {
    guard slot < slots.count, slots[slot] != 0 else { return nil }
    return start + slots[slot]
  }

  /// A byte with a sign.
  func int8(_ slot: Int, default missing: Int8 = 0) throws -> Int {
    Int(try place(slot).map { Int8(bitPattern: try reader.byte(at: $0)) } ?? missing)
  }

  /// A byte.
  func uint8(_ slot: Int) throws -> Int {
    Int(try place(slot).map { try reader.byte(at: $0) } ?? 0)
  }

  /// Whether a byte is not 0.
  func bool(_ slot: Int) throws -> Bool { try uint8(slot) != 0 }

  /// A number with a sign.
  func int32(_ slot: Int, default missing: Int32 = 0) throws -> Int {
    Int(try place(slot).map { Int32(bitPattern: try reader.uint32(at: $0)) } ?? missing)
  }

  /// A number without a sign.
  func uint32(_ slot: Int) throws -> Int {
    Int(try place(slot).map { try reader.uint32(at: $0) } ?? 0)
  }

  /// A floating-point number.
  func float32(_ slot: Int) throws -> Float {
    Float(bitPattern: try place(slot).map { try reader.uint32(at: $0) } ?? 0)
  }

  /// A text; `nil` if there is none.
  func text(_ slot: Int) throws -> String? {
    guard let place = place(slot) else { return nil }
    let (start, count) = try reader.vector(at: try reader.target(at: place), elementSize: 1)
    guard let text = String(validating: reader.slice(start..<start + count), as: UTF8.self) else {
      throw FlatBufferReader.Fault.notUTF8(at: start)
    }
    return text
  }

  /// Bytes and where they stand; empty if there are none.
  func bytes(_ slot: Int) throws -> ArraySlice<UInt8> {
    guard let place = place(slot) else { return [] }
    let (start, count) = try reader.vector(at: try reader.target(at: place), elementSize: 1)
    return reader.slice(start..<start + count)
  }

  /// Numbers with signs; empty if there are none.
  func int32s(_ slot: Int) throws -> [Int] {
    try elements(slot, size: 4).map { Int(Int32(bitPattern: try reader.uint32(at: $0))) }
  }

  /// Long numbers with signs; empty if there are none.
  func int64s(_ slot: Int, limit: Int = FlatBufferReader.maximumCount) throws -> [Int64] {
    try elements(slot, size: 8, limit: limit).map { place in
      let low = UInt64(try reader.uint32(at: place))
      return Int64(bitPattern: low | UInt64(try reader.uint32(at: place + 4)) << 32)
    }
  }

  /// Floating-point numbers; empty if there are none.
  func float32s(_ slot: Int, limit: Int = FlatBufferReader.maximumCount) throws -> [Float] {
    try elements(slot, size: 4, limit: limit).map { Float(bitPattern: try reader.uint32(at: $0)) }
  }

  /// A table; `nil` if there is none.
  func table(_ slot: Int) throws -> FlatBufferReader.Table? {
    try place(slot).map { try reader.table(at: try reader.target(at: $0)) }
  }

  /// Tables; empty if there are none.
  func tables(_ slot: Int) throws -> [FlatBufferReader.Table] {
    try elements(slot, size: 4).map { try reader.table(at: try reader.target(at: $0)) }
  }

  /// Where the elements of a vector stand.
  private func elements(
    _ slot: Int, size: Int, limit: Int = FlatBufferReader.maximumCount
  ) throws -> [Int] {
    guard let place = place(slot) else { return [] }
    let (start, count) = try reader.vector(at: try reader.target(at: place), elementSize: size)
    guard count <= limit else {
      throw FlatBufferReader.Fault.tooLong(at: start, count: count)
    }
    return (0..<count).map { start + $0 * size }
  }
}

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// A safetensors file in memory: named tensors and text metadata.
///
/// Layout: the header's size as a little-endian 64-bit number, the header as JSON, then the tensors'
/// bytes without gaps. Written with sorted keys and 8-byte alignment, equal contents are equal files.
package struct SafeTensors: Equatable, Sendable {
  /// One tensor: its element type, its shape, and its elements' bytes, little-endian, row-major.
  package struct Tensor: Equatable, Sendable {
    /// `F32`, `F16`, `I8`, ... as safetensors names them.
    package let type: String
    package let shape: [Int]
    package let bytes: [UInt8]

    package init(type: String, shape: [Int], bytes: [UInt8]) {
      self.type = type
      self.shape = shape
      self.bytes = bytes
    }
  }

  /// Tensors by name.
  package var tensors: [String: Tensor] = [:]
  /// Texts by name.
  package var metadata: [String: String] = [:]

  package init() {}

  /// A longer header is neither written nor read: the format's own library reads none either.
  package static let maximumHeaderBytes = 100_000_000

  private static let sizes = [
    "BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2, "I32": 4, "U32": 4,
    "F32": 4, "I64": 8, "U64": 8, "F64": 8,
  ]

  // MARK: - Reading

  private struct Entry: Codable {
    let dtype: String
    let shape: [Int]
    let offsets: [Int]

    enum CodingKeys: String, CodingKey {
      case dtype, shape
      case offsets = "data_offsets"
    }
  }

  private struct Header: Decodable {
    var metadata: [String: String] = [:]
    var entries: [String: Entry] = [:]

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: AnyKey.self)
      for key in container.allKeys {
        if key.stringValue == "__metadata__" {
          metadata = try container.decode([String: String].self, forKey: key)
        } else {
          entries[key.stringValue] = try container.decode(Entry.self, forKey: key)
        }
      }
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads a file and checks every claim of its header.
  ///
  /// - Throws: ``CupolaError/badModel(_:)``.
  package init(bytes: [UInt8]) throws {
    guard bytes.count >= 8 else { throw CupolaError.badModel(.notSafetensors) }
    let claimed = bytes.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard bytes.count > 8, bytes[8] == UInt8(ascii: "{") else {
      throw CupolaError.badModel(.notSafetensors)
    }
    guard claimed <= UInt64(min(Self.maximumHeaderBytes, bytes.count - 8)) else {
      throw CupolaError.badModel(.badHeaderSize(claimed))
    }
    let start = 8 + Int(claimed)
    let header: Header
    do {
      header = try JSONDecoder().decode(Header.self, from: Data(bytes[8..<start]))
    } catch {
      throw CupolaError.badModel(.badHeader("not the JSON of safetensors"))
    }
    metadata = header.metadata
    try readTensors(header, bytes[start...])
  }

  private mutating func readTensors(_ header: Header, _ data: ArraySlice<UInt8>) throws {
    var next = 0
    // A tensor without elements begins where the next one does, and comes first.
    let ordered = header.entries.sorted { a, b in
      (a.value.offsets.first ?? 0, a.value.offsets.last ?? 0, a.key)
        < (b.value.offsets.first ?? 0, b.value.offsets.last ?? 0, b.key)
    }
    for (name, entry) in ordered {
      guard entry.offsets.count == 2, entry.offsets[0] == next, entry.offsets[1] >= next else {
        throw CupolaError.badModel(.badOffsets(tensor: name))
      }
      guard Self.byteCount(entry) == entry.offsets[1] - next else {
        throw CupolaError.badModel(.badShape(tensor: name))
      }
      guard entry.offsets[1] <= data.count else {
        let expected = ordered.map { $0.value.offsets.last ?? 0 }.max() ?? 0
        throw CupolaError.badModel(.wrongSize(expected: expected, found: data.count))
      }
      let range = data.startIndex + next..<data.startIndex + entry.offsets[1]
      tensors[name] = Tensor(type: entry.dtype, shape: entry.shape, bytes: Array(data[range]))
      next = entry.offsets[1]
    }
    guard next == data.count else {
      throw CupolaError.badModel(.wrongSize(expected: next, found: data.count))
    }
  }

  /// What shape and type make up; `nil` when they are impossible.
  private static func byteCount(_ entry: Entry) -> Int? {
    guard var count = sizes[entry.dtype] else { return nil }
    for side in entry.shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: side)
      guard side >= 0, !overflow else { return nil }
      count = product
    }
    return count
  }

  // MARK: - Writing

  private struct Contents: Encodable {
    let metadata: [String: String]
    let entries: [String: Entry]

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: AnyKey.self)
      try container.encode(metadata, forKey: AnyKey(stringValue: "__metadata__"))
      for (name, entry) in entries {
        try container.encode(entry, forKey: AnyKey(stringValue: name))
      }
    }
  }

  /// The file: equal contents give equal bytes.
  ///
  /// - Throws: ``CupolaError/badModel(_:)`` when nobody could read it, because the texts are too large.
  package func bytes() throws -> [UInt8] {
    var entries: [String: Entry] = [:]
    var data: [UInt8] = []
    // Wider elements first keeps every tensor aligned without gaps.
    let names = tensors.keys.sorted { a, b in
      let widths = [a, b].map { Self.sizes[tensors[$0]?.type ?? ""] ?? 1 }
      return widths[0] != widths[1] ? widths[0] > widths[1] : a < b
    }
    for name in names {
      guard let tensor = tensors[name] else { continue }
      entries[name] = Entry(
        dtype: tensor.type, shape: tensor.shape,
        offsets: [data.count, data.count + tensor.bytes.count])
      data += tensor.bytes
    }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    var header = [UInt8](try encoder.encode(Contents(metadata: metadata, entries: entries)))
    while !header.count.isMultiple(of: 8) { header.append(UInt8(ascii: " ")) }
    guard header.count <= Self.maximumHeaderBytes else {
      throw CupolaError.badModel(
        .headerTooLarge(bytes: header.count, limit: Self.maximumHeaderBytes))
    }
    let size = (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) }
    return size + header + data
  }
}

extension SafeTensors.Tensor {
  /// Floats as a tensor.
  package init(floats: [Float], shape: [Int]) {
    precondition(floats.count == shape.reduce(1, *), "\(floats.count) values of shape \(shape)")
    var bytes: [UInt8] = []
    bytes.reserveCapacity(floats.count * 4)
    for value in floats {
      let bits = value.bitPattern
      for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: bits >> (8 * byte))) }
    }
    self.init(type: "F32", shape: shape, bytes: bytes)
  }

  /// The elements of a tensor of type `F32`; `nil` for other types.
  package var floats: [Float]? {
    guard type == "F32" else { return nil }
    let count = bytes.count / 4
    return [Float](capacity: count) { appendFloats(0..<count, to: &$0) }
  }

  /// Adds some of these elements to others.
  func appendFloats(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    let bytes = bytes.span.extracting(4 * elements.lowerBound..<4 * elements.upperBound)
    for index in 0..<elements.count {
      let at = 4 * index
      let low = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8
      let high = UInt32(bytes[at + 2]) | UInt32(bytes[at + 3]) << 8
      output.append(Float(bitPattern: low | high << 16))
    }
  }
}

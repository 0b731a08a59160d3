internal import CupolaCampus

// 1. `headerSize` reads the first 9 bytes and compares them with the file size.
// 2. The header is parsed as JSON with a limit on the number of tensors.
// 3. The tensors are sorted by offset; gaps, overlaps, and wrong shapes are rejected.

/// The header of a safetensors file: its metadata and the location of each tensor.
package struct SafeTensorsIndex: Equatable, Sendable {
  package struct Place: Equatable, Sendable {
    package let type: String
    package let shape: [Int]
    package let bytes: Range<Int>
  }

  package private(set) var places: [String: Place] = [:]
  package let metadata: [String: String]

  private struct Entry {
    let dtype: String
    let shape: [Int]
    let offsets: [Int]

    init?(_ value: JSONValue) {
      guard case .object(let members) = value, case .string(let dtype) = members["dtype"],
        let shape = Self.numbers(members["shape"]),
        let offsets = Self.numbers(members["data_offsets"])
      else { return nil }
      (self.dtype, self.shape, self.offsets) = (dtype, shape, offsets)
    }

    private static func numbers(_ value: JSONValue?) -> [Int]? {
      guard case .array(let values) = value else { return nil }
      let numbers = values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
      return numbers.count == values.count ? numbers : nil
    }
  }

  private struct Header {
    var metadata: [String: String] = [:]
    var entries: [String: Entry] = [:]

    init?(_ json: JSONValue) {
      guard case .object(let members) = json else { return nil }
      for (name, value) in members {
        if name == "__metadata__" {
          guard case .object(let texts) = value else { return nil }
          for (key, text) in texts {
            guard case .string(let text) = text else { return nil }
            metadata[key] = text
          }
        } else {
          guard let entry = Entry(value) else { return nil }
          entries[name] = entry
        }
      }
    }
  }

  /// Reads only the header of a file.
  /// - Parameter mostTensors: The maximum number of tensors, enforced before the header is decoded.
  package init(path: String, mostTensors: Int = .max) throws {
    let fileSize = try FileAccess.size(of: path)
    let size = try Self.headerSize(
      try FileAccess.read(path, bytes: 0..<min(9, fileSize))[...], fileSize: fileSize)
    let header = try FileAccess.read(path, bytes: 8..<8 + size)
    try self.init(header: header[...], fileSize: fileSize, mostTensors: mostTensors)
  }

  /// Reads the header of a file in memory.
  package init(of bytes: [UInt8], mostTensors: Int = .max) throws {
    let size = try Self.headerSize(bytes.prefix(9), fileSize: bytes.count)
    try self.init(header: bytes[8..<8 + size], fileSize: bytes.count, mostTensors: mostTensors)
  }

  /// Returns the size of the header in bytes, given at least the first 9 bytes of the file.
  static func headerSize(_ head: ArraySlice<UInt8>, fileSize: Int) throws -> Int {
    guard head.count > 8, head[head.startIndex + 8] == UInt8(ascii: "{") else {
      throw CupolaError.badModel(.notSafetensors)
    }
    let claimed = head.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard claimed <= UInt64(min(SafeTensors.maximumHeaderBytes, fileSize - 8)) else {
      throw CupolaError.badModel(.badHeaderSize(claimed))
    }
    return Int(claimed)
  }

  /// Validates a header.
  init(header bytes: ArraySlice<UInt8>, fileSize: Int, mostTensors: Int = .max) throws {
    guard let header = Header(try Self.json(bytes, mostTensors)) else {
      throw CupolaError.badModel(.badHeader("not a safetensors header"))
    }
    guard header.entries.count <= mostTensors else { throw Self.tooMany(mostTensors) }
    metadata = header.metadata
    let start = 8 + bytes.count
    let size = fileSize - start
    var next = 0
    // An empty tensor has the same start as the tensor after it and must come first.
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
      guard entry.offsets[1] <= size else {
        let expected = ordered.map { $0.value.offsets.last ?? 0 }.max() ?? 0
        throw CupolaError.badModel(.wrongSize(expected: expected, found: size))
      }
      places[name] = Place(
        type: entry.dtype, shape: entry.shape, bytes: start + next..<start + entry.offsets[1])
      next = entry.offsets[1]
    }
    guard next == size else {
      throw CupolaError.badModel(.wrongSize(expected: next, found: size))
    }
  }

  /// Parses a header. The limit on JSON values follows from the limit on tensors.
  private static func json(
    _ bytes: ArraySlice<UInt8>, _ mostTensors: Int
  ) throws(CupolaError) -> JSONValue {
    // Each tensor needs an object, a string, and two number arrays; the metadata needs a few strings.
    let values = mostTensors < 10_000 ? 64 * (mostTensors + 16) : 4_000_000
    do throws(JSONFault) {
      return try JSONReader.value(of: Array(bytes), limits: .init(depth: 3, values: values))
    } catch {
      switch error.kind {
      case .tooManyValues where mostTensors < .max: throw tooMany(mostTensors)
      case .tooDeep: throw .badModel(.badHeader("nested too deeply"))
      default: throw .badModel(.badHeader("not a safetensors header"))
      }
    }
  }

  private static func tooMany(_ most: Int) -> CupolaError {
    .badModel(.inconsistent("more than \(most) tensors"))
  }

  private static func byteCount(_ entry: Entry) -> Int? {
    guard var count = SafeTensors.sizes[entry.dtype] else { return nil }
    for side in entry.shape {
      let (product, overflow) = count.multipliedReportingOverflow(by: side)
      guard side >= 0, !overflow else { return nil }
      count = product
    }
    return count
  }
}

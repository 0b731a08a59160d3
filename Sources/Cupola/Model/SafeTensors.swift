internal import CupolaCampus

// 1. To read a file, `SafeTensorsIndex` checks the header; the tensors share the file's bytes.
// 2. To write a file, `ordered` sorts the tensors by element width and name.
// 3. `head` creates the header, which is followed by the tensors' bytes.
// 4. `Tensor` converts between floats and bytes.

/// A safetensors file in memory: named tensors and text metadata.
/// A file consists of the header size as a little-endian 64-bit number, the header as JSON, and the tensors' bytes
/// without gaps. Keys are sorted and data is aligned to 8 bytes, so equal contents produce equal files.
package struct SafeTensors: Equatable, Sendable {
  /// A tensor with row-major, little-endian elements.
  package struct Tensor: Equatable, Sendable {
    /// The safetensors name of the element type, such as `F32`, `F16`, or `I8`.
    package let type: String
    package let shape: [Int]
    /// The array that holds the bytes. Tensors that were read from a file share the file's array.
    private let holder: [UInt8]
    private let place: Range<Int>

    package init(type: String, shape: [Int], bytes: [UInt8]) {
      self.init(type: type, shape: shape, in: bytes, at: bytes.indices)
    }

    fileprivate init(type: String, shape: [Int], in holder: [UInt8], at place: Range<Int>) {
      (self.type, self.shape, self.holder, self.place) = (type, shape, holder, place)
    }

    package var bytes: [UInt8] { place == holder.indices ? holder : Array(holder[place]) }

    var span: Span<UInt8> {
      @_lifetime(borrow self) get { holder.span.extracting(place) }
    }

    package static func == (a: Tensor, b: Tensor) -> Bool {
      a.type == b.type && a.shape == b.shape && a.holder[a.place] == b.holder[b.place]
    }
  }

  package var tensors: [String: Tensor] = [:]
  package var metadata: [String: String] = [:]

  package init() {}

  /// The header size limit of the safetensors reference implementation.
  static let maximumHeaderBytes = 100_000_000

  static let sizes = [
    "BOOL": 1, "U8": 1, "I8": 1, "I16": 2, "U16": 2, "F16": 2, "BF16": 2, "I32": 4, "U32": 4,
    "F32": 4, "I64": 8, "U64": 8, "F64": 8,
  ]

  // MARK: - Reading

  /// Reads a file and validates its header.
  /// - Parameter mostTensors: The maximum number of tensors, enforced before the header is decoded because decoding a
  ///   header with 100,000 tensors takes seconds.
  package init(bytes: [UInt8], mostTensors: Int = .max) throws {
    let index = try SafeTensorsIndex(of: bytes, mostTensors: mostTensors)
    metadata = index.metadata
    tensors = index.places.mapValues { place in
      Tensor(type: place.type, shape: place.shape, in: bytes, at: place.bytes)
    }
  }

  // MARK: - Writing

  /// Returns the content of the file. Equal contents produce equal bytes.
  package func bytes() throws -> [UInt8] {
    let ordered = Self.ordered(tensors)
    let head = try Self.head(
      ordered.map { ($0.name, $0.tensor.type, $0.tensor.shape) }, metadata: metadata)
    return ordered.reduce(into: head) { $0 += $1.tensor.bytes }
  }

  /// Returns the tensors in file order: wider elements first, which aligns every tensor without gaps.
  package static func ordered(
    _ tensors: [String: Tensor]
  ) -> [(name: String, tensor: Tensor)] {
    tensors.map { (name: $0, tensor: $1) }.sorted { a, b in
      let widths = [a, b].map { Self.sizes[$0.tensor.type] ?? 1 }
      return widths[0] != widths[1] ? widths[0] > widths[1] : a.name < b.name
    }
  }

  /// Returns the part of a file that precedes the tensors' bytes.
  /// - Parameter tensors: The tensors in file order.
  package static func head(
    _ tensors: [(name: String, type: String, shape: [Int])], metadata: [String: String]
  ) throws -> [UInt8] {
    var members = ["__metadata__": JSONValue.object(metadata.mapValues(JSONValue.string))]
    var end = 0
    for tensor in tensors {
      let start = end
      end += tensor.shape.reduce(Self.sizes[tensor.type] ?? 1, *)
      members[tensor.name] = .object([
        "dtype": .string(tensor.type), "shape": .array(tensor.shape.map(JSONValue.integer)),
        "data_offsets": .array([.integer(start), .integer(end)]),
      ])
    }
    var header = Array(try ModelFile.json(JSONValue.object(members)).utf8)
    while !header.count.isMultiple(of: 8) { header.append(UInt8(ascii: " ")) }
    guard header.count <= Self.maximumHeaderBytes else {
      throw CupolaError.badModel(
        .headerTooLarge(bytes: header.count, limit: Self.maximumHeaderBytes))
    }
    return (0..<8).map { UInt8(truncatingIfNeeded: header.count >> (8 * $0)) } + header
  }
}

extension SafeTensors.Tensor {
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

  package var floats: [Float]? {
    guard type == "F32" else { return nil }
    let count = span.count / 4
    return [Float](capacity: count) { appendFloats(0..<count, to: &$0) }
  }

  func appendFloats(_ elements: Range<Int>, to output: inout OutputSpan<Float>) {
    let bytes = span.extracting(4 * elements.lowerBound..<4 * elements.upperBound)
    for index in 0..<elements.count {
      let at = 4 * index
      let low = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8
      let high = UInt32(bytes[at + 2]) | UInt32(bytes[at + 3]) << 8
      output.append(Float(bitPattern: low | high << 16))
    }
  }
}

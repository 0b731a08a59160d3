import CupolaTestSupport
import Testing

@testable import Cupola

@Suite("SafeTensors") struct SafeTensorsTests {
  static func file(_ header: String, data: Int = 0, claimed: UInt64? = nil) -> [UInt8] {
    let size = claimed ?? UInt64(header.utf8.count)
    return (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) } + Array(header.utf8)
      + [UInt8](repeating: 1, count: data)
  }

  static func entry(_ name: String, _ type: String, _ shape: String, _ offsets: String) -> String {
    #""\#(name)":{"dtype":"\#(type)","shape":\#(shape),"data_offsets":\#(offsets)}"#
  }

  static let floats: [Float] = [1.5, -0, .infinity, .leastNonzeroMagnitude, 3, 4]

  static func contents() -> SafeTensors {
    var file = SafeTensors()
    file.tensors["weights"] = .init(floats: floats, shape: [2, 3])
    file.tensors["bytes"] = .init(type: "U8", shape: [3], bytes: [7, 8, 9])
    file.tensors["wide"] = .init(type: "I64", shape: [1], bytes: [1, 2, 3, 4, 5, 6, 7, 8])
    file.tensors["one"] = .init(type: "F16", shape: [], bytes: [0, 60])
    file.tensors["none"] = .init(type: "U8", shape: [0, 4], bytes: [])
    file.metadata = ["a": "b", "quoted": "\"\\/\n ü"]
    return file
  }

  @Test("An index locates every tensor and reads only the header")
  func index() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("file")
    let bytes = try Self.contents().bytes()
    try FileAccess.write(bytes, to: path)
    let index = try SafeTensorsIndex(path: path)
    #expect(index.metadata == Self.contents().metadata)
    #expect(index.places.count == Self.contents().tensors.count)
    for (name, tensor) in Self.contents().tensors {
      let place = try #require(index.places[name])
      #expect(place.type == tensor.type)
      #expect(place.shape == tensor.shape)
      #expect(Array(bytes[place.bytes]) == tensor.bytes)
      #expect(try FileAccess.read(path, bytes: place.bytes) == tensor.bytes)
    }
    for end in [0, 5, 8, 9, 40, bytes.count - 1] {
      try FileAccess.write(Array(bytes.prefix(end)), to: path)
      #expect(throws: CupolaError.self) { try SafeTensorsIndex(path: path) }
    }
  }

  @Test("Contents survive a round trip")
  func roundTrip() throws {
    let file = try SafeTensors(bytes: Self.contents().bytes())
    #expect(file == Self.contents())
    let floats = try #require(file.tensors["weights"]?.floats)
    #expect(floats.map(\.bitPattern) == Self.floats.map(\.bitPattern))
    #expect(file.tensors["bytes"]?.floats == nil)
  }

  @Test("A tensor without elements may be at any place", arguments: ["a", "z"])
  func emptyTensors(name: String) throws {
    var file = SafeTensors()
    file.tensors["m"] = .init(floats: [1], shape: [1])
    file.tensors[name] = .init(floats: [], shape: [0])
    #expect(try SafeTensors(bytes: file.bytes()) == file)
    let first = Self.entry(name, "F64", "[0]", "[0,0]")
    let bytes = Self.file("{\(first),\(Self.entry("m", "F32", "[1]", "[0,4]"))}", data: 4)
    #expect(try SafeTensors(bytes: bytes).tensors.count == 2)
  }

  @Test("Equal contents yield equal bytes in any insertion order")
  func determinism() throws {
    let contents = Self.contents()
    var other = SafeTensors()
    for name in contents.tensors.keys.sorted(by: >) { other.tensors[name] = contents.tensors[name] }
    for name in contents.metadata.keys.sorted(by: >) {
      other.metadata[name] = contents.metadata[name]
    }
    #expect(try other.bytes() == contents.bytes())
    other.metadata["a"] = "c"
    #expect(try other.bytes() != contents.bytes())
  }

  @Test("Data are aligned to 8 bytes, wide elements first")
  func alignment() throws {
    let bytes = try Self.contents().bytes()
    let size = bytes.prefix(8).reversed().reduce(0) { $0 << 8 | Int($1) }
    #expect(size.isMultiple(of: 8))
    #expect(Array(bytes[(8 + size)..<(16 + size)]) == [1, 2, 3, 4, 5, 6, 7, 8])
    #expect(Array(bytes.suffix(3)) == [7, 8, 9])
  }

  @Test("Files of other writers are read", arguments: ["hog", "resample", "jpeg/expected"])
  func otherWriter(name: String) throws {
    let file = try Fixtures.tensors("\(name).safetensors")
    #expect(file.tensors.count > 10 && file.metadata.isEmpty)
    #expect(try SafeTensors(bytes: file.bytes()) == file)
  }

  @Test("An empty file is valid")
  func empty() throws { #expect(try SafeTensors(bytes: Self.file("{}")) == SafeTensors()) }

  static let sound = entry("a", "F32", "[1]", "[0,4]")

  @Test(
    "Each malformed file throws its own fault",
    arguments: [
      ([], .notSafetensors), ([1, 2, 3], .notSafetensors), (file(""), .notSafetensors),
      (Array("not a model, but a text".utf8), .notSafetensors), (file("[]"), .notSafetensors),
      (file("{}", claimed: 3), .badHeaderSize(3)),
      (file("{}", claimed: .max), .badHeaderSize(.max)),
      (file("{}", data: 20, claimed: 1 << 40), .badHeaderSize(1 << 40)),
      (file("{\(sound)}", data: 3), .wrongSize(expected: 4, found: 3)),
      (file("{\(sound)}", data: 5), .wrongSize(expected: 4, found: 5)),
      (file("{}", data: 1), .wrongSize(expected: 0, found: 1)),
      (file("{\(sound),\(entry("b", "F32", "[1]", "[0,4]"))}", data: 4), .badOffsets(tensor: "b")),
      (file("{\(sound),\(entry("b", "F32", "[1]", "[2,6]"))}", data: 6), .badOffsets(tensor: "b")),
      (
        file("{\(sound),\(entry("b", "F32", "[1]", "[8,12]"))}", data: 12), .badOffsets(tensor: "b")
      ),
      (file("{\(entry("b", "F32", "[1]", "[4,8]"))}", data: 8), .badOffsets(tensor: "b")),
      (file("{\(entry("b", "F32", "[1]", "[0,-4]"))}", data: 4), .badOffsets(tensor: "b")),
      (file("{\(entry("b", "F32", "[1]", "[-4,0]"))}", data: 4), .badOffsets(tensor: "b")),
      (file("{\(entry("b", "F32", "[1]", "[0]"))}", data: 4), .badOffsets(tensor: "b")),
      (file("{\(entry("b", "F32", "[1]", "[]"))}", data: 4), .badOffsets(tensor: "b")),
      (file("{\(entry("b", "F32", "[1]", "[0,4,8]"))}", data: 4), .badOffsets(tensor: "b")),
      (file("{\(entry("b", "F32", "[2]", "[0,4]"))}", data: 4), .badShape(tensor: "b")),
      (file("{\(entry("b", "F64", "[1]", "[0,4]"))}", data: 4), .badShape(tensor: "b")),
      (file("{\(entry("b", "X9", "[1]", "[0,4]"))}", data: 4), .badShape(tensor: "b")),
      (file("{\(entry("b", "F32", "[-1,-1]", "[0,4]"))}", data: 4), .badShape(tensor: "b")),
      (
        file("{\(entry("b", "F32", "[4611686018427387904,4]", "[0,4]"))}", data: 4),
        .badShape(tensor: "b")
      ),
    ] as [([UInt8], ModelFault)])
  func malformed(bytes: [UInt8], fault: ModelFault) {
    #expect(throws: CupolaError.badModel(fault)) { try SafeTensors(bytes: bytes) }
  }

  @Test(
    "Invalid header JSON throws a header fault",
    arguments: [
      "{", "{]", #"{"a":7}"#, #"{"a":{}}"#, #"{"__metadata__":{"a":7}}"#, #"{"__metadata__":[]}"#,
      #"{"a":{"dtype":"F32","shape":[1]}}"#, #"{"a":{"dtype":4,"shape":[1],"data_offsets":[0,4]}}"#,
      #"{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}}"#,
      #"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,99999999999999999999]}}"#,
    ])
  func badHeader(header: String) {
    #expect { try SafeTensors(bytes: Self.file(header, data: 4)) } throws: {
      if case CupolaError.badModel(let fault) = $0 {
        fault.message.hasPrefix("damaged header")
      } else {
        false
      }
    }
  }

  @Test("An oversized header is rejected before it is read")
  func hugeHeader() {
    let size = SafeTensors.maximumHeaderBytes + 1
    let bytes = Self.file("{", data: size)
    let claimed = (0..<8).map { UInt8(truncatingIfNeeded: size >> (8 * $0)) }
    #expect(throws: CupolaError.badModel(.badHeaderSize(UInt64(size)))) {
      try SafeTensors(bytes: claimed + bytes.dropFirst(8))
    }
  }

  @Test("An oversized header is not written")
  func tooLargeToWrite() throws {
    var file = SafeTensors()
    file.metadata["map"] = String(repeating: "x", count: SafeTensors.maximumHeaderBytes)
    #expect {
      try file.bytes()
    } throws: { error in
      guard case CupolaError.badModel(let fault) = error else { return false }
      return fault.message.contains("over the limit of 100 MB")
    }
  }

  @Test("A truncated file is rejected")
  func everyLength() throws {
    let bytes = try Self.contents().bytes()
    for length in bytes.indices {
      #expect { try SafeTensors(bytes: Array(bytes[..<length])) } throws: {
        if case CupolaError.badModel = $0 { true } else { false }
      }
    }
  }
}

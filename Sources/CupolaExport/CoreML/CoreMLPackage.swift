internal import Cupola

// 1. Write the graph as an ML Program, with large constants in weight.bin.
// 2. Describe inputs, outputs and metadata for apps.
// 3. Write the manifest, with identifiers derived from the files.

/// A graph as a Core ML package: an ML Program for iOS 15, macOS 12 and later, with a classifier's outputs.
///
/// Format: apple/coremltools, `mlmodel/format`, specification version 6, operation set `CoreML5`.
struct CoreMLPackage {
  let graph: Graph
  /// Metadata that Xcode shows and apps read as `creatorDefinedKey`.
  let notes: ExportNotes
  /// Whether products that tolerate half precision are computed in it, so that the Neural Engine can run them.
  var computesHalves = false

  /// The package's name in an export. Xcode generates a class called `Campus` from it.
  static let folder = "Campus.mlpackage"

  /// The supported weight formats. Other formats require iOS 16.
  static let weightFormats = [WeightFormat.float32, .float16]

  /// The maximum size of a map. Larger maps are not included in the package.
  private static let largestMap = 1 << 20

  enum Name {
    static let image = "image"
    static let label = "classLabel"
    static let probabilities = "classLabel_probs"
  }

  enum Path {
    static let model = "Data/com.apple.CoreML/model.mlmodel"
    static let weights = "Data/com.apple.CoreML/weights/weight.bin"
    static let manifest = "Manifest.json"
  }

  /// Returns the package's files with their relative paths. Equal packages have equal bytes.
  func files() -> [(path: String, bytes: [UInt8])] {
    let (program, weights) = MILEmitter.program(of: graph, computesHalves: computesHalves)
    let model = ProtobufWriter { model in
      // The first specification version that supports ML Programs.
      model.integer(1, 6)
      model.message(2) { writeDescription(to: &$0) }
      model.bytes(502, program)
    }.bytes
    return [
      (Path.model, model), (Path.weights, weights),
      (Path.manifest, Self.manifest(model: model, weights: weights)),
    ]
  }

  private func writeDescription(to description: inout ProtobufWriter) {
    let side = graph.nodes[0].shape[1]
    description.message(1) { input in
      input.string(1, Name.image)
      input.string(
        2,
        "An upright photo, \(notes.geometry.shaped(side: side)) (\(notes.geometry.visionOption)).")
      input.message(3) { type in
        type.message(4) { image in
          image.integer(1, side)
          image.integer(2, side)
          image.integer(3, 20)
        }
      }
    }
    description.message(10) { output in
      output.string(1, Name.label)
      output.string(2, "The most probable label.")
      output.message(3) { $0.message(3) { _ in } }
    }
    description.message(10) { output in
      output.string(1, Name.probabilities)
      output.string(2, "The probability of every label.")
      output.message(3) { $0.message(6) { $0.message(2) { _ in } } }
    }
    description.string(11, Name.label)
    description.string(12, Name.probabilities)
    description.message(100) { metadata in
      metadata.string(1, notes.description)
      metadata.string(2, notes.version)
      metadata.string(3, notes.author)
      metadata.string(4, notes.license)
      var texts = notes.texts
      if let map = notes.campus, map.count > Self.largestMap { texts[ExportNotes.campusKey] = nil }
      texts["com.apple.coreml.model.preview.type"] = "imageClassifier"
      for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
        metadata.entry(100, key) { $0.string(2, value) }
      }
    }
  }

  // MARK: - Manifest

  private static func manifest(model: [UInt8], weights: [UInt8]) -> [UInt8] {
    let root = identifier("model", model)
    let items = [
      (root, "model.mlmodel", "Specification"),
      (identifier("weights", weights), "weights", "Weights"),
    ]
    let entries = items.map { identifier, name, what in
      """
          "\(identifier)": {
            "author": "com.apple.CoreML",
            "description": "CoreML Model \(what)",
            "name": "\(name)",
            "path": "com.apple.CoreML/\(name)"
          }
      """
    }
    let text = """
      {
        "fileFormatVersion": "1.0.0",
        "itemInfoEntries": {
      \(entries.sorted().joined(separator: ",\n"))
        },
        "rootModelIdentifier": "\(root)"
      }

      """
    return Array(text.utf8)
  }

  /// Returns a version 8 UUID (RFC 9562) derived from a file's content, so that equal exports have equal IDs.
  private static func identifier(_ role: String, _ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(Array("cupola.coreml.\(role)\n".utf8))
    hash.update(bytes)
    var uuid = Array(hash.digest().prefix(16))
    uuid[6] = uuid[6] & 0x0F | 0x80
    uuid[8] = uuid[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hex.text(Array(uuid[$0])) }
      .joined(separator: "-").uppercased()
  }
}

/// weight.bin: the program's large constants, aligned to 64 bytes. A record with type, size and offset precedes each.
struct CoreMLWeights {
  enum Element: UInt32 {
    case float16 = 1
    case float32 = 2
  }

  private static let alignment = 64
  private static let mark: UInt32 = 0xDEAD_BEEF
  private static let version: UInt32 = 2

  private(set) var bytes: [UInt8]
  private var count: UInt32 = 0

  init() {
    bytes = [UInt8](repeating: 0, count: Self.alignment)
    put(Self.version, at: 4)
  }

  /// Adds a constant. Returns its record's offset.
  mutating func append(_ values: [UInt8], as element: Element) -> Int {
    while !bytes.count.isMultiple(of: Self.alignment) { bytes.append(0) }
    let record = bytes.count
    let start = record + Self.alignment
    bytes.reserveCapacity(start + values.count)
    bytes += [UInt8](repeating: 0, count: Self.alignment)
    put(Self.mark, at: record)
    put(element.rawValue, at: record + 4)
    put(UInt64(values.count), at: record + 8)
    put(UInt64(start), at: record + 16)
    bytes += values
    count += 1
    put(count, at: 0)
    return record
  }

  private mutating func put(_ value: some FixedWidthInteger & UnsignedInteger, at offset: Int) {
    let own = value.littleEndianBytes
    bytes.replaceSubrange(offset..<offset + own.count, with: own)
  }
}

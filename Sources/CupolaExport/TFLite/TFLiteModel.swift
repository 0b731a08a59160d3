internal import Cupola

// 1. Write the graph as a FlatBuffer, with metadata that say what goes in and comes out.
// 2. Put labels, notes and map behind it as a ZIP archive without compression.

/// A TFLite model with task metadata: one file that MediaPipe Tasks' `ImageClassifier` takes as it
/// is, labels included, and that LiteRT runs.
///
/// Behind the model stand, as an uncompressed ZIP archive, `labels.txt`, `cupola.json` and, for a
/// model with a map, `campus.geojson`.
struct TFLiteModel {
  static let file = "campus.tflite"

  private static let notesFile = "cupola.json"
  private static let mapFile = "campus.geojson"

  /// From pixels to probabilities, channels last.
  private let graph: Graph
  private let notes: ExportNotes

  /// Joins a graph and what travels with it.
  ///
  /// - Throws: ``ExportError/textForTFLite(_:)``: `labels.txt` has one label a line, and its readers
  ///   know no way to write a line break.
  init(graph: Graph, notes: ExportNotes) throws(ExportError) {
    for label in graph.labels {
      guard !label.isEmpty, !label.utf8.contains(where: { [0x0A, 0x0D, 0].contains($0) }) else {
        throw .textForTFLite(label)
      }
    }
    (self.graph, self.notes) = (graph, notes)
  }

  /// The model as a file: equal models give equal bytes.
  func bytes() throws -> [UInt8] {
    let metadata = TFLiteMetadata(
      notes: notes, side: graph.nodes[0].shape[1], files: descriptions)
    let root = TFLiteEmitter.model(
      of: graph, description: notes.description, metadata: metadata.bytes)
    var bytes = FlatBufferWriter.bytes(root: root, identifier: TFLiteSchema.identifier)
    StoredZip.append(try entries(model: bytes), to: &bytes)
    return bytes
  }

  /// What the metadata say of the files, without the labels.
  private var descriptions: [(name: String, description: String)] {
    let files = [
      (Self.notesFile, "Labels, thresholds and geometry of the picture."),
      (Self.mapFile, "The geofence and the buildings, as GeoJSON."),
    ]
    return notes.campus == nil ? [files[0]] : files
  }

  private func entries(model: [UInt8]) throws -> [StoredZip.Entry] {
    var values = notes.values
    values["tflite_sha256"] = .string(SHA256.hexadecimal(of: model))
    let json = try ModelFile.json(JSONValue.object(values))
    let lines = graph.labels.map { $0 + "\n" }.joined()
    let files = [
      StoredZip.Entry(name: TFLiteMetadata.labelsFile, contents: Array(lines.utf8)),
      StoredZip.Entry(name: Self.notesFile, contents: Array(json.utf8)),
    ]
    return files + (notes.campus.map { [StoredZip.Entry(name: Self.mapFile, contents: $0)] } ?? [])
  }
}

/// The TFLite metadata of an image classifier: what MediaPipe Tasks and other tools need to know to
/// call a model without code for it.
///
/// Slot numbers are those of the TFLite metadata schema, version 1.
struct TFLiteMetadata {
  /// The name of the metadata entry and of its schema.
  static let entryName = "TFLITE_METADATA"
  static let labelsFile = "labels.txt"

  let notes: ExportNotes
  let side: Int
  /// Files that travel with the model beside the labels.
  let files: [(name: String, description: String)]

  /// A file of the metadata schema: a `ModelMetadata`.
  var bytes: [UInt8] {
    FlatBufferWriter.bytes(
      root: [
        0: .text(ExportNotes.title), 1: .text(notes.description), 2: .text(notes.version),
        3: .tables([[2: .tables([input]), 3: .tables([output])]]),
        4: .text(ExportNotes.author), 5: .text(ExportNotes.license),
        6: .tables(files.map { [0: .text($0.name), 1: .text($0.description)] }),
        // Everything used here is in the first version of the schema.
        7: .text("1.0.0"),
      ], identifier: "M001")
  }

  /// The picture, a `TensorMetadata`: RGB, and its samples are taken as they are.
  private var input: FlatBufferTable {
    let size: FlatBufferTable = [0: .uint32(UInt32(side)), 1: .uint32(UInt32(side))]
    let (imageProperties, normalization, rgb) = (UInt8(2), UInt8(1), Int8(1))
    return [
      0: .text("image"), 1: .text("The upright photo, \(notes.geometry.shaped())."),
      // Unions: the kind of what stands in the next slot.
      3: .table([0: .uint8(imageProperties), 1: .table([0: .int8(rgb), 1: .table(size)])]),
      // Mean and standard deviation.
      4: .tables([
        [0: .uint8(normalization), 1: .table([0: .float32s([0]), 1: .float32s([1])])]
      ]),
      5: Self.statistics(greatest: 255),
    ]
  }

  private var output: FlatBufferTable {
    let axisLabels = Int8(2)
    return [
      0: .text("probabilities"), 1: .text("One probability a label; their sum is 1."),
      5: Self.statistics(greatest: 1),
      6: .tables([
        [
          0: .text(Self.labelsFile),
          1: .text("The labels in the order of the probabilities."), 2: .int8(axisLabels),
        ]
      ]),
    ]
  }

  private static func statistics(greatest: Float) -> FlatBufferTable.Field {
    .table([0: .float32s([greatest]), 1: .float32s([0])])
  }
}

/// A ZIP archive of uncompressed files behind other bytes, as TFLite models carry their labels.
///
/// PKWARE APPNOTE 6.3: local headers and contents, then the central directory, then its end. Places
/// count from the beginning of the whole file. Time stamps are the earliest that the format has.
enum StoredZip {
  struct Entry {
    let name: String
    let contents: [UInt8]
  }

  private static let localHeader: UInt32 = 0x0403_4B50
  private static let centralHeader: UInt32 = 0x0201_4B50
  private static let end: UInt32 = 0x0605_4B50
  /// 1 January 1980, midnight.
  private static let date: UInt32 = 0x0021_0000
  /// Names are UTF-8.
  private static let flags: UInt16 = 1 << 11

  /// Puts an archive behind what is there.
  static func append(_ entries: [Entry], to bytes: inout [UInt8]) {
    var directory: [UInt8] = []
    for entry in entries {
      let start = UInt32(bytes.count)
      let common = header(of: entry)
      bytes += localHeader.littleEndianBytes + common + UInt16(0).littleEndianBytes
      bytes += Array(entry.name.utf8)
      bytes += entry.contents
      directory += centralHeader.littleEndianBytes + UInt16(20).littleEndianBytes + common
      // No extra field, no comment, first disk, no attributes.
      directory += [UInt8](repeating: 0, count: 12)
      directory += start.littleEndianBytes + Array(entry.name.utf8)
    }
    let start = UInt32(bytes.count)
    let count = UInt16(entries.count).littleEndianBytes
    bytes += directory + end.littleEndianBytes + [0, 0, 0, 0] + count + count
    bytes += UInt32(directory.count).littleEndianBytes + start.littleEndianBytes + [0, 0]
  }

  /// What local and central headers share: version, flags, method, time, CRC-32, sizes, name.
  private static func header(of entry: Entry) -> [UInt8] {
    let size = UInt32(entry.contents.count).littleEndianBytes
    return UInt16(20).littleEndianBytes + flags.littleEndianBytes + [0, 0]
      + date.littleEndianBytes + CRC32.of(entry.contents).littleEndianBytes + size + size
      + UInt16(entry.name.utf8.count).littleEndianBytes
  }
}

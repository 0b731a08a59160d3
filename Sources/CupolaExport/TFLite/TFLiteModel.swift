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

  private enum Slot {
    enum Model {
      static let (name, description, version, subgraphs) = (0, 1, 2, 3)
      static let (author, license, files, minimumParserVersion) = (4, 5, 6, 7)
    }
    enum Subgraph {
      static let (inputs, outputs) = (2, 3)
    }
    enum Tensor {
      static let (name, description, content) = (0, 1, 3)
      static let (processUnits, statistics, files) = (4, 5, 6)
    }
    enum File {
      static let (name, description, type) = (0, 1, 2)
    }
    enum Size {
      static let (width, height) = (0, 1)
    }
    /// Unions: the kind of what stands in the next slot.
    static let (unionType, unionValue) = (0, 1)
    static let (colorSpace, defaultSize) = (0, 1)
    static let (mean, standardDeviation) = (0, 1)
    static let (greatest, least) = (0, 1)
  }

  private enum Kind {
    static let imageProperties: UInt8 = 2
    static let normalization: UInt8 = 1
    static let rgb: Int8 = 1
    static let axisLabels: Int8 = 2
  }

  var bytes: [UInt8] {
    FlatBufferWriter.bytes(
      root: [
        Slot.Model.name: .text(ExportNotes.title),
        Slot.Model.description: .text(notes.description),
        Slot.Model.version: .text(notes.version),
        Slot.Model.subgraphs: .tables([
          [Slot.Subgraph.inputs: .tables([input]), Slot.Subgraph.outputs: .tables([output])]
        ]),
        Slot.Model.author: .text(ExportNotes.author),
        Slot.Model.license: .text(ExportNotes.license),
        Slot.Model.files: .tables(
          files.map {
            [Slot.File.name: .text($0.name), Slot.File.description: .text($0.description)]
          }
        ),
        // Everything used here is in the first version of the schema.
        Slot.Model.minimumParserVersion: .text("1.0.0"),
      ], identifier: "M001")
  }

  /// The picture: RGB, and its samples are taken as they are.
  private var input: FlatBufferTable {
    [
      Slot.Tensor.name: .text("image"),
      Slot.Tensor.description: .text("The upright photo, \(notes.geometry.shaped())."),
      Slot.Tensor.content: .table([
        Slot.unionType: .uint8(Kind.imageProperties),
        Slot.unionValue: .table([
          Slot.colorSpace: .int8(Kind.rgb),
          Slot.defaultSize: .table([
            Slot.Size.width: .uint32(UInt32(side)), Slot.Size.height: .uint32(UInt32(side)),
          ]),
        ]),
      ]),
      Slot.Tensor.processUnits: .tables([
        [
          Slot.unionType: .uint8(Kind.normalization),
          Slot.unionValue: .table([
            Slot.mean: .float32s([0]), Slot.standardDeviation: .float32s([1]),
          ]),
        ]
      ]),
      Slot.Tensor.statistics: Self.statistics(greatest: 255),
    ]
  }

  private var output: FlatBufferTable {
    [
      Slot.Tensor.name: .text("probabilities"),
      Slot.Tensor.description: .text("One probability a label; their sum is 1."),
      Slot.Tensor.statistics: Self.statistics(greatest: 1),
      Slot.Tensor.files: .tables([
        [
          Slot.File.name: .text(Self.labelsFile),
          Slot.File.description: .text("The labels in the order of the probabilities."),
          Slot.File.type: .int8(Kind.axisLabels),
        ]
      ]),
    ]
  }

  private static func statistics(greatest: Float) -> FlatBufferTable.Field {
    .table([Slot.greatest: .float32s([greatest]), Slot.least: .float32s([0])])
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

internal import Cupola
internal import CupolaSupport

// 1. Write the graph as a FlatBuffer with metadata that describes input and output.
// 2. Append labels, export metadata and map as an uncompressed ZIP archive.

/// A TFLite model with task metadata, followed by a ZIP archive with labels, export metadata and map.
struct TFLiteModel {
  static let file = "campus.tflite"

  private static let notesFile = "cupola.json"
  private static let mapFile = "campus.geojson"

  private let graph: Graph
  private let notes: ExportNotes

  /// Throws ``ExportError/textForTFLite(_:)`` if a label has a line break, because `labels.txt` has one label per line.
  init(graph: Graph, notes: ExportNotes) throws(ExportError) {
    for label in graph.labels {
      guard !label.isEmpty, !label.utf8.contains(where: { [0x0A, 0x0D, 0].contains($0) }) else {
        throw .textForTFLite(label)
      }
    }
    (self.graph, self.notes) = (graph, notes)
  }

  /// Returns the file. Equal models produce equal bytes.
  func bytes() throws -> [UInt8] {
    let metadata = TFLiteMetadata(
      notes: notes, side: graph.nodes[0].shape[1], files: descriptions)
    let root = TFLiteEmitter.model(
      of: graph, description: notes.description, metadata: metadata.bytes)
    var bytes = FlatBufferWriter.bytes(root: root, identifier: TFLiteSchema.identifier)
    // Offsets are from the start of the file.
    var archive = ZipWriter(after: bytes.count)
    for (name, contents) in try entries(model: bytes) { bytes += archive.entry(name, contents) }
    return bytes + archive.end
  }

  private var descriptions: [(name: String, description: String)] {
    let files = [
      (Self.notesFile, "Labels, thresholds and image geometry."),
      (Self.mapFile, "The geofence and buildings as GeoJSON."),
    ]
    return notes.campus == nil ? [files[0]] : files
  }

  private func entries(model: [UInt8]) throws -> [(name: String, contents: [UInt8])] {
    var values = notes.values
    values["tflite_sha256"] = .string(SHA256.hexadecimal(of: model))
    let json = try ModelFile.json(JSONValue.object(values))
    let lines = graph.labels.map { $0 + "\n" }.joined()
    let files = [
      (name: TFLiteMetadata.labelsFile, contents: Array(lines.utf8)),
      (name: Self.notesFile, contents: Array(json.utf8)),
    ]
    return files + (notes.campus.map { [(name: Self.mapFile, contents: $0)] } ?? [])
  }
}

/// Image classifier metadata (TFLite metadata schema, version 1) for MediaPipe Tasks and other tools.
struct TFLiteMetadata {
  /// The name of the metadata entry and of its schema.
  static let entryName = "TFLITE_METADATA"
  static let labelsFile = "labels.txt"

  let notes: ExportNotes
  let side: Int
  /// Attached files other than the labels.
  let files: [(name: String, description: String)]

  /// A `ModelMetadata` file.
  var bytes: [UInt8] {
    FlatBufferWriter.bytes(
      root: [
        0: .text(notes.title), 1: .text(notes.description), 2: .text(notes.version),
        3: .tables([[2: .tables([input]), 3: .tables([output])]]),
        4: .text(notes.author), 5: .text(notes.license),
        6: .tables(files.map { [0: .text($0.name), 1: .text($0.description)] }),
        // The first schema version that supports all fields used here.
        7: .text("1.0.0"),
      ], identifier: "M001")
  }

  /// The input image's `TensorMetadata`: RGB without normalization.
  private var input: FlatBufferTable {
    let size: FlatBufferTable = [0: .uint32(UInt32(side)), 1: .uint32(UInt32(side))]
    let (imageProperties, normalization, rgb) = (UInt8(2), UInt8(1), Int8(1))
    return [
      0: .text("image"), 1: .text("An upright photo, \(notes.geometry.shaped())."),
      // In a union, one slot contains the type of the next slot.
      3: .table([0: .uint8(imageProperties), 1: .table([0: .int8(rgb), 1: .table(size)])]),
      4: .tables([
        [0: .uint8(normalization), 1: .table([0: .float32s([0]), 1: .float32s([1])])]
      ]),
      5: Self.statistics(greatest: 255),
    ]
  }

  private var output: FlatBufferTable {
    let axisLabels = Int8(2)
    return [
      0: .text("probabilities"), 1: .text("One probability per label; their sum is 1."),
      5: Self.statistics(greatest: 1),
      6: .tables([
        [
          0: .text(Self.labelsFile),
          1: .text("The labels, in the same order as the probabilities."), 2: .int8(axisLabels),
        ]
      ]),
    ]
  }

  private static func statistics(greatest: Float) -> FlatBufferTable.Field {
    .table([0: .float32s([greatest]), 1: .float32s([0])])
  }
}

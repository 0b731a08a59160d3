internal import Cupola

/// A TFLite model with task metadata: one file that MediaPipe Tasks' `ImageClassifier` takes as it
/// is, labels included, and that LiteRT runs.
///
/// Behind the model stand, as an uncompressed ZIP archive, `labels.txt`, `cupola.json` and, for a
/// model with a map, `campus.geojson`.
struct TFLiteModel {
  /// What the file is called in an export's folder.
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
    let card = ExportCard(notes)
    let metadata = TFLiteMetadata(
      card: card, side: graph.nodes[0].shape[1], geometry: notes.geometry, files: descriptions)
    let root = TFLiteEmitter.model(
      of: graph, description: card.description, metadata: metadata.bytes)
    var bytes = FlatBufferWriter.bytes(root: root, identifier: TFLiteSchema.identifier)
    StoredZip.append(try entries(model: bytes), to: &bytes)
    return bytes
  }

  /// What the metadata say of the files, without the labels.
  private var descriptions: [TFLiteMetadata.File] {
    let files = [
      TFLiteMetadata.File(
        name: Self.notesFile, description: "Labels, thresholds and geometry of the picture."),
      TFLiteMetadata.File(
        name: Self.mapFile, description: "The geofence and the buildings, as GeoJSON."),
    ]
    return notes.campus == nil ? [files[0]] : files
  }

  /// The archive for a model of these bytes.
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

package import Cupola

/// A TFLite model with task metadata: one file that MediaPipe Tasks' `ImageClassifier` takes as it
/// is, labels included, and that LiteRT runs.
///
/// Behind the model stand, as an uncompressed ZIP archive, `labels.txt`, `cupola.json` and, for a
/// model with a map, `campus.geojson`.
package struct TFLiteModel: Equatable, Sendable {
  /// What is said about a model, for people.
  package struct Card: Equatable, Sendable {
    /// What it is called.
    package var name: String
    /// What it does, and how its answers are to be read.
    package var description: String
    /// Its version.
    package var version: String
    /// Who made it.
    package var author: String
    /// What may be done with it.
    package var licence: String

    /// Joins texts.
    package init(
      name: String, description: String, version: String, author: String, licence: String
    ) {
      self.name = name
      self.description = description
      self.version = version
      self.author = author
      self.licence = licence
    }
  }

  /// From pixels to probabilities, channels last.
  package var graph: Graph
  /// What is said about it.
  package var card: Card
  /// What `cupola.json` holds beside labels and digest: thresholds, geometry. What it says of
  /// `labels` is replaced by the graph's.
  package var properties: [String: JSONValue]
  /// The map of the grounds as GeoJSON.
  package var campus: [UInt8]?

  /// Joins a graph and what travels with it.
  package init(
    graph: Graph, card: Card, properties: [String: JSONValue] = [:], campus: [UInt8]? = nil
  ) {
    self.graph = graph
    self.card = card
    let files = TFLiteFiles(labels: graph.labels, properties: properties, campus: campus)
    self.properties = files.properties
    self.campus = campus
  }

  /// The model as a file: equal models give equal bytes.
  ///
  /// - Throws: ``TFLiteFault/badLabel(_:)`` for a label that is no single line.
  package func bytes() throws -> [UInt8] {
    let files = TFLiteFiles(labels: graph.labels, properties: properties, campus: campus)
    try files.checkLabels()
    let metadata = TFLiteMetadata(
      name: card.name, description: card.description, version: card.version, author: card.author,
      licence: card.licence, side: graph.nodes[0].shape[1], files: files.descriptions)
    let root = TFLiteEmitter.model(
      of: graph, description: card.description, metadata: metadata.bytes)
    var bytes = FlatBufferWriter.bytes(root: root, identifier: TFLiteSchema.identifier)
    StoredZip.append(try files.entries(model: bytes[...]), to: &bytes)
    return bytes
  }

  /// Reads a file as ``bytes()`` writes it, by rules of its own: no tool is needed, and no bytes are
  /// trusted.
  ///
  /// - Throws: ``TFLiteFault``.
  package init(bytes: [UInt8]) throws(TFLiteFault) {
    do {
      self = try Self.read(bytes)
    } catch let fault as TFLiteFault {
      throw fault
    } catch let fault as StoredZip.Fault {
      throw .badFiles(fault.message)
    } catch FlatBufferReader.Fault.outside(let place) {
      throw .outside(at: place)
    } catch FlatBufferReader.Fault.wrongIdentifier {
      throw .notTFLite
    } catch {
      throw .badModel("\(error)")
    }
  }

  private static func read(_ bytes: [UInt8]) throws -> TFLiteModel {
    guard bytes.count >= 8, Array(bytes[4..<8]) == Array(TFLiteSchema.identifier.utf8) else {
      throw TFLiteFault.notTFLite
    }
    let (entries, end) = try StoredZip.entries(in: bytes)
    let files = try TFLiteFiles(entries: entries)
    let root = try FlatBufferReader(Array(bytes[..<end])).root(identifier: TFLiteSchema.identifier)
    let graph = try TFLiteGraphReader.graph(in: root, labels: files.labels, size: end)
    guard graph.labels.first == Graph.notACampusBuilding else {
      throw TFLiteFault.badFiles("the first label is not \(Graph.notACampusBuilding)")
    }
    let metadata = try TFLiteMetadata(bytes: try TFLiteMetadata.bytes(in: root))
    guard metadata.side == graph.nodes[0].shape[1], metadata.side == graph.nodes[0].shape[2] else {
      throw TFLiteFault.badMetadata("its picture is of another size than the model's")
    }
    guard metadata.files == files.descriptions else {
      throw TFLiteFault.badMetadata("it names other files than those behind the model")
    }
    try files.check(model: bytes[..<end])
    return TFLiteModel(
      graph: graph,
      card: Card(
        name: metadata.name, description: metadata.description, version: metadata.version,
        author: metadata.author, licence: metadata.licence),
      properties: files.properties, campus: files.campus)
  }
}

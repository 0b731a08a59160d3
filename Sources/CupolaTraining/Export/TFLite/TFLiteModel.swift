public import Cupola

/// A TFLite model with task metadata: one file that MediaPipe Tasks' `ImageClassifier` takes as it
/// is, labels included, and that LiteRT runs.
///
/// Behind the model stand, as an uncompressed ZIP archive, `labels.txt`, `cupola.json` and, for a
/// model with a map, `campus.geojson`.
public struct TFLiteModel: Equatable, Sendable {
  /// What is said about a model, for people.
  public struct Card: Equatable, Sendable {
    /// What it is called.
    public var name: String
    /// What it does, and how its answers are to be read.
    public var description: String
    /// Its version.
    public var version: String
    /// Who made it.
    public var author: String
    /// What may be done with it.
    public var licence: String

    /// Joins texts.
    public init(
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
  public var graph: Graph
  /// What is said about it.
  public var card: Card
  /// What `cupola.json` holds beside labels and digest: thresholds, geometry.
  public var properties: [String: JSONValue]
  /// The map of the grounds as GeoJSON.
  public var campus: [UInt8]?

  /// Joins a graph and what travels with it.
  public init(
    graph: Graph, card: Card, properties: [String: JSONValue] = [:], campus: [UInt8]? = nil
  ) {
    self.graph = graph
    self.card = card
    self.properties = properties
    self.campus = campus
  }

  /// The model as a file: equal models give equal bytes.
  ///
  /// - Throws: ``TrainingError/badLabel(_:format:problem:)`` for a label that is no single line.
  public func bytes() throws -> [UInt8] {
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
}

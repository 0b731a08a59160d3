internal import Cupola

/// The TFLite metadata of an image classifier: what MediaPipe Tasks and other tools need to know to
/// call a model without code for it.
///
/// Slot numbers are those of the TFLite metadata schema, version 1.
struct TFLiteMetadata {
  /// The name of the metadata entry and of its schema.
  static let entryName = "TFLITE_METADATA"
  static let identifier = "M001"
  /// Everything used here is in the first version of the schema.
  static let minimumParserVersion = "1.0.0"
  static let labelsFile = "labels.txt"

  /// For people.
  let card: ExportCard
  /// Rows and columns of the picture.
  let side: Int
  /// What is done with a photo.
  let geometry: Geometry
  /// Files that travel with the model beside the labels.
  let files: [File]

  /// A file that travels with the model.
  struct File {
    let name: String
    let description: String
  }

  private enum Slot {
    enum Model {
      static let name = 0
      static let description = 1
      static let version = 2
      static let subgraphs = 3
      static let author = 4
      static let license = 5
      static let files = 6
      static let minimumParserVersion = 7
    }
    enum Subgraph {
      static let inputs = 2
      static let outputs = 3
    }
    enum Tensor {
      static let name = 0
      static let description = 1
      static let content = 3
      static let processUnits = 4
      static let statistics = 5
      static let files = 6
    }
    enum File {
      static let name = 0
      static let description = 1
      static let type = 2
    }
    enum Size {
      static let width = 0
      static let height = 1
    }
    /// Unions: the kind of what stands in the next slot.
    static let unionType = 0
    static let unionValue = 1
    static let colorSpace = 0
    static let defaultSize = 1
    static let mean = 0
    static let standardDeviation = 1
    static let greatest = 0
    static let least = 1
  }

  private enum Kind {
    static let imageProperties: UInt8 = 2
    static let normalization: UInt8 = 1
    static let rgb: Int8 = 1
    static let axisLabels: Int8 = 2
  }
}

extension TFLiteMetadata {
  /// A file of the metadata schema.
  var bytes: [UInt8] {
    FlatBufferWriter.bytes(
      root: [
        Slot.Model.name: .text(card.name),
        Slot.Model.description: .text(card.description),
        Slot.Model.version: .text(card.version),
        Slot.Model.subgraphs: .tables([
          [Slot.Subgraph.inputs: .tables([input]), Slot.Subgraph.outputs: .tables([output])]
        ]),
        Slot.Model.author: .text(card.author),
        Slot.Model.license: .text(card.license),
        Slot.Model.files: .tables(
          files.map {
            [Slot.File.name: .text($0.name), Slot.File.description: .text($0.description)]
          }
        ),
        Slot.Model.minimumParserVersion: .text(Self.minimumParserVersion),
      ], identifier: Self.identifier)
  }

  /// The picture: RGB, and its samples are taken as they are.
  private var input: FlatBufferTable {
    [
      Slot.Tensor.name: .text("image"),
      Slot.Tensor.description: .text("The upright photo, \(geometry.shaped())."),
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
      Slot.Tensor.statistics: .table([
        Slot.greatest: .float32s([255]), Slot.least: .float32s([0]),
      ]),
    ]
  }

  private var output: FlatBufferTable {
    [
      Slot.Tensor.name: .text("probabilities"),
      Slot.Tensor.description: .text("One probability a label; their sum is 1."),
      Slot.Tensor.statistics: .table([
        Slot.greatest: .float32s([1]), Slot.least: .float32s([0]),
      ]),
      Slot.Tensor.files: .tables([
        [
          Slot.File.name: .text(Self.labelsFile),
          Slot.File.description: .text("The labels in the order of the probabilities."),
          Slot.File.type: .int8(Kind.axisLabels),
        ]
      ]),
    ]
  }
}

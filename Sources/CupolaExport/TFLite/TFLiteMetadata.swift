/// The TFLite metadata of an image classifier: what MediaPipe Tasks and other tools need to know to
/// call a model without code for it.
///
/// Slot numbers are those of the TFLite metadata schema, version 1.
struct TFLiteMetadata: Equatable, Sendable {
  /// The name of the metadata entry and of its schema.
  static let entryName = "TFLITE_METADATA"
  static let identifier = "M001"
  /// Everything used here is in the first version of the schema.
  static let minimumParserVersion = "1.0.0"
  static let labelsFile = "labels.txt"

  /// For people.
  let name: String
  let description: String
  let version: String
  let author: String
  let licence: String
  /// Rows and columns of the picture.
  let side: Int
  /// Files that travel with the model beside the labels.
  let files: [File]

  /// A file that travels with the model.
  struct File: Equatable, Sendable {
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
      static let licence = 5
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
    static let colourSpace = 0
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

// MARK: - Writing

extension TFLiteMetadata {
  /// A file of the metadata schema.
  var bytes: [UInt8] {
    FlatBufferWriter.bytes(
      root: [
        Slot.Model.name: .text(name),
        Slot.Model.description: .text(description),
        Slot.Model.version: .text(version),
        Slot.Model.subgraphs: .tables([
          [Slot.Subgraph.inputs: .tables([input]), Slot.Subgraph.outputs: .tables([output])]
        ]),
        Slot.Model.author: .text(author),
        Slot.Model.licence: .text(licence),
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
      Slot.Tensor.description: .text("The upright photo, squashed to a square."),
      Slot.Tensor.content: .table([
        Slot.unionType: .uint8(Kind.imageProperties),
        Slot.unionValue: .table([
          Slot.colourSpace: .int8(Kind.rgb),
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

// MARK: - Reading

extension TFLiteMetadata {
  /// The file of the metadata schema in a model.
  static func bytes(in model: FlatBufferReader.Table) throws -> [UInt8] {
    let entries = try model.tables(TFLiteSchema.Model.metadata)
    let buffers = try model.tables(TFLiteSchema.Model.buffers)
    guard entries.count == 1, try entries[0].text(TFLiteSchema.Metadata.name) == entryName,
      case let index = try entries[0].uint32(TFLiteSchema.Metadata.buffer),
      buffers.indices.contains(index)
    else { throw TFLiteFault.badMetadata("there is no entry \(entryName)") }
    return Array(try buffers[index].bytes(TFLiteSchema.Buffer.data))
  }

  /// Reads a file of the metadata schema; what differs from what is written here throws.
  init(bytes: [UInt8]) throws {
    guard bytes.count >= 8, Array(bytes[4..<8]) == Array(Self.identifier.utf8) else {
      throw TFLiteFault.badMetadata("it is not of the schema \(Self.identifier)")
    }
    let root = try FlatBufferReader(bytes).root(identifier: Self.identifier)
    func text(_ slot: Int, _ name: String) throws -> String {
      guard let text = try root.text(slot) else {
        throw TFLiteFault.badMetadata("it has no \(name)")
      }
      return text
    }
    name = try text(Slot.Model.name, "name")
    description = try text(Slot.Model.description, "description")
    version = try text(Slot.Model.version, "version")
    author = try text(Slot.Model.author, "author")
    licence = try text(Slot.Model.licence, "licence")
    files = try root.tables(Slot.Model.files).map { table in
      File(
        name: try table.text(Slot.File.name) ?? "",
        description: try table.text(Slot.File.description) ?? "")
    }
    let parser = try text(Slot.Model.minimumParserVersion, "min_parser_version")
    guard parser == Self.minimumParserVersion else {
      throw TFLiteFault.badMetadata("its min_parser_version is \(parser)")
    }
    let subgraphs = try root.tables(Slot.Model.subgraphs)
    guard subgraphs.count == 1,
      let inputs = try subgraphs.first?.tables(Slot.Subgraph.inputs), inputs.count == 1,
      let outputs = try subgraphs.first?.tables(Slot.Subgraph.outputs), outputs.count == 1
    else { throw TFLiteFault.badMetadata("it does not describe one input and one output") }
    side = try Self.side(of: inputs[0])
    try Self.checkOutput(outputs[0])
  }

  /// The size of the picture, after a look at what is to be done with it.
  private static func side(of input: FlatBufferReader.Table) throws -> Int {
    guard let content = try input.table(Slot.Tensor.content),
      try content.uint8(Slot.unionType) == Int(Kind.imageProperties),
      let image = try content.table(Slot.unionValue),
      try image.int8(Slot.colourSpace) == Int(Kind.rgb),
      let size = try image.table(Slot.defaultSize)
    else { throw TFLiteFault.badMetadata("its input is no RGB picture") }
    let side = try size.uint32(Slot.Size.width)
    guard try size.uint32(Slot.Size.height) == side else {
      throw TFLiteFault.badMetadata("its picture is not square")
    }
    let units = try input.tables(Slot.Tensor.processUnits)
    guard units.count == 1, try units[0].uint8(Slot.unionType) == Int(Kind.normalization),
      let options = try units[0].table(Slot.unionValue),
      try options.float32s(Slot.mean) == [0],
      try options.float32s(Slot.standardDeviation) == [1]
    else { throw TFLiteFault.badMetadata("its picture is not to be taken as it is: mean 0, std 1") }
    return side
  }

  private static func checkOutput(_ output: FlatBufferReader.Table) throws {
    let files = try output.tables(Slot.Tensor.files)
    guard try output.text(Slot.Tensor.name) == "probabilities", files.count == 1,
      try files[0].text(Slot.File.name) == labelsFile,
      try files[0].int8(Slot.File.type) == Int(Kind.axisLabels)
    else { throw TFLiteFault.badMetadata("its output is not probabilities with \(labelsFile)") }
  }
}

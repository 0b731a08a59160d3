internal import Cupola

// 1. Name the numbers of ONNX's messages (protocol buffers of onnx/onnx, `onnx.proto`).
// 2. Write the model message: versions, the graph, operation sets and notes.
// 3. Let ``ONNXEmitter`` write the graph's nodes and constants.

/// A pipeline as an ONNX file: operation set 13, IR version 7, which runtimes of 2021 read.
///
/// Input `image`: 8-bit RGB, 1 x side x side x 3. Outputs `label`, one text, and `probabilities`,
/// 1 x labels; the label is made by `ai.onnx.ml` 2.
struct ONNXModel {
  let graph: Graph
  /// What is done with a photo.
  let geometry: Geometry
  /// What it says about itself, by name.
  let notes: [String: String]

  static let labelDomain = "ai.onnx.ml"

  /// Names that apps and files share.
  enum Name {
    static let image = "image"
    static let label = "label"
    static let probabilities = "probabilities"
  }

  /// Numbers of element types.
  enum ElementType: Int {
    case float = 1
    case uint8 = 2
    case int8 = 3
    case int64 = 7
    case string = 8
    case float16 = 10
  }

  /// Numbers of the fields of the messages.
  enum Field {
    enum Model {
      static let (irVersion, producer, producerVersion, description) = (1, 2, 3, 6)
      static let (graph, operationSets, notes) = (7, 8, 14)
    }
    enum Graph {
      static let (nodes, name, tensors, inputs, outputs) = (1, 2, 5, 11, 12)
    }
    enum Node {
      static let (inputs, outputs, operation, attributes, domain) = (1, 2, 4, 5, 7)
    }
    enum Attribute {
      static let (name, integer, text, integers, texts, type) = (1, 3, 4, 8, 9, 20)
    }
    enum Tensor {
      static let (shape, type, integers, name, bytes) = (1, 2, 7, 8, 9)
    }
    enum Value {
      static let (name, type, description) = (1, 2, 3)
    }
  }

  /// The file; equal models give equal bytes.
  func bytes() -> [UInt8] {
    ProtobufWriter { model in
      model.integer(Field.Model.irVersion, 7)
      model.string(Field.Model.producer, "cupola")
      model.string(Field.Model.producerVersion, cupolaVersion)
      model.string(
        Field.Model.description,
        "Names the building in a photo: an upright photo, \(geometry.shaped()), goes in; "
          + "a label and the probabilities of all labels come out.")
      model.message(Field.Model.graph) { writeGraph(to: &$0) }
      for (domain, version) in [("", 13), (Self.labelDomain, 2)] {
        model.message(Field.Model.operationSets) { set in
          set.string(1, domain)
          set.integer(2, version)
        }
      }
      for (key, value) in notes.sorted(by: { $0.key < $1.key }) {
        model.entry(Field.Model.notes, key) { $0.string(2, value) }
      }
    }.bytes
  }

  private func writeGraph(to writer: inout ProtobufWriter) {
    let emitter = ONNXEmitter(graph)
    let side = graph.nodes[0].shape[1]
    writer.append(emitter.nodes)
    writer.string(Field.Graph.name, "cupola")
    writer.append(emitter.tensors)
    writer.message(Field.Graph.inputs) { value in
      Self.write(Name.image, .uint8, [1, side, side, 3], to: &value)
      value.string(
        Field.Value.description, "RGB, 0 to 255, rows from the top, upright by its EXIF orientation"
      )
    }
    writer.message(Field.Graph.outputs) { value in
      Self.write(Name.label, .string, [1], to: &value)
      value.string(Field.Value.description, "the most probable label")
    }
    writer.message(Field.Graph.outputs) { value in
      Self.write(Name.probabilities, .float, [1, graph.labels.count], to: &value)
      value.string(Field.Value.description, "one a label, in the order of the note \"labels\"")
    }
  }

  private static func write(
    _ name: String, _ type: ElementType, _ shape: [Int], to value: inout ProtobufWriter
  ) {
    value.string(Field.Value.name, name)
    value.message(Field.Value.type) { kind in
      kind.message(1) { tensor in
        tensor.integer(1, type.rawValue)
        tensor.message(2) { sides in
          for side in shape { sides.message(1) { $0.integer(1, side) } }
        }
      }
    }
  }
}

internal import Cupola

// 1. Write the `ModelProto` (`onnx.proto`): versions, graph, operation sets and metadata.
// 2. Write the `GraphProto`; ``ONNXEmitter`` writes its nodes and constants.
// 3. Write a `ValueInfoProto` for the input and each output.

/// A pipeline as an ONNX file with operation set 13 and IR version 7, for runtimes released since 2021.
struct ONNXModel {
  let graph: Graph
  let geometry: Geometry
  let notes: [String: String]

  static let labelDomain = "ai.onnx.ml"

  enum Name {
    static let image = "image"
    static let label = "label"
    static let probabilities = "probabilities"
  }

  enum ElementType: Int {
    case float = 1
    case uint8 = 2
    case int8 = 3
    case int64 = 7
    case string = 8
    case float16 = 10
  }

  /// Returns the file, a `ModelProto`. Equal models produce equal bytes.
  func bytes() -> [UInt8] {
    ProtobufWriter { model in
      model.integer(1, 7)
      model.string(2, "cupola")
      model.string(3, cupolaVersion)
      model.string(
        6,
        "Names the building in a photo. Input: an upright photo, \(geometry.shaped()). "
          + "Output: a label and the probabilities of all labels.")
      model.message(7) { writeGraph(to: &$0) }
      for (domain, version) in [("", 13), (Self.labelDomain, 2)] {
        model.message(8) { set in
          set.string(1, domain)
          set.integer(2, version)
        }
      }
      for (key, value) in notes.sorted(by: { $0.key < $1.key }) {
        model.entry(14, key) { $0.string(2, value) }
      }
    }.bytes
  }

  private func writeGraph(to writer: inout ProtobufWriter) {
    let emitter = ONNXEmitter(graph)
    let side = graph.nodes[0].shape[1]
    writer.append(emitter.nodes)
    writer.string(2, "cupola")
    writer.append(emitter.tensors)
    writer.message(11) { value in
      Self.write(Name.image, .uint8, [1, side, side, 3], to: &value)
      value.string(
        3, "RGB, 0 to 255, rows from the top, rotated upright using the EXIF orientation"
      )
    }
    writer.message(12) { value in
      Self.write(Name.label, .string, [1], to: &value)
      value.string(3, "the most probable label")
    }
    writer.message(12) { value in
      Self.write(Name.probabilities, .float, [1, graph.labels.count], to: &value)
      value.string(
        3, "one probability per label, in the same order as the metadata entry \"labels\"")
    }
  }

  private static func write(
    _ name: String, _ type: ElementType, _ shape: [Int], to value: inout ProtobufWriter
  ) {
    value.string(1, name)
    value.message(2) { kind in
      kind.message(1) { tensor in
        tensor.integer(1, type.rawValue)
        tensor.message(2) { sides in
          for side in shape { sides.message(1) { $0.integer(1, side) } }
        }
      }
    }
  }
}

internal import Cupola

extension ONNXModel {
  /// The file; equal models give equal bytes.
  func bytes() -> [UInt8] {
    ProtobufWriter { model in
      model.integer(Field.Model.irVersion, Self.irVersion)
      model.string(Field.Model.producer, Name.producer)
      model.string(Field.Model.producerVersion, cupolaVersion)
      model.string(Field.Model.description, description)
      model.message(Field.Model.graph) { writeGraph(to: &$0) }
      for (domain, version) in [
        ("", Self.operationSet), (Self.labelDomain, Self.labelOperationSet),
      ] {
        model.message(Field.Model.operationSets) { set in
          set.string(1, domain)
          set.integer(2, version)
        }
      }
      for (key, value) in notes.sorted(by: { $0.key < $1.key }) {
        model.message(Field.Model.notes) { note in
          note.string(1, key)
          note.string(2, value)
        }
      }
    }.bytes
  }

  private var description: String {
    "Names the building in a photo: an upright photo, \(geometry.shaped()), goes in; "
      + "a label and the probabilities of all labels come out."
  }

  private func writeGraph(to writer: inout ProtobufWriter) {
    let emitter = ONNXEmitter(graph)
    let side = graph.nodes[0].shape[1]
    for node in emitter.nodes {
      writer.message(Field.Graph.nodes) { node.write(to: &$0) }
    }
    writer.string(Field.Graph.name, Name.graph)
    for tensor in emitter.tensors {
      writer.message(Field.Graph.tensors) { tensor.write(to: &$0) }
    }
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

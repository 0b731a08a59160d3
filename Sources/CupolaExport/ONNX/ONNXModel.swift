internal import Cupola

/// A pipeline as an ONNX file: operation set 13, IR version 7.
///
/// Input `image`: 8-bit RGB, 1 x side x side x 3. Outputs `label`, one text, and `probabilities`,
/// 1 x labels. Format: the protocol buffers of onnx/onnx, `onnx.proto`, and `ai.onnx.ml` 2 for the label.
struct ONNXModel {
  /// What it computes; channels first.
  let graph: Graph
  /// What is done with a photo.
  let geometry: Geometry
  /// What it says about itself, by name.
  let notes: [String: String]

  /// The newest that runtimes of 2021 read.
  static let irVersion = 7
  static let operationSet = 13
  static let labelOperationSet = 2
  static let labelDomain = "ai.onnx.ml"

  /// Names that apps and files share.
  enum Name {
    static let producer = "cupola"
    static let graph = "cupola"
    static let image = "image"
    static let label = "label"
    static let probabilities = "probabilities"
    static let best = "best"
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
      static let irVersion = 1
      static let producer = 2
      static let producerVersion = 3
      static let description = 6
      static let graph = 7
      static let operationSets = 8
      static let notes = 14
    }
    enum Graph {
      static let nodes = 1
      static let name = 2
      static let tensors = 5
      static let inputs = 11
      static let outputs = 12
    }
    enum Node {
      static let inputs = 1
      static let outputs = 2
      static let operation = 4
      static let attributes = 5
      static let domain = 7
    }
    enum Attribute {
      static let name = 1
      static let integer = 3
      static let text = 4
      static let integers = 8
      static let texts = 9
      static let type = 20
    }
    enum Tensor {
      static let shape = 1
      static let type = 2
      static let integers = 7
      static let name = 8
      static let bytes = 9
    }
    enum Value {
      static let name = 1
      static let type = 2
      static let description = 3
    }
  }
}

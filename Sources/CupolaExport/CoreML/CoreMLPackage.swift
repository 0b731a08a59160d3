package import Cupola

/// A graph as a Core ML package: an ML Program for iOS 15, macOS 12 and later.
///
/// The program computes in single precision: Core ML never runs it in half precision. Its input is a
/// picture, and its outputs are those of a classifier, so that Vision answers with
/// `VNClassificationObservation`s. Format: the protocol buffers of apple/coremltools,
/// `mlmodel/format`; specification version 6, operations `CoreML5`.
package struct CoreMLPackage: Equatable, Sendable {
  /// What it computes.
  package var graph: Graph
  /// What it says about itself.
  package var metadata: CoreMLMetadata

  /// Joins a graph and what is said about it.
  package init(graph: Graph, metadata: CoreMLMetadata) {
    self.graph = graph
    self.metadata = metadata
  }

  /// The package in an export's folder: Xcode makes the class `Campus` of it.
  package static let folder = "Campus.mlpackage"

  /// The format's version: the first with ML Programs.
  static let specificationVersion = 6
  /// The operations of that version.
  static let opset = "CoreML5"

  /// Names of the model's input and outputs, as apps see them.
  enum Name {
    static let image = "image"
    static let label = "classLabel"
    static let probabilities = "classLabel_probs"
  }

  /// Where the files stand in the package.
  package enum Path {
    package static let manifest = "Manifest.json"
    package static let model = "Data/com.apple.CoreML/model.mlmodel"
    package static let weights = "Data/com.apple.CoreML/weights/weight.bin"
    package static let all = [manifest, model, weights]
  }

  /// The formats that constants can be stored in.
  package static let weightFormats = [WeightFormat.float32, .float16]

  /// The package's files by their paths in it; equal packages have equal bytes.
  ///
  /// - Throws: ``CoreMLFault/int8Weights``.
  package func files() throws(CoreMLFault) -> [String: [UInt8]] {
    let (program, weights) = try MILEmitter.program(of: graph)
    return Self.files(program, weights, CoreMLInterface(graph: graph), metadata)
  }

  static func files(
    _ program: MILProgram, _ weights: [UInt8], _ interface: CoreMLInterface,
    _ metadata: CoreMLMetadata
  ) -> [String: [UInt8]] {
    let model = ProtobufWriter { model in
      model.integer(1, specificationVersion)
      model.message(2) { description in
        interface.write(to: &description)
        description.message(100) { metadata.write(to: &$0) }
      }
      model.message(502) { program.write(to: &$0) }
    }.bytes
    let manifest = CoreMLManifest(model: model, weights: weights)
    return [Path.manifest: manifest.bytes, Path.model: model, Path.weights: weights]
  }

  /// Tells whether Xcode can make a class of a package's name, without its `.mlpackage`.
  ///
  /// - Throws: ``CoreMLFault/badName(_:)``.
  package static func check(name: String) throws(CoreMLFault) {
    let isIdentifier =
      name.utf8.allSatisfy { MILProgram.isNameByte($0) } && name.first?.isLetter == true
    guard isIdentifier, !MILProgram.reservedNames.contains(name) else {
      throw CoreMLFault.badName(name)
    }
  }
}

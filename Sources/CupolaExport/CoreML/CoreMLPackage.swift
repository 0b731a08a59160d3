internal import Cupola

/// A graph as a Core ML package: an ML Program for iOS 15, macOS 12 and later.
///
/// The program computes in single precision: Core ML never runs it in half precision. Its input is a
/// picture, and its outputs are those of a classifier, so that Vision answers with
/// `VNClassificationObservation`s. Format: the protocol buffers of apple/coremltools,
/// `mlmodel/format`; specification version 6, operations `CoreML5`.
struct CoreMLPackage {
  /// What it computes; channels first.
  let graph: Graph
  /// What Xcode shows.
  let card: ExportCard
  /// Texts by name, which apps read as `creatorDefinedKey`.
  let texts: [String: String]
  /// What is done with a photo.
  let geometry: Geometry

  /// The package in an export's folder: Xcode makes the class `Campus` of it.
  static let folder = "Campus.mlpackage"

  /// The formats that constants can be stored in: operations for others came with iOS 16.
  static let weightFormats = [WeightFormat.float32, .float16]

  /// The format's version: the first with ML Programs.
  static let specificationVersion = 6
  /// The operations of that version.
  static let opset = "CoreML5"

  /// A map of more bytes stands beside the package only.
  private static let largestMap = 1 << 20

  /// Names of the model's input and outputs, as apps see them.
  enum Name {
    static let image = "image"
    static let label = "classLabel"
    static let probabilities = "classLabel_probs"
  }

  /// Where the files stand in the package.
  enum Path {
    static let model = "Data/com.apple.CoreML/model.mlmodel"
    static let weights = "Data/com.apple.CoreML/weights/weight.bin"
    static let manifest = "Manifest.json"
  }

  /// Joins a graph and what is said about it.
  init(graph: Graph, notes: ExportNotes) {
    self.graph = graph
    card = ExportCard(notes)
    geometry = notes.geometry
    var texts = notes.texts
    if let map = notes.campus, map.count > Self.largestMap { texts[ExportNotes.campusKey] = nil }
    // Xcode looks here for the kind of its preview.
    texts["com.apple.coreml.model.preview.type"] = "imageClassifier"
    self.texts = texts
  }

  /// The package's files, with their paths in it; equal packages have equal bytes.
  func files() -> [(path: String, bytes: [UInt8])] {
    let (program, weights) = MILEmitter.program(of: graph)
    let model = ProtobufWriter { model in
      model.integer(1, Self.specificationVersion)
      model.message(2) { writeDescription(to: &$0) }
      model.message(502) { program.write(to: &$0) }
    }.bytes
    let manifest = CoreMLManifest(model: model, weights: weights)
    return [
      (Path.model, model), (Path.weights, weights), (Path.manifest, manifest.bytes),
    ]
  }

  /// What apps see of the model: a picture in, a label and its probabilities out.
  private func writeDescription(to description: inout ProtobufWriter) {
    let side = graph.nodes[0].shape[1]
    description.message(1) { input in
      input.string(1, Name.image)
      input.string(
        2, "An upright photo, \(geometry.shaped(side: side)) (\(geometry.visionOption)).")
      input.message(3) { type in
        type.message(4) { image in
          image.integer(1, side)
          image.integer(2, side)
          // Red, green, blue.
          image.integer(3, 20)
        }
      }
    }
    description.message(10) { output in
      output.string(1, Name.label)
      output.string(2, "The most probable label.")
      output.message(3) { $0.message(3) { _ in } }
    }
    description.message(10) { output in
      output.string(1, Name.probabilities)
      output.string(2, "The probability of every label.")
      output.message(3) { $0.message(6) { $0.message(2) { _ in } } }
    }
    description.string(11, Name.label)
    description.string(12, Name.probabilities)
    description.message(100) { metadata in
      metadata.string(1, card.description)
      metadata.string(2, card.version)
      metadata.string(3, card.author)
      metadata.string(4, card.license)
      for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
        metadata.entry(100, key) { $0.string(2, value) }
      }
    }
  }
}

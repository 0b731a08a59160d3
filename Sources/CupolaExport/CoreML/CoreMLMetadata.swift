internal import Cupola

/// What a Core ML package says about itself to people, and to apps through
/// `MLModel.modelDescription.metadata`.
package struct CoreMLMetadata: Equatable, Sendable {
  /// What the model is for, shown by Xcode.
  package var description: String
  /// The version of the model, shown by Xcode.
  package var version: String
  /// Who made it.
  package var author: String
  /// What may be done with it.
  package var license: String
  /// Texts by name, which apps read as `creatorDefinedKey`.
  package var userDefined: [String: String]

  /// Joins texts.
  package init(
    description: String, version: String, author: String, license: String,
    userDefined: [String: String]
  ) {
    self.description = description
    self.version = version
    self.author = author
    self.license = license
    self.userDefined = userDefined
  }

  /// A map of more bytes stands beside the package only.
  private static let largestMap = 1 << 20

  /// What an export's notes say.
  init(_ notes: ExportNotes) {
    var texts = notes.texts
    if let map = notes.campus, map.count > Self.largestMap { texts[ExportNotes.campusKey] = nil }
    self.init(
      description: "Names the building in a photo, or \(Graph.notACampusBuilding). "
        + "Photos must be upright; scale them to fill, do not crop.",
      // Of the model file: it changes when the model does.
      version: String((texts["model_sha256"] ?? "").prefix(12)),
      author: "Cupola \(cupolaVersion)", license: "as its maker grants it", userDefined: texts)
  }

  /// The name under which Xcode looks for the kind of its preview, and what it is here.
  package static let preview = (
    key: "com.apple.coreml.model.preview.type", value: "imageClassifier"
  )

  func write(to writer: inout ProtobufWriter) {
    writer.string(1, description)
    writer.string(2, version)
    writer.string(3, author)
    writer.string(4, license)
    let texts = userDefined.merging([Self.preview.key: Self.preview.value]) { $1 }
    for (key, value) in texts.sorted(by: { $0.key < $1.key }) {
      writer.entry(100, key) { $0.string(2, value) }
    }
  }

  init(_ message: CoreMLMessage) throws(CoreMLFault) {
    var texts: [String] = []
    for (number, what) in ["description", "version", "author", "licence"].enumerated() {
      guard let text = try message.string(number + 1) else {
        throw message.fault("the \(what) is missing")
      }
      texts.append(text)
    }
    (description, version, author, license) = (texts[0], texts[1], texts[2], texts[3])
    userDefined = try message.texts(100)
    guard userDefined.removeValue(forKey: Self.preview.key) == Self.preview.value else {
      throw message.fault("\(Self.preview.key) is not \(Self.preview.value)")
    }
  }
}

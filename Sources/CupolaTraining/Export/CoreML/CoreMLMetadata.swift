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

  init(_ reader: ProtobufReader) throws(CoreMLFault) {
    description = try reader.text(1, "the description")
    version = try reader.text(2, "the version")
    author = try reader.text(3, "the author")
    license = try reader.text(4, "the licence")
    userDefined = [:]
    for (key, entry) in try CoreMLFault.model(in: "metadata", { try reader.entries(100) }) {
      userDefined[key] = try entry.text(2, key)
    }
    guard userDefined.removeValue(forKey: Self.preview.key) == Self.preview.value else {
      throw CoreMLFault.badModel("\(Self.preview.key) is not \(Self.preview.value)")
    }
  }
}

extension ProtobufReader {
  /// A text that must be there.
  fileprivate func text(_ number: Int, _ what: String) throws(CoreMLFault) -> String {
    guard let text = try CoreMLFault.model(in: what, { try string(number) }) else {
      throw CoreMLFault.badModel("\(what) is missing")
    }
    return text
  }
}

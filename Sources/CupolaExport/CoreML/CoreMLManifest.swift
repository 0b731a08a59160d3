internal import Cupola

/// Manifest.json, which leads Core ML to the files of the package.
///
/// Core ML wants identifiers that are unique; these are made from the files' SHA-256, so that equal
/// exports are equal.
struct CoreMLManifest {
  /// The identifiers of the files.
  private let model: String
  private let weights: String

  private static let items = [
    (name: "model.mlmodel", path: "com.apple.CoreML/model.mlmodel", what: "Specification"),
    (name: "weights", path: "com.apple.CoreML/weights", what: "Weights"),
  ]

  init(model: [UInt8], weights: [UInt8]) {
    self.model = Self.identifier("model", model)
    self.weights = Self.identifier("weights", weights)
  }

  /// The file.
  var bytes: [UInt8] {
    let entries = zip([model, weights], Self.items).map { identifier, item in
      """
          "\(identifier)": {
            "author": "com.apple.CoreML",
            "description": "CoreML Model \(item.what)",
            "name": "\(item.name)",
            "path": "\(item.path)"
          }
      """
    }
    let text = """
      {
        "fileFormatVersion": "1.0.0",
        "itemInfoEntries": {
      \(entries.sorted().joined(separator: ",\n"))
        },
        "rootModelIdentifier": "\(model)"
      }

      """
    return Array(text.utf8)
  }

  /// A UUID of version 8 (RFC 9562) from the file's contents.
  private static func identifier(_ role: String, _ bytes: [UInt8]) -> String {
    var hash = SHA256()
    hash.update(Array("cupola.coreml.\(role)\n".utf8))
    hash.update(bytes)
    var uuid = Array(hash.digest().prefix(16))
    uuid[6] = uuid[6] & 0x0F | 0x80
    uuid[8] = uuid[8] & 0x3F | 0x80
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hex.text(Array(uuid[$0])) }
      .joined(separator: "-").uppercased()
  }
}

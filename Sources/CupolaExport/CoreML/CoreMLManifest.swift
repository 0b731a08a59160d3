internal import Crypto

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Manifest.json, which leads Core ML to the files of the package.
///
/// Core ML wants identifiers that are unique; these are made from the files' SHA-256, so that equal
/// exports are equal, and a file that was changed is seen.
struct CoreMLManifest: Equatable {
  /// The identifiers of the files.
  let model: String
  let weights: String

  /// The longest file that is read.
  static let maximumBytes = 1 << 16

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

  private struct File: Decodable {
    struct Item: Decodable {
      let author: String
      let name: String
      let path: String
    }

    let fileFormatVersion: String
    let itemInfoEntries: [String: Item]
    let rootModelIdentifier: String
  }

  /// Reads a manifest, and checks that it leads to the files where they are.
  ///
  /// - Throws: ``CoreMLFault/badManifest(_:)``.
  init(bytes: [UInt8]) throws(CoreMLFault) {
    guard bytes.count <= Self.maximumBytes,
      let file = try? JSONDecoder().decode(File.self, from: Data(bytes))
    else { throw CoreMLFault.badManifest("not the JSON of a Core ML package") }
    guard file.fileFormatVersion == "1.0.0" else {
      throw CoreMLFault.badManifest("its fileFormatVersion is not 1.0.0")
    }
    var identifiers: [String] = []
    for item in Self.items {
      let found = file.itemInfoEntries.filter { $0.value.path == item.path }
      guard let entry = found.first, found.count == 1, entry.value.name == item.name,
        entry.value.author == "com.apple.CoreML"
      else { throw CoreMLFault.badManifest("it does not lead to \(item.path)") }
      identifiers.append(entry.key)
    }
    guard file.itemInfoEntries.count == Self.items.count else {
      throw CoreMLFault.badManifest("it names files that do not belong there")
    }
    guard file.rootModelIdentifier == identifiers[0] else {
      throw CoreMLFault.badManifest("its rootModelIdentifier is not the model's")
    }
    (model, weights) = (identifiers[0], identifiers[1])
  }

  /// A UUID of version 8 (RFC 9562) from the file's contents.
  private static func identifier(_ role: String, _ bytes: [UInt8]) -> String {
    var digest = SHA256()
    digest.update(data: Array("cupola.coreml.\(role)\n".utf8))
    digest.update(data: bytes)
    var uuid = Array(digest.finalize().prefix(16))
    uuid[6] = uuid[6] & 0x0F | 0x80
    uuid[8] = uuid[8] & 0x3F | 0x80
    let digits = uuid.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      .joined(separator: "-").uppercased()
  }
}

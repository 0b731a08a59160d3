internal import CupolaSupport

// 1. Collect the texts that a publisher adds to an export, and photos of the model's buildings.
// 2. Write the texts to `export.json`, and read them to repeat the export.

/// The publisher's texts for an exported model, and photos to include as test photos.
package struct ExportOptions: Equatable, Sendable {
  /// The model's title. (default: Campus recognizer)
  package var name: String?
  /// The publisher. (default: Cupola and its version)
  package var author: String?
  package var license: String?
  /// The version of the model. (default: the start of the model file's SHA-256)
  package var version: String?
  /// The target fraction of wrong answers; `nil` for the default thresholds.
  package var maximumError: Double?
  /// Photos of the model's buildings. They are published with the export.
  package var photos: [Photo]
  /// The compiled program of a web export; `nil` to compile it.
  package var program: [UInt8]?

  package struct Photo: Equatable, Sendable {
    let label: String
    let jpeg: [UInt8]

    package init(label: String, jpeg: [UInt8]) {
      (self.label, self.jpeg) = (label, jpeg)
    }
  }

  /// Creates options. Texts that are `nil` have their default.
  package init(
    name: String? = nil, author: String? = nil, license: String? = nil, version: String? = nil,
    maximumError: Double? = nil, photos: [Photo] = []
  ) {
    self.maximumError = maximumError
    (self.name, self.author, self.license, self.version) = (name, author, license, version)
    self.photos = photos
  }
}

extension ExportOptions {
  private static let errorKey = "max_error"

  /// The texts and the error rate by their keys in `notes`.
  var notes: [String: JSONValue] {
    let texts = ["name": name, "author": author, "license": license, "model_version": version]
    return texts.compactMapValues { $0.map { .string($0) } }
      .merging(maximumError.map { [Self.errorKey: JSONValue(reading: $0)] } ?? [:]) { $1 }
  }

  /// The options of an export, without photos.
  init(_ manifest: ExportManifest) {
    self.init(
      name: manifest.note("name"), author: manifest.note("author"),
      license: manifest.note("license"), version: manifest.note("model_version"),
      maximumError: manifest.notes[Self.errorKey]?.double.flatMap { 0 < $0 && $0 < 1 ? $0 : nil })
  }
}

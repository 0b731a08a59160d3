/// Why a graph cannot be written as a Core ML package, or what is wrong with one.
package enum CoreMLFault: Error, Equatable, Sendable {
  /// Weights in a format that ML Programs for iOS 15 have no operation for.
  case int8Weights
  /// A name that Xcode could make no class of.
  case badName(String)
  /// A file that belongs into the package is not there.
  case missingFile(String)
  /// A file that does not belong there.
  case unknownFile(String)
  /// Manifest.json does not say what it must.
  case badManifest(String)
  /// The model's description, its interface or its encoding.
  case badModel(String)
  /// weight.bin.
  case badWeights(String)
  /// One operation of the program.
  case badOperation(String, String)
  /// A file is not the one that the manifest was made for.
  case changed(String)

  /// One line for people: what is wrong and what to do.
  package var message: String {
    switch self {
    case .int8Weights:
      "Core ML has no int8 weights before iOS 16; export with --weights float16 or float32"
    case .badName(let name):
      "\"\(name)\" is no Swift name, and Xcode makes a class of it; "
        + "use letters, digits and _, beginning with a letter"
    case .missingFile(let path): "\(path) is missing; copy the whole folder, or export again"
    case .unknownFile(let path): "\(path) does not belong into the package; remove it"
    case .badManifest(let what): "Manifest.json: \(what); export again"
    case .badModel(let what): "model.mlmodel: \(what); export again"
    case .badWeights(let what): "weight.bin: \(what); copy it again, or export again"
    case .badOperation(let name, let what): "model.mlmodel: \(name): \(what); export again"
    case .changed(let path): "\(path) was changed after the export; export again"
    }
  }
}

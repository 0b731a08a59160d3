#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Values as JSON in the texts of files.
enum JSONText {
  /// Reads what `ModelFile.json(_:)` wrote.
  static func value<Value: Decodable>(_ type: Value.Type, in text: String) throws -> Value {
    try JSONDecoder().decode(type, from: Data(text.utf8))
  }
}

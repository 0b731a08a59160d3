// swift-format-ignore-file
// Stubs of the Core ML API that the guide uses, written after Apple's documentation.
public import Foundation

public struct MLModelMetadataKey: Hashable, Sendable {
  public static let creatorDefinedKey = MLModelMetadataKey()
}

public class MLModelDescription {
  public let metadata: [MLModelMetadataKey: Any]
  init(_ metadata: [MLModelMetadataKey: Any]) { self.metadata = metadata }
}

public class MLModel {
  public let modelDescription: MLModelDescription

  /// Not part of Apple's API. Creates a model that only has notes.
  public init(notes: [String: String]) {
    modelDescription = MLModelDescription([.creatorDefinedKey: notes])
  }

  /// Not part of Apple's API. The notes of all models that are loaded.
  nonisolated(unsafe) public static var notes: [String: String] = [:]

  public convenience init(contentsOf url: URL) throws { self.init(notes: Self.notes) }

  public class func compileModel(at url: URL) throws -> URL { url }
}

import Foundation

@testable import Cupola

/// The smallest model of the corpus. It has three labels; two are buildings of a map.
enum FuzzModel {
  static let digest = String(repeating: "0", count: 64)

  static func model() throws(FuzzFailure) -> Model {
    guard let shared else { throw FuzzFailure("the model of the target cannot be read") }
    return shared
  }

  private static let shared: Model? = {
    let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Corpus/model/fisher")
    return (try? Data(contentsOf: file)).flatMap { FuzzModel.sealed(Array($0))?.model }
  }()

  /// Returns a model file with corrected digests, so that fuzzing reaches the code behind the digest check.
  static func sealed(_ bytes: [UInt8]) -> (bytes: [UInt8], model: Model)? {
    guard let file = try? SafeTensors(bytes: bytes), let sealed = try? ModelSeal.bytes(of: file),
      let model = try? Model(bytes: sealed)
    else { return nil }
    return (sealed, model)
  }
}

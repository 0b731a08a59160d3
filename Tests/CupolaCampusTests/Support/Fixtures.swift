import Foundation

@testable import CupolaCampus
@testable import CupolaSupport

/// Fixtures created by `Scripts/goldens`.
enum Fixtures {
  static func bytes(_ path: String) throws -> [UInt8] {
    try FileAccess.read(Bundle.module.bundleURL.appending(path: "Fixtures/\(path)").path)
  }

  static func json<Value: Decodable>(_ path: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(bytes(path)))
  }
}

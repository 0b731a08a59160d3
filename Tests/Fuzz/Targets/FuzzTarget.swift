/// Code that reads untrusted bytes.
struct FuzzTarget: Sendable {
  /// The name of the corpus folder and dictionary, and the argument of `Scripts/verify fuzz`.
  let name: String
  /// Reads the bytes. It may reject them but must not crash, hang or exhaust memory.
  ///
  /// - Throws: ``FuzzFailure`` if the results are inconsistent.
  let run: @Sendable ([UInt8]) throws -> Void

  static let all: [FuzzTarget] = [
    photos, models, maps, guides, transit, hours, tours, journals, tables, shards, evaluations,
    served,
  ].flatMap(\.self)

  init(_ name: String, _ run: @escaping @Sendable ([UInt8]) throws -> Void) {
    (self.name, self.run) = (name, run)
  }
}

struct FuzzFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static func unless(_ condition: Bool, _ description: String) throws(FuzzFailure) {
    if !condition { throw FuzzFailure(description) }
  }
}

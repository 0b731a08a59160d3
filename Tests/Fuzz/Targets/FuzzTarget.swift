/// Something that reads bytes of strangers.
struct FuzzTarget: Sendable {
  /// What the corpus' folder, the dictionary and `Scripts/verify fuzz` call it.
  let name: String
  /// Reads the bytes. It may refuse them, but not crash, hang or fill the memory.
  ///
  /// - Throws: ``FuzzFailure`` where what was read contradicts itself.
  let run: @Sendable ([UInt8]) throws -> Void

  /// All of them.
  static let all: [FuzzTarget] = [
    photos, models, maps, guides, transit, hours, tours, journals, tables, shards, evaluations,
    served,
  ].flatMap(\.self)

  init(_ name: String, _ run: @escaping @Sendable ([UInt8]) throws -> Void) {
    (self.name, self.run) = (name, run)
  }
}

/// What was read contradicts itself.
struct FuzzFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// - Throws: itself unless the condition holds.
  static func unless(_ condition: Bool, _ description: String) throws(FuzzFailure) {
    if !condition { throw FuzzFailure(description) }
  }
}

import ArgumentParser

/// The two forms of JSON of commands that have many answers.
enum JSONForms {
  /// Refuses both at once, of which one would do nothing.
  ///
  /// - Throws: `ValidationError`.
  static func check(json: Bool, jsonl: Bool) throws {
    guard json, jsonl else { return }
    throw ValidationError("--json is one array, --jsonl a line for each answer: leave one out.")
  }
}

internal import CupolaSupport

/// What is known of a device's file since it was read.
struct JournalKnownFile: Sendable {
  /// Bytes that were read.
  var bytes = 0
  /// Which file they are of: one that replaces another may be as long.
  var identity: Directory.Identity?
  /// Whether what is added begins on a line of its own.
  var endsClean = true
  /// Why nothing of it was read, and nothing may be added.
  var problem: String?
  /// What was found in it.
  var findings: [JournalFinding] = []

  /// Whether a file is as it was.
  func isStill(_ path: String) -> Bool {
    identity == Directory.Identity(of: path) && (try? FileAccess.size(of: path)) == bytes
  }

  /// Of a file that is passed over.
  static func passedOver(
    _ name: String, _ problem: String, bytes: Int, identity: Directory.Identity?
  ) -> JournalKnownFile {
    JournalKnownFile(
      bytes: bytes, identity: identity, problem: problem,
      findings: [.badFile(file: name, problem: problem)])
  }
}

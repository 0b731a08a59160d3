import Foundation

/// Where the package lies on the machine that built the tests.
enum PackageFolder {
  /// The folder that contains `Package.swift`.
  static let root: URL = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path != "/", !exists(folder.appending(path: "Package.swift")) {
      folder.deleteLastPathComponent()
    }
    return folder
  }()

  static func exists(_ place: URL) -> Bool { FileManager.default.fileExists(atPath: place.path) }
}

/// Runs `body` with an empty folder that is removed afterwards.
func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appending(path: "cupola-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try body(folder)
}

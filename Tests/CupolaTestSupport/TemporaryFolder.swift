package import Foundation

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A folder of its own for one test, removed with everything in it when the test is over.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "cupola-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file and the folders on its way; returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8] = [], to name: String) throws -> String {
    let url = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  /// Writes a text file and the folders on its way; returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes empty files.
  package func touch(_ names: String...) throws { for name in names { try write(to: name) } }
}

extension TemporaryFolder {
  /// The path of something in the folder.
  package func path(_ name: String) -> String { path + "/" + name }

  /// The permissions of a file or folder in the folder.
  package func mode(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
    return attributes[.posixPermissions] as? Int
  }

  /// The bytes of a file in the folder.
  package func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// Every file below the folder with its bytes.
  package func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      contents[name] = FileManager.default.contents(atPath: path(name))
    }
    return contents
  }
}

// MARK: - Names of any bytes

extension TemporaryFolder {
  /// Whether files can have names that are no UTF-8 here; APFS refuses them.
  package static let acceptsAnyName: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? folder.create([0xE9])) != nil
  }()

  private struct Refused: Error {}

  /// Creates an empty file, whose name may be no UTF-8, in a folder within this one.
  package func create(_ name: [UInt8], in parent: String = ".") throws {
    let bytes = (Array(path(parent + "/").utf8) + name + [0]).map { CChar(bitPattern: $0) }
    let file = unsafe open(bytes, O_WRONLY | O_CREAT, 0o644)
    guard file >= 0 else { throw Refused() }
    close(file)
  }
}

/// Runs `body` with an empty folder that is removed afterwards.
package func withTemporaryFolder(_ body: (URL) throws -> Void) throws {
  let folder = try TemporaryFolder()
  try withExtendedLifetime(folder) { try body(URL(filePath: folder.path)) }
}

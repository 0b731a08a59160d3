package import Foundation

#if canImport(Darwin)
  internal import Darwin
#else
  internal import Glibc
#endif

/// A temporary folder that is removed with its content at the end of a test.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "cupola-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Writes a file, creates its folders, and returns its path.
  @discardableResult
  package func write(_ bytes: [UInt8] = [], to name: String) throws -> String {
    let url = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return url.path
  }

  /// Writes a text file, creates its folders, and returns its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a program, creates its folders, and returns its path.
  ///
  /// A child process writes the file. If this process wrote it, a program started by another test at that moment
  /// could inherit the open file, and running it would fail with "Text file busy".
  @discardableResult
  package func write(program text: String, to name: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", #"cp "$0" "$1" && chmod 755 "$1" && rm "$0""#]
    process.arguments? += [try write(text, to: name + ".text"), path(name)]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    return path(name)
  }

  package func touch(_ names: String...) throws { for name in names { try write(to: name) } }
}

extension TemporaryFolder {
  package func path(_ name: String) -> String { path + "/" + name }

  package func mode(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: path(name))
    return attributes[.posixPermissions] as? Int
  }

  package func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path(name))))
  }

  /// Returns all files in the folder with their bytes.
  package func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
      contents[name] = FileManager.default.contents(atPath: path(name))
    }
    return contents
  }
}

// MARK: - Arbitrary names

extension TemporaryFolder {
  /// Whether file names may be invalid UTF-8; APFS rejects them.
  package static let acceptsAnyName: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? folder.create([0xE9])) != nil
  }()

  private struct Refused: Error {}

  /// Creates an empty file in a subfolder. The name may be invalid UTF-8.
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

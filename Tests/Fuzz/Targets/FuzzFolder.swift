import Foundation

/// A temporary folder for code that reads from a path.
struct FuzzFolder {
  let path: String

  /// - Parameter name: A name that no other target uses at the same time; `nil` creates one.
  init(_ name: String? = nil) {
    let shared = "/dev/shm"
    let memory =
      FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    path = memory + "/cupola-fuzz-" + (name ?? UUID().uuidString)
  }

  func fill(_ files: [String: [UInt8]]) throws(FuzzFailure) {
    remove()
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      for (name, bytes) in files {
        try Data(bytes).write(to: URL(filePath: path).appending(path: name))
      }
    } catch {
      throw FuzzFailure("cannot write \(path): \(error)")
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: path) }
}

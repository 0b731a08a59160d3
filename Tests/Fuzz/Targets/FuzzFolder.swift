import CupolaCampus
import Foundation

/// A folder for what is read by path, emptied for each input.
struct FuzzFolder {
  let path: String

  /// - Parameter name: of the target; two of one process share none.
  init(_ name: String) {
    let id = ProcessInfo.processInfo.processIdentifier
    let shared = "/dev/shm"
    let memory =
      FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    path = "\(memory)/cupola-fuzz-\(name)-\(id)"
  }

  /// Empties the folder and writes files into it.
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

  /// Removes the folder.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}

import Foundation

/// A folder for what is read by path, emptied for each input.
struct FuzzFolder {
  let path: String

  /// - Parameter name: what nothing else of the process uses at the same time; `nil` makes one.
  init(_ name: String? = nil) {
    let shared = "/dev/shm"
    let memory =
      FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    path = memory + "/cupola-fuzz-" + (name ?? UUID().uuidString)
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

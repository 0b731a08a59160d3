#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lists folders by the bytes of their names, so that a name that is no UTF-8 is seen and told.
package enum Directory {
  package struct Entry: Equatable {
    /// The name; bytes that are no UTF-8 are shown as U+FFFD.
    package let name: String
    package let isDirectory: Bool
    /// Whether `name` is the true name: a file with another one cannot be opened by it.
    package let isUTF8: Bool
  }

  /// Everything in a folder but hidden names, sorted by the bytes of the names.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
  package static func entries(of path: String) throws(FileError) -> [Entry] {
    try allEntries(of: path).filter { !$0.name.hasPrefix(".") }
  }

  /// Names of folders that begin with a dot, but for this one and the one above; none where the folder
  /// cannot be read.
  package static func hiddenFolders(in path: String) -> [String] {
    ((try? allEntries(of: path)) ?? [])
      .filter { $0.name.hasPrefix(".") && $0.isDirectory && $0.name != "." && $0.name != ".." }
      .map(\.name)
  }

  private static func allEntries(of path: String) throws(FileError) -> [Entry] {
    guard let directory = unsafe opendir(path) else {
      throw FileError.cannotRead(path: path, code: errno)
    }
    defer { unsafe closedir(directory) }
    var names: [[UInt8]] = []
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        unsafe Array(bytes.prefix { $0 != 0 })
      }
      names.append(name)
    }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.map { bytes in
      let name = String(decoding: bytes, as: UTF8.self)
      return Entry(
        name: name, isDirectory: isDirectory(path + "/" + name),
        isUTF8: String(validating: bytes, as: UTF8.self) != nil)
    }
  }

  /// Whether a path leads to a folder.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path leads to anything.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Makes a folder unless it is there; its parent must be.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  package static func create(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o755) != 0, errno != EEXIST else { return }
    throw FileError.cannotWrite(path: path, code: errno)
  }

  /// Makes a folder and those above it unless they are there.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  package static func createAll(_ path: String) throws(FileError) {
    let slashes = path.indices.filter { path[$0] == "/" && $0 != path.startIndex }
    for end in slashes + [path.endIndex] where !exists(String(path[..<end])) {
      try create(String(path[..<end]))
    }
  }

  /// Gives a file or folder another name on the same disk.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)`` about the new name.
  package static func rename(_ path: String, to other: String) throws(FileError) {
    #if canImport(Darwin)
      let status = unsafe Darwin.rename(path, other)
    #else
      let status = unsafe Glibc.rename(path, other)
    #endif
    guard status == 0 else { throw FileError.cannotWrite(path: other, code: errno) }
  }
}

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Writes files so that no half-written file is ever seen:
//
// 1. Find the target behind links, and the mode and owner of a file that is replaced.
// 2. Write a temporary file next to it, `NAME.part-` and 16 hexadecimal digits.
// 3. Sync it, unless it can be made again.
// 4. Rename it over the target, and sync the folder.
//
// Whenever a writer is killed, the target is whole: the old file or the new one. Its temporary file is removed by the
// first command that writes to the folder a day later.

extension FileAccess {
  /// Adds bytes to a file that is being written.
  package typealias Adder = ([UInt8]) throws(FileError) -> Void

  /// Replaces or creates a file.
  ///
  /// Links are followed, so that they stay. The new file has the mode of the old one, and its owner where that is
  /// permitted.
  ///
  /// - Parameter synced: whether to wait until the disk has it; a file that can be made again need not.
  /// - Throws: ``FileError``; the old file is then untouched.
  package static func write(
    _ bytes: [UInt8], to path: String, synced: Bool = true
  ) throws(FileError) {
    try write(to: path, synced: synced) { add throws(FileError) in try add(bytes) }
  }

  /// Replaces or creates a file whose bytes are made while it is written.
  ///
  /// - Parameter make: adds bytes to the file by the function it is given.
  /// - Throws: ``FileError``, also what `make` throws; the old file is then untouched.
  package static func write(
    to path: String, synced: Bool = true, make: (Adder) throws(FileError) -> Void
  ) throws(FileError) {
    let target = try WriteTarget(path)
    // Caches are large folders that are trimmed anyway.
    if synced { TemporaryFile.sweepOnce(folder(of: target.path)) }
    let file = try TemporaryFile(for: target)
    do throws(FileError) {
      try file.fill(synced: synced, make)
      try file.rename()
    } catch {
      file.remove()
      throw error
    }
    if synced { syncFolder(of: target.path) }
  }

  /// A file that is written together with others.
  package struct NewFile {
    let name: String
    let make: (Adder) throws(FileError) -> Void

    /// - Parameter name: its name in the folder.
    package init(_ name: String, make: @escaping (Adder) throws(FileError) -> Void) {
      (self.name, self.make) = (name, make)
    }

    package init(_ name: String, _ bytes: [UInt8]) {
      self.init(name) { add throws(FileError) in try add(bytes) }
    }
  }

  /// Replaces or creates several files of a folder: no file is replaced before all are on the disk.
  ///
  /// - Throws: ``FileError``; while files are written, the old ones are then untouched.
  package static func write(_ files: [NewFile], in folder: String) throws(FileError) {
    var written: [TemporaryFile] = []
    do throws(FileError) {
      TemporaryFile.sweepOnce(folder + "/")
      for file in files {
        let temporary = try TemporaryFile(for: WriteTarget(folder + "/" + file.name))
        written.append(temporary)
        try temporary.fill(synced: true, file.make)
      }
      while let first = written.first {
        try first.rename()
        written.removeFirst()
      }
    } catch {
      for file in written { file.remove() }
      throw error
    }
    syncFolder(of: folder + "/")
  }

  /// Checks early whether a file could be written, before long work is done for it.
  ///
  /// - Parameter path: of the file; with a slash at its end, of the folder itself.
  /// - Throws: ``FileError`` when the folder is missing or closed, or what stands there is no file.
  package static func checkFolder(of path: String) throws(FileError) {
    let target = path.hasSuffix("/") ? path : try WriteTarget(path).path
    guard unsafe access(folder(of: target), W_OK) == 0 else {
      throw .cannotWrite(path: path, code: errno)
    }
  }

  /// Whether a name is that of a temporary file that was to become a file.
  package static func isPart(_ name: some StringProtocol, of file: String) -> Bool {
    name.hasPrefix(TemporaryFile.stem(of: file))
  }

  /// Removes files of a folder whose names begin with a prefix and that did not change for some seconds.
  package static func removeOld(startingWith prefix: String, in folder: String, seconds: Int) {
    removeOld(in: folder + "/", seconds: seconds) { $0.starts(with: prefix.utf8) }
  }

  /// Removes files of a folder that did not change for some seconds and whose names pass a test.
  ///
  /// - Parameter folder: with a slash at its end, or "." for the current one.
  fileprivate static func removeOld(
    in folder: String, seconds: Int, where isRemoved: (_ name: [UInt8]) -> Bool
  ) {
    for name in (try? Directory.names(in: folder)) ?? [] where isRemoved(name) {
      guard let text = String(validating: name, as: UTF8.self) else { continue }
      let path = folder.hasSuffix("/") ? folder + text : text
      guard Directory.kind(of: path) == .file, let age = Directory.age(of: path), age > seconds
      else { continue }
      Directory.remove(path)
    }
  }

  /// Makes the rename itself durable; a file system that cannot do so is no reason to fail.
  private static func syncFolder(of path: String) {
    let directory = unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    _ = fsync(directory)
    close(directory)
  }
}

/// A file that is written next to its target.
private struct TemporaryFile {
  private let path: String
  private let target: WriteTarget
  private let file: Int32

  private static let mark = ".part-"
  /// Hexadecimal digits after the mark.
  private static let digits = 16
  /// Bytes of a name that file systems take.
  private static let longestName = 255
  private static let secondsOfDay = 86_400
  private static let swept = Locked<Set<String>>([])

  init(for target: WriteTarget) throws(FileError) {
    // Of several files none is replaced when the name of one is too long for the rename.
    let name = target.path[Self.startOfName(in: target.path)...]
    guard name.utf8.count <= Self.longestName else {
      throw .cannotWrite(path: target.name, code: ENAMETOOLONG)
    }
    // Until it has the mode of the file that it replaces, only its owner may read it.
    let mode: mode_t = target.earlier == nil ? 0o666 : 0o600
    path = Self.stem(of: target.path) + Hex.text(UInt64.random(in: 0...UInt64.max))
    file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    self.target = target
    guard file >= 0 else { throw .cannotWrite(path: target.name, code: errno) }
  }

  /// Writes all bytes and closes the file.
  func fill(
    synced: Bool, _ make: (FileAccess.Adder) throws(FileError) -> Void
  ) throws(FileError) {
    defer { close(file) }
    try make { bytes throws(FileError) in
      let failure = FileAccess.writeAll(bytes, to: file)
      guard failure == 0 else { throw .cannotWrite(path: target.name, code: failure) }
    }
    if synced, fsync(file) != 0 { throw .cannotWrite(path: target.name, code: errno) }
    if let earlier = target.earlier {
      _ = fchown(file, earlier.owner, earlier.group)
      _ = fchmod(file, earlier.mode)
    }
  }

  /// Takes the target's place.
  func rename() throws(FileError) {
    try FileError.naming(target.name) { () throws(FileError) in
      try Directory.rename(path, to: target.path)
    }
  }

  func remove() { Directory.remove(path) }

  /// The beginning of the names of a file's temporary files; of a long name only a part fits.
  static func stem(of target: String) -> String {
    let start = startOfName(in: target)
    var name = target[start...]
    while name.utf8.count + mark.utf8.count + digits > longestName { name.removeLast() }
    return target[..<start] + name + mark
  }

  private static func startOfName(in path: String) -> String.Index {
    path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
  }

  /// Removes temporary files in a folder that are a day old, the first time that this process writes there.
  static func sweepOnce(_ folder: String) {
    guard swept.withLock({ $0.insert(folder).inserted }) else { return }
    FileAccess.removeOld(in: folder, seconds: secondsOfDay) { name in
      name.count > mark.utf8.count + digits && name.suffix(digits).allSatisfy(Hex.isDigit)
        && name.dropLast(digits).suffix(mark.utf8.count).elementsEqual(mark.utf8)
    }
  }
}

/// Where a file is written: behind the links of its name, and over nothing but a file.
struct WriteTarget {
  /// The path as the caller gave it.
  let name: String
  /// The same behind links.
  let path: String
  /// Mode and owner of the file that is replaced; `nil` for a new one.
  let earlier: (mode: mode_t, owner: uid_t, group: gid_t)?

  /// As many links as systems follow.
  private static let mostLinks = 40

  /// - Throws: ``FileError/notReplaceable(path:)`` for devices and the like,
  ///   ``FileError/noFolder(path:folder:)``, ``FileError/cannotWrite(path:code:)``.
  init(_ name: String) throws(FileError) {
    self.name = name
    var status = stat()
    if unsafe stat(name, &status) != 0 {
      earlier = nil
    } else if status.st_mode & S_IFMT == S_IFREG {
      earlier = (status.st_mode & 0o777, status.st_uid, status.st_gid)
    } else if status.st_mode & S_IFMT == S_IFDIR {
      throw .cannotWrite(path: name, code: EISDIR)
    } else {
      throw .notReplaceable(path: name)
    }
    path = try Self.target(of: name)
    let folder = FileAccess.folder(of: path)
    guard unsafe stat(folder, &status) != 0 else { return }
    guard errno == ENOENT else { throw .cannotWrite(path: name, code: errno) }
    throw .noFolder(path: name, folder: folder.count > 1 ? String(folder.dropLast()) : folder)
  }

  /// Follows the links of the last name by hand: the file that they lead to need not exist.
  private static func target(of path: String) throws(FileError) -> String {
    var target = path
    for _ in 0..<mostLinks {
      var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe readlink(target, &buffer, buffer.count)
      guard count >= 0 else { return target }
      guard
        let name = String(
          validating: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      else {
        throw .cannotWrite(path: path, code: EILSEQ)
      }
      let folder = target.contains("/") ? FileAccess.folder(of: target) : ""
      target = name.hasPrefix("/") ? name : folder + name
    }
    throw .cannotWrite(path: path, code: ELOOP)
  }
}

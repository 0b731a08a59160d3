#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// Writes files atomically:
//
// 1. Resolve links, and get the mode and owner of the file that is replaced.
// 2. Write a temporary file in the same folder, `NAME.part-` plus 16 hexadecimal digits.
// 3. Sync the file, unless the caller can recreate the data.
// 4. Rename the file over the target, and sync the folder.
//
// If a writer is killed, the target is either the old file or the new one. The temporary file is locked while it is
// used. The first write of a process to a folder removes temporary files that are not locked.

extension FileAccess {
  package typealias Adder = ([UInt8]) throws(FileError) -> Void

  /// Creates or replaces a file.
  ///
  /// Follows links. Keeps a replaced file's mode, and its owner if permitted.
  ///
  /// - Parameters:
  ///   - synced: Whether to wait until the data is on disk. Not needed for data that can be recreated.
  ///   - isPrivate: Whether only the owner can read the new file, whatever the mode of the replaced file.
  /// - Throws: ``FileError``, in which case the old file is unchanged.
  package static func write(
    _ bytes: [UInt8], to path: String, synced: Bool = true, isPrivate: Bool = false
  ) throws(FileError) {
    try write(to: path, synced: synced, isPrivate: isPrivate) { add throws(FileError) in
      try add(bytes)
    }
  }

  /// Creates or replaces a file. `make` receives a function that appends bytes.
  package static func write(
    to path: String, synced: Bool = true, isPrivate: Bool = false,
    make: (Adder) throws(FileError) -> Void
  ) throws(FileError) {
    let target = try WriteTarget(path)
    TemporaryFile.sweepOnce(folder(of: target.path))
    let file = try TemporaryFile(for: target, isPrivate: isPrivate)
    do throws(FileError) {
      try file.fill(synced: synced, make)
      try file.rename()
    } catch {
      file.remove()
      throw error
    }
    if synced { syncFolder(of: target.path) }
  }

  /// Creates a file that only its owner can read. Throws if the path exists, even as a broken link.
  ///
  /// Other processes never see an incomplete file.
  package static func createPrivate(_ bytes: [UInt8], at path: String) throws(FileError) {
    try create(bytes, at: path, isPrivate: true)
  }

  /// Creates a file. Throws `EEXIST` if the path exists, even as a broken link.
  package static func create(
    _ bytes: [UInt8], at path: String, synced: Bool = true, isPrivate: Bool = false
  ) throws(FileError) {
    // If a killed writer had completed the last file, later commands create no more files in the folder.
    TemporaryFile.sweepOnce(folder(of: path))
    guard !Directory.exists(path), !Directory.isLink(path) else {
      throw .cannotWrite(path: path, code: EEXIST)
    }
    let target = try WriteTarget(path)
    let file = try TemporaryFile(for: target, isPrivate: isPrivate)
    defer { file.remove() }
    try file.fill(synced: synced) { add throws(FileError) in try add(bytes) }
    try file.link()
    if synced { syncFolder(of: target.path) }
  }

  package struct NewFile {
    let name: String
    let make: (Adder) throws(FileError) -> Void

    /// Creates a file from its name in the folder and a closure that receives a function for appending content.
    package init(_ name: String, make: @escaping (Adder) throws(FileError) -> Void) {
      (self.name, self.make) = (name, make)
    }

    package init(_ name: String, _ bytes: [UInt8]) {
      self.init(name) { add throws(FileError) in try add(bytes) }
    }
  }

  /// Creates or replaces several files in a folder. No file is replaced until all files are on disk.
  package static func write(_ files: [NewFile], in folder: String) throws(FileError) {
    var written: [TemporaryFile] = []
    do throws(FileError) {
      TemporaryFile.sweepOnce(folder + "/")
      for file in files {
        // Close each file when it is complete, because there may be more files than descriptors.
        let temporary = try TemporaryFile(
          for: WriteTarget(folder + "/" + file.name), isHeld: false)
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

  /// Checks whether a file can be written, so that errors are found before long work. A trailing slash denotes a
  /// folder.
  package static func checkFolder(of path: String) throws(FileError) {
    let target = path.hasSuffix("/") ? path : try WriteTarget(path).path
    guard unsafe access(folder(of: target), W_OK) == 0 else {
      throw .cannotWrite(path: path, code: errno)
    }
  }

  /// Whether a name is the name of a temporary file for `file`.
  package static func isPart(_ name: some StringProtocol, of file: String) -> Bool {
    name.hasPrefix(TemporaryFile.stem(of: file))
  }

  /// Whether a name is the name of a temporary file for any file.
  package static func isTemporary(_ name: String) -> Bool {
    TemporaryFile.isTemporary(Array(name.utf8))
  }

  /// Removes temporary files whose writers were killed.
  package static func sweep(_ folder: String) { TemporaryFile.sweep(folder + "/") }

  /// Removes files and folders whose names start with a prefix and whose age exceeds `seconds`.
  package static func removeOld(startingWith prefix: String, in folder: String, seconds: Int) {
    for name in (try? Directory.names(in: folder)) ?? [] where name.starts(with: prefix.utf8) {
      guard let text = String(validating: name, as: UTF8.self) else { continue }
      let path = folder + "/" + text
      guard let age = Directory.age(of: path), age > seconds else { continue }
      switch Directory.kind(of: path) {
      case .file: Directory.remove(path)
      case .folder where !Directory.isLink(path): Directory.removeAll(path)
      default: continue
      }
    }
  }

  /// Syncs the folder to make renames durable. Ignores failures, because some file systems cannot sync folders.
  private static func syncFolder(of path: String) {
    let directory = unsafe open(folder(of: path), O_RDONLY | O_CLOEXEC)
    guard directory >= 0 else { return }
    _ = fsync(directory)
    close(directory)
  }
}

/// A temporary file next to its target.
///
/// A held file stays open and locked until it is renamed or removed; other files, only until they are filled.
private struct TemporaryFile {
  private let path: String
  private let target: WriteTarget
  private let file: Int32

  private static let mark = ".part-"
  private static let digits = 16
  /// The maximum length of a file name, in bytes.
  private static let longestName = 255
  private static let swept = Locked<Set<String>>([])

  private let isPrivate: Bool
  private let isHeld: Bool

  init(
    for target: WriteTarget, isPrivate: Bool = false, isHeld: Bool = true
  ) throws(FileError) {
    // Check here, because the rename may happen after other files have been replaced.
    let name = FileAccess.name(of: target.path)
    guard name.utf8.count <= Self.longestName else {
      throw .cannotWrite(path: target.name, code: ENAMETOOLONG)
    }
    // The mode is 0600 until the original's mode is copied.
    let mode: mode_t = target.earlier == nil && !isPrivate ? 0o666 : 0o600
    path = Self.stem(of: target.path) + Hex.text(UInt64.random(in: 0...UInt64.max))
    file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    (self.target, self.isPrivate, self.isHeld) = (target, isPrivate, isHeld)
    guard file >= 0 else { throw .cannotWrite(path: target.name, code: errno) }
    // Without locks, the file is considered abandoned after a day.
    _ = flock(file, LOCK_EX | LOCK_NB)
  }

  func fill(
    synced: Bool, _ make: (FileAccess.Adder) throws(FileError) -> Void
  ) throws(FileError) {
    defer { if !isHeld { close(file) } }
    try make { bytes throws(FileError) in
      let failure = FileAccess.writeAll(bytes, to: file)
      guard failure == 0 else { throw .cannotWrite(path: target.name, code: failure) }
    }
    if synced, fsync(file) != 0 { throw .cannotWrite(path: target.name, code: errno) }
    if let earlier = target.earlier {
      _ = fchown(file, earlier.owner, earlier.group)
      _ = fchmod(file, isPrivate ? 0o600 : earlier.mode)
    }
  }

  func rename() throws(FileError) {
    try FileError.naming(target.name) { () throws(FileError) in
      try Directory.rename(path, to: target.path)
    }
    if isHeld { close(file) }
  }

  /// Links the file to its target path, and throws if that path exists. The caller then removes the temporary path.
  func link() throws(FileError) {
    #if canImport(Darwin)
      let status = unsafe Darwin.link(path, target.path)
    #else
      let status = unsafe Glibc.link(path, target.path)
    #endif
    guard status != 0 else { return }
    let code = errno
    // Not all file systems have links.
    guard [EPERM, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code), !Directory.exists(target.path) else {
      throw .cannotWrite(path: target.name, code: code)
    }
    try FileError.naming(target.name) { () throws(FileError) in
      try Directory.rename(path, to: target.path)
    }
  }

  func remove() {
    Directory.remove(path)
    if isHeld { close(file) }
  }

  /// The path prefix for a file's temporary files. Long names are shortened to fit.
  static func stem(of target: String) -> String {
    var name = FileAccess.name(of: target)
    let folder = target[..<name.startIndex]
    while name.utf8.count + mark.utf8.count + digits > longestName { name.removeLast() }
    return folder + name + mark
  }

  /// Removes temporary files of killed writers, once per folder and process. The folder has a trailing slash or is ".".
  static func sweepOnce(_ folder: String) {
    guard swept.withLock({ $0.insert(folder).inserted }) else { return }
    sweep(folder)
  }

  static func sweep(_ folder: String) {
    for name in (try? Directory.names(in: folder)) ?? [] where isTemporary(name) {
      guard let text = String(validating: name, as: UTF8.self) else { continue }
      let path = folder.hasSuffix("/") ? folder + text : text
      guard Directory.kind(of: path) == .file else { continue }
      Abandonment.ifDead(path, isEmpty: true) { Directory.remove(path) }
    }
  }

  static func isTemporary(_ name: [UInt8]) -> Bool {
    name.count > mark.utf8.count + digits && name.suffix(digits).allSatisfy(Hex.isDigit)
      && name.dropLast(digits).suffix(mark.utf8.count).elementsEqual(mark.utf8)
  }
}

/// The destination of a write, with links resolved.
struct WriteTarget {
  let name: String
  let path: String
  /// The mode and owner of the file that is replaced; `nil` for a new file.
  let earlier: (mode: mode_t, owner: uid_t, group: gid_t)?

  /// The maximum number of links to follow, as in most operating systems.
  private static let mostLinks = 40

  /// Resolves a path. Throws if the folder is missing or the path is a folder, pipe, socket or device.
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

  /// Follows links in the last path component. Does not use `realpath`, because the final target might not exist.
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

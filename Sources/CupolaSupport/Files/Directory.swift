internal import CMemory

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `names(in:)` reads the raw bytes of all names in a folder.
// 2. `allEntries` sorts the names and determines their types; `entries` excludes hidden and system files.
// 3. `create`, `rename` and `remove` change folders; `checkCreation` tests permissions in advance.

/// Folder operations. Names are read as bytes to detect invalid UTF-8.
package enum Directory {
  package struct Entry: Equatable {
    /// The name; invalid UTF-8 is shown as U+FFFD.
    package let name: String
    /// The type of the item, or of its target if it is a link.
    package let kind: Kind
    /// Whether the item is a symbolic link to a folder.
    package let isLink: Bool
    /// Whether the name is valid UTF-8. If not, the file cannot be opened by `name`.
    package let isUTF8: Bool

    package var isDirectory: Bool { kind == .folder }

    package enum Kind: Equatable {
      case file, folder
      case special
      /// A broken link, or an item whose status cannot be read. The value is its `errno`.
      case unreachable(Int32)
    }
  }

  /// Identifies a folder independently of its path.
  package struct Identity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// Returns `nil` if the path does not exist.
    package init?(of path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(status.st_ino)
    }
  }

  /// Returns a folder's entries, sorted by name bytes, without hidden files and files created by operating systems.
  package static func entries(of path: String) throws(FileError) -> [Entry] {
    try entries(of: path) { _ in false }
  }

  /// Returns the same entries as ``entries(of:)``, and the hidden files for which `isKept` returns `true`.
  package static func entries(
    of path: String, keepingHidden isKept: (String) -> Bool
  ) throws(FileError) -> [Entry] {
    try allEntries(of: path).filter { entry in
      (!entry.name.hasPrefix(".") || !entry.isDirectory && isKept(entry.name))
        && !systemNames.contains(entry.name)
    }
  }

  /// Thumbnails, settings and leftover files from Windows, network drives and unpacked archives.
  private static let systemNames: Set<String> = [
    "Thumbs.db", "ehthumbs.db", "desktop.ini", "Desktop.ini", "Icon\r", "@eaDir", "#recycle",
    "__MACOSX", "$RECYCLE.BIN", "System Volume Information", "lost+found",
  ]

  /// Returns all entries in a folder, including hidden ones, sorted by name bytes. Excludes "." and "..".
  package static func allEntries(of path: String) throws(FileError) -> [Entry] {
    let dot = UInt8(ascii: ".")
    let names = try names(in: path).filter { $0 != [dot] && $0 != [dot, dot] }
    return names.sorted { $0.lexicographicallyPrecedes($1) }.map { bytes in
      let name = String(decoding: bytes, as: UTF8.self)
      let kind = kind(of: path + "/" + name)
      return Entry(
        name: name, kind: kind, isLink: kind == .folder && isLink(path + "/" + name),
        isUTF8: String(validating: bytes, as: UTF8.self) != nil)
    }
  }

  /// Returns the existing paths that consist of a prefix and a given number of hexadecimal digits.
  static func paths(startingWith prefix: String, digits: Int) -> [String] {
    let folder = FileAccess.folder(of: prefix)
    let start = Array((prefix.split(separator: "/").last.map(String.init) ?? "").utf8)
    return ((try? names(in: folder)) ?? []).filter { $0.starts(with: start) }.compactMap { bytes in
      let rest = bytes.dropFirst(start.count)
      guard rest.count == digits, rest.allSatisfy(Hex.isDigit) else { return nil }
      return String(validating: bytes, as: UTF8.self).map { folder == "." ? $0 : folder + $0 }
    }
  }

  /// Returns the raw bytes of all names in a folder, unsorted.
  static func names(in path: String) throws(FileError) -> [[UInt8]] {
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
    return names
  }

  static func kind(of path: String) -> Entry.Kind {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .unreachable(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file
    default: return .special
    }
  }

  /// Whether a path is a symbolic link. The link can be broken.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether nothing has this path; `false` for broken links, and in folders that cannot be searched.
  package static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) != 0 && [ENOENT, ENOTDIR].contains(errno)
  }

  /// Creates a folder if it does not exist. Throws if its parent is missing or the path is not a folder.
  package static func create(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o777) != 0 else { return }
    let code = errno
    if code == EEXIST, isDirectory(path) { return }
    if code == ENOENT { _ = try WriteTarget(path) }
    throw FileError.cannotWrite(path: path, code: code == EEXIST ? ENOTDIR : code)
  }

  /// Creates a folder that only its owner can enter. Throws if the path exists.
  package static func createPrivate(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o700) != 0 else { return }
    throw FileError.cannotWrite(path: path, code: errno)
  }

  /// Removes a file, link or empty folder. Ignores failures.
  package static func remove(_ path: String) {
    #if canImport(Darwin)
      _ = unsafe Darwin.remove(path)
    #else
      _ = unsafe Glibc.remove(path)
    #endif
  }

  /// Creates a folder and its missing parents.
  package static func createAll(_ path: String) throws(FileError) {
    let slashes = path.indices.filter { path[$0] == "/" && $0 != path.startIndex }
    for end in slashes where !exists(String(path[..<end])) { try create(String(path[..<end])) }
    if !isDirectory(path) { try create(path) }
  }

  /// Checks whether creating the folder with ``createAll(_:)``, or writing to it if it exists, would be permitted.
  package static func checkCreation(of path: String) throws(FileError) {
    var above = path[...]
    while !above.isEmpty, !exists(String(above)) {
      above = above[..<(above.lastIndex(of: "/") ?? above.startIndex)]
    }
    let folder = above.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : String(above)
    guard isDirectory(folder) else { throw .cannotWrite(path: path, code: ENOTDIR) }
    guard unsafe access(folder, W_OK) == 0 else { throw .cannotWrite(path: path, code: errno) }
  }

  /// The number of bytes that can still be written to a folder's file system; `nil` if unknown.
  package static func freeBytes(in path: String) -> Int? {
    var status = statvfs()
    guard unsafe statvfs(path, &status) == 0 else { return nil }
    let (bytes, isBeyond) = Int(clamping: status.f_bavail)
      .multipliedReportingOverflow(by: Int(clamping: status.f_frsize))
    return isBeyond ? .max : bytes
  }

  /// Renames a file or folder on the same disk. Errors contain the new path.
  package static func rename(_ path: String, to other: String) throws(FileError) {
    #if canImport(Darwin)
      let status = unsafe Darwin.rename(path, other)
    #else
      let status = unsafe Glibc.rename(path, other)
    #endif
    guard status == 0 else { throw FileError.cannotWrite(path: other, code: errno) }
  }

  /// Exchanges two files or folders on the same disk in one step. Errors contain the second path.
  ///
  /// - Returns: `false` if the file system does not support this, in which case nothing has changed.
  package static func exchange(_ path: String, with other: String) throws(FileError) -> Bool {
    let code = unsafe cmemory_exchange(path, other)
    if [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP].contains(code) { return false }
    guard code == 0 else { throw FileError.cannotWrite(path: other, code: code) }
    return true
  }

  /// Removes a folder and its contents without following links. Ignores failures.
  package static func removeAll(_ path: String) {
    let dots = [Array(".".utf8), Array("..".utf8)]
    for bytes in (try? names(in: path)) ?? [] where !dots.contains(bytes) {
      let inner = path + "/" + String(decoding: bytes, as: UTF8.self)
      if isDirectory(inner), !isLink(inner) { removeAll(inner) } else { remove(inner) }
    }
    remove(path)
  }

  /// The size and modification time of a file, to notice changes; "0-0" if it does not exist.
  package static func version(of path: String) -> String {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return "0-0" }
    #if canImport(Darwin)
      let changed = status.st_mtimespec
    #else
      let changed = status.st_mtim
    #endif
    return "\(status.st_size)-\(changed.tv_sec).\(changed.tv_nsec)"
  }

  /// Seconds since an item was modified; `nil` if unknown. Does not follow links.
  static func age(of path: String) -> Int? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let changed = status.st_mtimespec.tv_sec
    #else
      let changed = status.st_mtim.tv_sec
    #endif
    // File systems can store any time, so the difference can overflow.
    let (age, isBeyond) = time(nil).subtractingReportingOverflow(changed)
    return isBeyond ? .max : age
  }
}

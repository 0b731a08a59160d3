#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

// 1. `names(in:)` reads the bytes of all names in a folder.
// 2. `allEntries` sorts them and finds the kind of each; `entries` drops hidden and system files.
// 3. `create`, `rename` and `remove` change folders, and `checkCreation` tests in advance.

/// Lists folders by the bytes of their names, so that a name that is no UTF-8 is seen and told.
package enum Directory {
  package struct Entry: Equatable {
    /// The name; bytes that are no UTF-8 are shown as U+FFFD.
    package let name: String
    /// What stands there, behind links.
    package let kind: Kind
    /// Whether a symbolic link leads to the folder.
    package let isLink: Bool
    /// Whether `name` is the true name: a file with another one cannot be opened by it.
    package let isUTF8: Bool

    package var isDirectory: Bool { kind == .folder }

    package enum Kind: Equatable {
      case file, folder
      /// A pipe, socket or device.
      case special
      /// A link that leads nowhere, or what the system does not tell of; the code is its `errno`.
      case unreachable(Int32)
    }
  }

  /// What tells whether two paths lead to the same folder.
  package struct Identity: Hashable {
    private let device: UInt64
    private let number: UInt64

    /// `nil` where a path leads nowhere.
    package init?(of path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0 else { return nil }
      device = UInt64(truncatingIfNeeded: status.st_dev)
      number = UInt64(status.st_ino)
    }
  }

  /// Everything in a folder but hidden names and what systems put there by themselves, sorted by the bytes
  /// of the names.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
  package static func entries(of path: String) throws(FileError) -> [Entry] {
    try allEntries(of: path).filter { !$0.name.hasPrefix(".") && !ofSystems.contains($0.name) }
  }

  /// Thumbnails, settings and remains of Windows, of network drives and of unpacked archives, in which
  /// nobody looks for photos.
  private static let ofSystems: Set<String> = [
    "Thumbs.db", "ehthumbs.db", "desktop.ini", "Desktop.ini", "Icon\r", "@eaDir", "#recycle",
    "__MACOSX", "$RECYCLE.BIN", "System Volume Information", "lost+found",
  ]

  /// Names of folders that begin with a dot; none where the folder cannot be read.
  package static func hiddenFolders(in path: String) -> [String] {
    ((try? allEntries(of: path)) ?? []).filter { $0.name.hasPrefix(".") && $0.isDirectory }
      .map(\.name)
  }

  /// Everything in a folder, hidden or not, but for this one and the one above, sorted by the bytes of the names.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
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

  /// Paths that are a prefix and a number of hexadecimal digits.
  static func paths(startingWith prefix: String, digits: Int) -> [String] {
    let folder = FileAccess.folder(of: prefix)
    let start = Array((prefix.split(separator: "/").last.map(String.init) ?? "").utf8)
    return ((try? names(in: folder)) ?? []).filter { $0.starts(with: start) }.compactMap { bytes in
      let rest = bytes.dropFirst(start.count)
      guard rest.count == digits, rest.allSatisfy(Hex.isDigit) else { return nil }
      return String(validating: bytes, as: UTF8.self).map { folder == "." ? $0 : folder + $0 }
    }
  }

  /// The bytes of all names in a folder, in no order.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
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

  /// What a path leads to, through links too.
  static func kind(of path: String) -> Entry.Kind {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return .unreachable(errno) }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: return .folder
    case S_IFREG: return .file
    default: return .special
    }
  }

  /// Whether a path ends at a symbolic link, wherever that leads.
  package static func isLink(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  /// Whether a path leads to a folder.
  package static func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Whether a path leads to anything.
  package static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Makes a folder unless it is there.
  ///
  /// - Throws: ``FileError/noFolder(path:folder:)`` where its parent is missing,
  ///   ``FileError/cannotWrite(path:code:)``, also where something else stands there.
  package static func create(_ path: String) throws(FileError) {
    guard unsafe mkdir(path, 0o777) != 0 else { return }
    let code = errno
    if code == EEXIST, isDirectory(path) { return }
    if code == ENOENT { _ = try WriteTarget(path) }
    throw FileError.cannotWrite(path: path, code: code == EEXIST ? ENOTDIR : code)
  }

  /// Removes a file, a link or an empty folder; what is left when that fails does no harm.
  package static func remove(_ path: String) {
    #if canImport(Darwin)
      _ = unsafe Darwin.remove(path)
    #else
      _ = unsafe Glibc.remove(path)
    #endif
  }

  /// Makes a folder and those above it unless they are there.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  package static func createAll(_ path: String) throws(FileError) {
    let slashes = path.indices.filter { path[$0] == "/" && $0 != path.startIndex }
    for end in slashes where !exists(String(path[..<end])) { try create(String(path[..<end])) }
    if !isDirectory(path) { try create(path) }
  }

  /// Tells early whether ``createAll(_:)`` could make a folder, or files could be made in it where it is there; makes
  /// nothing.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  package static func checkCreation(of path: String) throws(FileError) {
    var above = path[...]
    while !above.isEmpty, !exists(String(above)) {
      above = above[..<(above.lastIndex(of: "/") ?? above.startIndex)]
    }
    let folder = above.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : String(above)
    guard isDirectory(folder) else { throw .cannotWrite(path: path, code: ENOTDIR) }
    guard unsafe access(folder, W_OK) == 0 else { throw .cannotWrite(path: path, code: errno) }
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

  /// Removes a folder and all that is in it, without following links; what is left when that fails does
  /// no harm.
  static func removeAll(_ path: String) {
    let dots = [Array(".".utf8), Array("..".utf8)]
    for bytes in (try? names(in: path)) ?? [] where !dots.contains(bytes) {
      let inner = path + "/" + String(decoding: bytes, as: UTF8.self)
      if isDirectory(inner), !isLink(inner) { removeAll(inner) } else { remove(inner) }
    }
    remove(path)
  }

  /// Seconds since a file or folder changed; `nil` where the system does not tell. Links are not followed.
  static func age(of path: String) -> Int? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let changed = status.st_mtimespec.tv_sec
    #else
      let changed = status.st_mtim.tv_sec
    #endif
    // Some file systems keep any time, also one that no difference to now reaches.
    let (age, isBeyond) = time(nil).subtractingReportingOverflow(changed)
    return isBeyond ? .max : age
  }
}

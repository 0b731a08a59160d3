#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a file is to be written: behind the links of its name, and over nothing but a file.
struct WritingPlace {
  /// As it was named.
  let path: String
  /// The same without links.
  let target: String
  /// Of the file that stands there; `nil` for a new one.
  let earlier: Access?

  /// Who may do what with a file.
  struct Access {
    let mode: mode_t
    let owner: uid_t
    let group: gid_t
  }

  /// As many links as systems follow.
  private static let mostLinks = 40

  /// - Throws: ``FileError/notReplaceable(path:)`` for devices and the like,
  ///   ``FileError/noFolder(path:folder:)``, ``FileError/cannotWrite(path:code:)``.
  init(_ path: String) throws(FileError) {
    self.path = path
    earlier = try Self.access(of: path)
    target = try Self.target(of: path)
    let folder = FileAccess.folder(of: target)
    var status = stat()
    if unsafe stat(folder, &status) != 0 {
      guard errno == ENOENT else { throw FileError.cannotWrite(path: path, code: errno) }
      throw FileError.noFolder(
        path: path, folder: folder.count > 1 ? String(folder.dropLast()) : folder)
    }
  }

  private static func access(of path: String) throws(FileError) -> Access? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    switch status.st_mode & S_IFMT {
    case S_IFREG:
      return Access(mode: status.st_mode & 0o777, owner: status.st_uid, group: status.st_gid)
    case S_IFDIR: throw FileError.cannotWrite(path: path, code: EISDIR)
    default: throw FileError.notReplaceable(path: path)
    }
  }

  /// Follows the links of the last name by hand: the file that they lead to need not be there.
  private static func target(of path: String) throws(FileError) -> String {
    var target = path
    for _ in 0..<mostLinks {
      guard let link = link(at: target) else { return target }
      guard let name = String(validating: link, as: UTF8.self) else {
        throw FileError.cannotWrite(path: path, code: EILSEQ)
      }
      let folder = target.contains("/") ? FileAccess.folder(of: target) : ""
      target = name.hasPrefix("/") ? name : folder + name
    }
    throw FileError.cannotWrite(path: path, code: ELOOP)
  }

  /// Where a link leads; `nil` for anything else.
  private static func link(at path: String) -> [UInt8]? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count >= 0 else { return nil }
    return buffer.prefix(count).map { UInt8(bitPattern: $0) }
  }
}

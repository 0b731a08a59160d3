#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder in which files wait until they change places together: `PREFIX` and 16 hexadecimal digits.
///
/// It is locked while somebody works in it: one that can be locked by others lost its owner, and goes.
package struct StagingFolder {
  package let path: String
  private let lock: Int32

  /// Seconds before which a folder may be one that its owner has not locked yet, and after which nobody
  /// works in it any more, where folders cannot be locked.
  private static let (youngAge, oldAge) = (60, 86_400)

  /// Creates it, empty and locked.
  ///
  /// - Throws: ``FileError/noFolder(path:folder:)`` where its parent is missing,
  ///   ``FileError/cannotWrite(path:code:)``.
  package init(prefix: String) throws(FileError) {
    path = prefix + Hex.text(UInt64.random(in: 0...UInt64.max))
    try Directory.create(path)
    lock = Self.opened(path)
    if lock >= 0 { while flock(lock, LOCK_EX) != 0, errno == EINTR {} }
  }

  /// Removes it with all that is in it, and ends the lock.
  package func remove() {
    Directory.removeAll(path)
    if lock >= 0 { _ = close(lock) }
  }

  /// Removes the folders that killed owners left.
  ///
  /// - Parameter rescue: what to do before with a folder, which may hold what is nowhere else.
  package static func removeDead(prefix: String, rescue: (_ path: String) -> Void = { _ in }) {
    for path in Directory.paths(startingWith: prefix, digits: 16...16) {
      let file = opened(path)
      guard file >= 0 else { continue }
      if isDead(file) {
        rescue(path)
        Directory.removeAll(path)
      }
      _ = close(file)
    }
  }

  private static func opened(_ path: String) -> Int32 {
    unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func isDead(_ file: Int32) -> Bool {
    guard let age = PartFile.age(of: file), age >= youngAge else { return false }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
    return errno != EWOULDBLOCK && age > oldAge
  }
}

extension Directory {
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
}

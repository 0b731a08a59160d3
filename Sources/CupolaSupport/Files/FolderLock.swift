#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Keeps all others who ask for it out of a folder, in this process and in others, until it is released.
///
/// It ends with the process, so that nobody who was killed holds it.
package struct FolderLock: Sendable {
  private let file: Int32

  /// Locks a folder; `nil` when somebody else has it. Where folders cannot be locked, everybody gets it.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
  package init?(_ path: String) throws(FileError) {
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .cannotRead(path: path, code: errno) }
    var status = flock(folder, LOCK_EX | LOCK_NB)
    while status != 0, errno == EINTR { status = flock(folder, LOCK_EX | LOCK_NB) }
    if status != 0, errno == EWOULDBLOCK {
      close(folder)
      return nil
    }
    file = folder
  }

  /// Lets others in; to be called once.
  package func release() { close(file) }
}

extension FolderLock {
  /// Locks a folder, and waits up to ten seconds for it; `nil` when others have it for longer.
  ///
  /// - Throws: ``FileError/cannotRead(path:code:)``.
  package static func waiting(for path: String) throws(FileError) -> FolderLock? {
    for _ in 0..<8000 {
      if let lock = try FolderLock(path) { return lock }
      // Not all at once again.
      usleep(.random(in: 500...2000))
    }
    return nil
  }
}

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
    if lock >= 0 { close(lock) }
  }

  /// Removes the folders that killed owners left.
  ///
  /// - Parameter rescue: what to do before with a folder, which may hold what is nowhere else.
  package static func removeDead(prefix: String, rescue: (_ path: String) -> Void) {
    for path in Directory.paths(startingWith: prefix, digits: 16) {
      let file = opened(path)
      guard file >= 0 else { continue }
      if isDead(file, path) {
        rescue(path)
        Directory.removeAll(path)
      }
      close(file)
    }
  }

  private static func opened(_ path: String) -> Int32 {
    unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }

  private static func isDead(_ file: Int32, _ path: String) -> Bool {
    guard let age = Directory.age(of: path), age >= youngAge else { return false }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
    return errno != EWOULDBLOCK && age > oldAge
  }
}

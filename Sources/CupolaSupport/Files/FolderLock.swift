#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// An exclusive lock on a folder that also works between processes. It is released when the process ends.
package struct FolderLock: Sendable {
  private let file: Int32

  /// Locks a folder. Returns `nil` if it is already locked. Always succeeds on file systems without locks.
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

  package func release() { unlock(file) }
}

extension FolderLock {
  /// Locks a folder, waiting up to 10 s if it is locked. Returns `nil` if it is still locked then.
  package static func waiting(for path: String) throws(FileError) -> FolderLock? {
    for _ in 0..<8000 {
      if let lock = try FolderLock(path) { return lock }
      // The delay is random, so that waiting processes do not retry at the same time.
      usleep(.random(in: 500...2000))
    }
    return nil
  }
}

/// A folder named `PREFIX` plus 16 hexadecimal digits, for files that are later moved to their targets together.
///
/// It is locked while it is used. If another process can lock it, its owner has ended, and the process removes it.
package struct StagingFolder {
  package let path: String
  private let lock: Int32

  /// Creates an empty, locked folder.
  package init(prefix: String) throws(FileError) {
    path = prefix + Hex.text(UInt64.random(in: 0...UInt64.max))
    try Directory.create(path)
    lock = Self.opened(path)
    if lock >= 0 { while flock(lock, LOCK_EX) != 0, errno == EINTR {} }
  }

  package func remove() {
    Directory.removeAll(path)
    abandon()
  }

  /// Unlocks the folder, so that the next process can rescue its content.
  package func abandon() {
    if lock >= 0 { unlock(lock) }
  }

  /// Removes folders whose owners were killed. `rescue` can first save files that exist nowhere else; if it returns
  /// `false`, the folder is kept.
  package static func removeDead(prefix: String, rescue: (_ path: String) -> Bool) {
    for path in Directory.paths(startingWith: prefix, digits: 16) {
      let isEmpty = (try? Directory.allEntries(of: path))?.isEmpty ?? true
      Abandonment.ifDead(path, isEmpty: isEmpty) {
        if rescue(path) { Directory.removeAll(path) }
      }
    }
  }

  private static func opened(_ path: String) -> Int32 {
    unsafe open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
  }
}

/// Unlocks and closes a file. A program that was started at this moment may have inherited the file, and would keep the
/// lock if the file was only closed.
private func unlock(_ file: Int32) {
  _ = flock(file, LOCK_UN)
  close(file)
}

/// Detects temporary files and folders whose owners were killed.
enum Abandonment {
  /// Age limits in seconds. A newer item might not be locked yet. An older item is considered abandoned, even on file
  /// systems without locks.
  private static let (youngAge, oldAge) = (60, 86_400)

  /// Calls `body` with the item locked, if no process uses the item.
  /// - Parameter isEmpty: Whether the item may be too new to be locked. Folders are locked before they are filled.
  static func ifDead(_ path: String, isEmpty: Bool, _ body: () -> Void) {
    guard let age = Directory.age(of: path), age >= youngAge || !isEmpty else { return }
    let file = unsafe open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    defer { if file >= 0 { close(file) } }
    let isLocked = file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0
    let isUsed = file >= 0 && !isLocked && errno == EWOULDBLOCK
    if isLocked || !isUsed && age > oldAge { body() }
  }
}

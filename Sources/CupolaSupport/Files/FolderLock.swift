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

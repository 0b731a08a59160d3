#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file that is written beside its place, as `NAME.part-...`, before it is renamed.
///
/// It is locked while it is written: one that can be locked by others lost its writer, and goes.
struct PartFile {
  /// As errors name it.
  private let name: String
  private let path: String
  private let file: Int32

  fileprivate static let mark = ".part-"
  /// Seconds after which nobody writes any more, where files cannot be locked.
  private static let oldAge = 3600

  /// Creates it, empty and locked.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  init(beside place: WritingPlace) throws(FileError) {
    // What replaces a file is nobody else's business before it has that file's mode.
    let mode: mode_t = place.earlier == nil ? 0o666 : 0o600
    while true {
      // Not by process: threads, and machines that share a folder, may write the same file.
      let path =
        Self.stem(of: place.target) + String(UInt64.random(in: 0...UInt64.max), radix: 16)
      let file = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
      guard file >= 0 else { throw FileError.cannotWrite(path: place.path, code: errno) }
      while flock(file, LOCK_EX) != 0, errno == EINTR {}
      var status = stat()
      if unsafe fstat(file, &status) != 0 || status.st_nlink > 0 {
        (name, self.path, self.file) = (place.path, path, file)
        return
      }
      // Somebody took it for a dead one before it was locked.
      Self.closed(file)
    }
  }

  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  func write(_ bytes: [UInt8]) throws(FileError) {
    let failure = FileAccess.writeAll(bytes, to: file)
    guard failure == 0 else { throw FileError.cannotWrite(path: name, code: failure) }
  }

  /// Waits until the disk has it.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  func sync() throws(FileError) {
    guard fsync(file) == 0 else { throw FileError.cannotWrite(path: name, code: errno) }
  }

  /// Puts it where it belongs, with the mode and, where permitted, the owner of what stood there.
  ///
  /// - Throws: ``FileError/cannotWrite(path:code:)``.
  func replace(_ place: WritingPlace) throws(FileError) {
    if let earlier = place.earlier {
      _ = fchown(file, earlier.owner, earlier.group)
      _ = fchmod(file, earlier.mode)
    }
    guard unsafe rename(path, place.target) == 0 else {
      throw FileError.cannotWrite(path: name, code: errno)
    }
  }

  func remove() { unsafe unlink(path) }

  /// Ends the lock too.
  func close() { Self.closed(file) }

  /// What such names of a file begin with; of a name that leaves no room for more, its beginning.
  fileprivate static func stem(of target: String) -> String {
    let slash = target.lastIndex(of: "/").map(target.index(after:)) ?? target.startIndex
    var name = target[slash...]
    while name.utf8.count + mark.utf8.count + 16 > longestName { name.removeLast() }
    return target[..<slash] + name + mark
  }

  /// Bytes of a name that file systems take.
  private static let longestName = 255

  /// Removes what killed writers of a file left beside it.
  static func removeDead(beside target: String) {
    for path in Directory.paths(startingWith: stem(of: target), digits: 1...16) {
      removeIfDead(path)
    }
  }

  private static func removeIfDead(_ path: String) {
    let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { closed(file) }
    var status = stat()
    guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      let age = age(of: file)
    else { return }
    let isDead = flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK && age > oldAge
    if isDead { unsafe unlink(path) }
  }

  /// Seconds since a file or folder changed; `nil` where the system does not tell.
  static func age(of file: Int32) -> Int? {
    var status = stat()
    guard unsafe fstat(file, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let changed = status.st_mtimespec.tv_sec
    #else
      let changed = status.st_mtim.tv_sec
    #endif
    // Some file systems keep any time, also one that no difference to now reaches.
    let (age, isBeyond) = time(nil).subtractingReportingOverflow(changed)
    return isBeyond ? .max : age
  }

  fileprivate static func closed(_ file: Int32) {
    #if canImport(Darwin)
      Darwin.close(file)
    #else
      Glibc.close(file)
    #endif
  }
}

extension FileAccess {
  /// Removes files of a folder whose names begin so and that nobody changed for so many seconds.
  package static func removeOld(startingWith prefix: String, in folder: String, seconds: Int) {
    for entry in (try? Directory.allEntries(of: folder)) ?? []
    where entry.kind == .file && entry.name.hasPrefix(prefix) {
      let path = folder + "/" + entry.name
      let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
      guard file >= 0 else { continue }
      if let age = PartFile.age(of: file), age > seconds { unsafe unlink(path) }
      PartFile.closed(file)
    }
  }

  /// Whether a name is that of what a writer of a file, who perhaps was killed, left beside it.
  package static func isPart(_ name: some StringProtocol, of file: String) -> Bool {
    name.hasPrefix(PartFile.stem(of: file))
  }
}

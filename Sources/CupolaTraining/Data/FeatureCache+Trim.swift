#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

internal import Cupola

extension FeatureCache {
  static let suffix = ".safetensors"

  private struct Entry {
    let path: String
    let bytes: Int
    /// When it was last used.
    let seconds: Int
    let nanoseconds: Int
  }

  /// Removes the files that were not used for longest until the rest fits the limit.
  ///
  /// Files that were not written by a cache stay, whatever their size.
  public func trim() { trim(sparing: 0) }

  /// The same, but so many that were used last stay: what works with them would have to make them anew.
  func trim(sparing newest: Int) {
    let entries = ((try? Directory.entries(of: folder)) ?? [])
      .filter { Self.isOwn($0.name) && !$0.isDirectory }
      .compactMap { Self.entry(folder + "/" + $0.name) }
    // Files with holes may claim more bytes together than a whole number has room for.
    var excess = entries.reduce(-Double(limit)) { $0 + Double($1.bytes) }
    let oldestFirst = entries.sorted {
      ($0.seconds, $0.nanoseconds, $0.path) < ($1.seconds, $1.nanoseconds, $1.path)
    }
    for entry in oldestFirst.dropLast(newest) where excess > 0 {
      unsafe unlink(entry.path)
      excess -= Double(entry.bytes)
    }
  }

  /// Sets a file's time of change to now.
  static func markAsUsed(_ path: String) { _ = unsafe utimensat(AT_FDCWD, path, nil, 0) }

  /// Whether a name is one that a cache gives, or gave while it wrote.
  private static func isOwn(_ name: String) -> Bool {
    let digits = name.prefix(64)
    let rest = name.dropFirst(digits.count)
    return digits.isSHA256 && (rest == suffix || FileAccess.isPart(rest, of: suffix))
  }

  private static func entry(_ path: String) -> Entry? {
    var status = stat()
    guard unsafe lstat(path, &status) == 0 else { return nil }
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    return Entry(
      path: path, bytes: Int(status.st_size), seconds: Int(time.tv_sec),
      nanoseconds: Int(time.tv_nsec))
  }
}

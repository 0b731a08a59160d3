public import CupolaGuide
internal import CupolaSupport

/// Files of passkeys, which nobody but their owner reads, and no two programs change at once.
extension PasskeySet {
  /// Reads the file of a set.
  ///
  /// - Throws: ``GuideError/file(_:)``, ``GuideError/badTour(path:problem:)``, ``GuideError/newerFormat(_:)``.
  public init(path: String) throws(GuideError) {
    let bytes = try GuideError.files { () throws(FileError) in
      try FileAccess.read(path, limit: Self.mostBytes)
    }
    try self.init(json: bytes, path: path)
  }

  /// Writes the set to a new file, readable by its owner only.
  ///
  /// - Throws: ``GuideError/file(_:)``, also when something stands there: passkeys that were handed out are not
  ///   replaced; ``GuideError/busy(path:)``.
  public func create(path: String) throws(GuideError) {
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      try GuideError.files { () throws(FileError) in try FileAccess.createPrivate(path) }
      do throws(GuideError) { try write(path) } catch {
        Directory.remove(path)
        throw error
      }
    }
  }

  /// Opens the tour with a code of a file, which is changed before this returns: no two programs redeem one key.
  ///
  /// - Parameters: as of ``redeem(_:at:origin:)``.
  /// - Returns: the set after that.
  /// - Throws: ``GuideError/passkeyRefused``; ``GuideError/file(_:)``, and the code then opens nothing;
  ///   ``GuideError/busy(path:)`` when others work with the file for long; as ``init(path:)``.
  @discardableResult
  public static func redeem(
    _ code: String, at time: Double, origin: String? = nil, file path: String
  ) throws(GuideError) -> PasskeySet {
    let code = PasskeyCode(code)
    // What takes long is done before others have to wait.
    let early = try PasskeySet(path: path)
    var hash = derived(code, salt: early.salt, iterations: early.iterations)
    var set = early
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      set = try PasskeySet(path: path)
      if set.salt != early.salt || set.iterations != early.iterations {
        hash = derived(code, salt: set.salt, iterations: set.iterations)
      }
      let before = set
      do throws(GuideError) {
        try set.redeem(isCode: code != nil, hash: hash, at: time, origin: origin)
      } catch {
        if set != before { try set.write(path) }
        throw error
      }
      try set.write(path)
    }
    return set
  }

  /// Lets everybody try again who was wrong too often.
  ///
  /// - Throws: as ``redeem(_:at:origin:file:)``, but for the refusal.
  public static func forgive(file path: String) throws(GuideError) {
    try FolderLock.hold(FileAccess.folder(of: path), for: path) { () throws(GuideError) in
      var set = try PasskeySet(path: path)
      set.forgive()
      try set.write(path)
    }
  }

  private func write(_ path: String) throws(GuideError) {
    try GuideError.files { () throws(FileError) in
      try FileAccess.makePrivate(path)
      try FileAccess.write(json, to: path)
    }
  }
}

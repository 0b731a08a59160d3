internal import CupolaGuide
internal import CupolaSupport

/// The members of a .zip file: stored and DEFLATE, also of zip64 (APPNOTE.TXT 6.3.10 of PKWARE).
///
/// What an archive claims is checked before it is believed: names that lead elsewhere, members that
/// overlap, sizes that do not fit into the file. A member is never wholly in memory.
struct ZipArchive {
  /// Some bytes of the archive; the range is one of it.
  typealias Source = (Range<Int>) throws(GuideError) -> [UInt8]

  let path: String
  let source: Source
  /// In the order of their places in the archive; without folders.
  let members: [ZipMember]

  /// Reads the directory of an archive.
  ///
  /// - Throws: ``GuideError/file(_:)``, ``GuideError/badFeed(path:problem:)``.
  init(path: String) throws(GuideError) {
    let size = try GuideError.files { () throws(FileError) in try FileAccess.size(of: path) }
    try self.init(path: path, size: size) { range throws(GuideError) in
      try GuideError.files { () throws(FileError) in try FileAccess.read(path, bytes: range) }
    }
  }

  /// The same of bytes that are somewhere else.
  init(path: String, size: Int, source: @escaping Source) throws(GuideError) {
    (self.path, self.source) = (path, source)
    members = try ZipDirectory(path: path, size: size, source: source).members()
  }

  /// The bytes of a member, whose size, CRC-32 and end are checked as they come.
  ///
  /// - Parameter limit: how many bytes are accepted.
  /// - Throws: ``GuideError/badFeed(path:problem:)``.
  func stream(of member: ZipMember, limit: Int) throws(GuideError) -> ZipMemberStream {
    try checkClaims(of: member, limit: limit)
    return try ZipMemberStream(member, in: self)
  }

  private func checkClaims(of member: ZipMember, limit: Int) throws(GuideError) {
    if member.isEncrypted {
      throw bad("\(member.name) is encrypted; pack it again without a password")
    }
    guard member.method == 0 || member.method == 8 else {
      throw bad(
        "\(member.name) is compressed in a way (\(member.method)) that is not read; "
          + "pack it again as an ordinary zip (deflate)")
    }
    guard member.size <= limit else {
      throw bad(
        "\(member.name) claims \(member.size) bytes, more than the \(limit >> 20) MB accepted; "
          + "cut the feed to the region first")
    }
    // DEFLATE makes at most 1032 of a byte; tables of text are a tenth of that.
    guard member.size <= Self.freeSize || member.size / Self.ratio <= member.compressedSize else {
      throw bad(
        "\(member.name) claims \(member.size) bytes of \(member.compressedSize), which no "
          + "schedule is; do not use this file")
    }
    guard member.method != 0 || member.size == member.compressedSize else {
      throw bad("\(member.name) is damaged: two sizes of a stored file; download it again")
    }
  }

  /// So many bytes may come of anything.
  private static let freeSize = 1 << 24
  private static let ratio = 400

  func bad(_ problem: String) -> GuideError { .badFeed(path: path, problem: problem) }
}

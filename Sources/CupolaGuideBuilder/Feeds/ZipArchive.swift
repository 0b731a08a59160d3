internal import CupolaGuide
internal import CupolaSupport

// 1. Find the directory at the end of the archive, and check that members do not overlap.
// 2. Check a member's declared sizes before reading it.

/// The members of a .zip file, including zip64, stored or compressed with DEFLATE (PKWARE APPNOTE.TXT 6.3.10).
///
/// Declared values are verified before use: names must not point outside the archive, members must not overlap, and
/// sizes must be consistent with the file. A whole member is never read into memory.
struct ZipArchive {
  typealias Source = (Range<Int>) throws(GuideError) -> [UInt8]

  let path: String
  let source: Source
  let members: [ZipMember]

  init(path: String) throws(GuideError) {
    let size = try GuideError.files { () throws(FileError) in try FileAccess.size(of: path) }
    try self.init(path: path, size: size, source: Self.bytes(of: path))
  }

  static func bytes(of path: String) -> Source {
    { range throws(GuideError) in
      try GuideError.files { () throws(FileError) in try FileAccess.read(path, bytes: range) }
    }
  }

  init(path: String, size: Int, source: @escaping Source) throws(GuideError) {
    (self.path, self.source) = (path, source)
    members = try ZipDirectory(path: path, size: size, source: source).members()
  }

  func stream(of member: ZipMember, limit: Int) throws(GuideError) -> FeedStream {
    try checkClaims(of: member, limit: limit)
    return try FeedStream(member, in: self)
  }

  private func checkClaims(of member: ZipMember, limit: Int) throws(GuideError) {
    if member.isEncrypted {
      throw bad("\(member.name) is encrypted; create the zip again without a password")
    }
    guard member.method == 0 || member.method == 8 else {
      throw bad(
        "\(member.name) uses unsupported compression method \(member.method); "
          + "create the zip again with deflate")
    }
    guard member.size <= limit else {
      throw bad(
        "\(member.name) declares \(member.size) bytes, more than the limit of \(limit >> 20) MB; "
          + "reduce the feed to your region first")
    }
    // DEFLATE expands a byte to at most 1032 bytes; for tables of text, the ratio stays below a tenth of that.
    guard member.size <= Self.freeSize || member.size / Self.ratio <= member.compressedSize else {
      throw bad(
        "\(member.name) declares \(member.size) bytes from \(member.compressedSize), an implausible "
          + "compression; do not use this file")
    }
    guard member.method != 0 || member.size == member.compressedSize else {
      throw bad("\(member.name) is damaged: conflicting sizes of a stored file; download it again")
    }
  }

  private static let freeSize = 1 << 24
  private static let ratio = 400

  func bad(_ problem: String) -> GuideError { .badFile(path: path, problem: problem) }
}

struct ZipMember: Equatable {
  let name: String
  /// The method: 0 for stored, 8 for DEFLATE.
  let method: Int
  let isEncrypted: Bool
  let crc: UInt32
  let compressedSize: Int
  let size: Int
  let offset: Int
  var start = 0
}

struct ZipDirectory {
  let path: String
  let size: Int
  let source: ZipArchive.Source

  private struct Place {
    var count: Int
    var bytes: Int
    var offset: Int
    var end: Int
  }

  private static let countLimit = 10_000
  private static let byteLimit = 16 << 20

  func members() throws(GuideError) -> [ZipMember] {
    let place = try place()
    guard place.offset >= 0, place.bytes >= 0, place.offset <= place.end,
      place.bytes <= place.end - place.offset
    else { throw damaged("invalid directory offset") }
    guard place.count <= Self.countLimit, place.bytes <= Self.byteLimit else {
      throw bad("the archive has \(place.count) files; include only the schedule files")
    }
    let bytes = try source(place.offset..<place.offset + place.bytes)
    let entries = LittleEndian(bytes: bytes)
    var members: [ZipMember] = []
    var start = 0
    for _ in 0..<place.count {
      let member = try entry(in: entries, at: &start)
      if let member { members.append(member) }
    }
    guard start == bytes.count else {
      throw damaged("unexpected number of directory entries")
    }
    return try placed(members, end: place.offset)
  }

  private func place() throws(GuideError) -> Place {
    guard size >= 22 else { throw noZip }
    let tailStart = max(0, size - 22 - 0xFFFF)
    let tail = LittleEndian(bytes: try source(tailStart..<size))
    // The archive comment may contain any bytes, so require that its declared length ends exactly at the end of the
    // file.
    for place in stride(from: tail.bytes.count - 22, through: 0, by: -1)
    where tail.bytes[place] == 0x50 && tail.number(4, at: place) == 0x0605_4B50
      && tail.number(2, at: place + 20) == tail.bytes.count - place - 22
    {
      return try record(tail, at: place, end: tailStart + place)
    }
    throw noZip
  }

  private func record(_ tail: LittleEndian, at place: Int, end: Int) throws(GuideError) -> Place {
    guard let disk = tail.number(2, at: place + 4), let start = tail.number(2, at: place + 6),
      let own = tail.number(2, at: place + 8), let count = tail.number(2, at: place + 10),
      let bytes = tail.number(4, at: place + 12), let offset = tail.number(4, at: place + 16)
    else { throw noZip }
    let found = Place(count: count, bytes: bytes, offset: offset, end: end)
    if count == 0xFFFF || bytes == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
      if let large = try largeRecord(before: end) { return large }
    }
    guard disk == 0, start == 0, own == count else { throw parts }
    return found
  }

  /// Returns the zip64 record; `nil` if there is none, for example in an archive with exactly 65,535 members.
  private func largeRecord(before end: Int) throws(GuideError) -> Place? {
    guard end >= 20 else { return nil }
    let locator = LittleEndian(bytes: try source(end - 20..<end))
    guard locator.number(4, at: 0) == 0x0706_4B50 else { return nil }
    guard let offset = locator.number(8, at: 8), offset <= end - 20 - 56 else {
      throw damaged("invalid directory offset")
    }
    let record = LittleEndian(bytes: try source(offset..<offset + 56))
    guard record.number(4, at: 0) == 0x0606_4B50, let disk = record.number(4, at: 16),
      let own = record.number(8, at: 24), let count = record.number(8, at: 32),
      let bytes = record.number(8, at: 40), let start = record.number(8, at: 48)
    else { throw damaged("missing zip64 record") }
    guard disk == 0, own == count else { throw parts }
    return Place(count: count, bytes: bytes, offset: start, end: offset)
  }

  private func entry(
    in entries: LittleEndian, at start: inout Int
  ) throws(GuideError) -> ZipMember? {
    guard entries.number(4, at: start) == 0x0201_4B50,
      let flags = entries.number(2, at: start + 8), let method = entries.number(2, at: start + 10),
      let crc = entries.number(4, at: start + 16),
      let compressed = entries.number(4, at: start + 20),
      let full = entries.number(4, at: start + 24),
      let nameCount = entries.number(2, at: start + 28),
      let extraCount = entries.number(2, at: start + 30),
      let commentCount = entries.number(2, at: start + 32),
      let offset = entries.number(4, at: start + 42)
    else { throw damaged("invalid directory entry") }
    let nameStart = start + 46
    let extra = nameStart + nameCount..<nameStart + nameCount + extraCount
    guard extra.upperBound + commentCount <= entries.bytes.count else {
      throw damaged("truncated directory entry")
    }
    start = extra.upperBound + commentCount
    let name = try checkedName(entries.bytes[nameStart..<extra.lowerBound])
    var large = ZipLargeSizes(entries, extra)
    guard let size = large.value(full), let compressedSize = large.value(compressed),
      let header = large.value(offset)
    else { throw damaged("\(name) has no valid size") }
    if name.hasSuffix("/") { return nil }
    return ZipMember(
      name: name, method: method, isEncrypted: flags & 0x2041 != 0,
      crc: UInt32(truncatingIfNeeded: crc), compressedSize: compressedSize, size: size,
      offset: header)
  }

  /// Returns the name; replaces backslashes, which some Windows programs write, with slashes.
  private func checkedName(_ bytes: ArraySlice<UInt8>) throws(GuideError) -> String {
    let backslash = UInt8(ascii: "\\")
    let slash = UInt8(ascii: "/")
    let name = String(decoding: bytes.map { $0 == backslash ? slash : $0 }, as: UTF8.self)
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isElsewhere = parts.contains("..") || name.hasPrefix("/") || name.contains("\0")
    guard !name.isEmpty, !isElsewhere, parts.first?.hasSuffix(":") != true else {
      throw bad("file name \"\(name)\" points outside the archive; do not use this file")
    }
    return name
  }

  /// Sorts the members by offset and locates their data. Throws if members overlap.
  private func placed(_ members: [ZipMember], end: Int) throws(GuideError) -> [ZipMember] {
    var sorted = members.sorted { ($0.offset, $0.name) < ($1.offset, $1.name) }
    var names: Set<String> = []
    for index in sorted.indices {
      let member = sorted[index]
      guard names.insert(member.name).inserted else {
        throw bad("\(member.name) is in the archive twice; create the zip again")
      }
      let next = index + 1 < sorted.count ? sorted[index + 1].offset : end
      guard member.offset <= next, next <= end else { throw overlap(member) }
      sorted[index].start = try dataStart(of: member, end: next)
    }
    return sorted
  }

  /// Returns the start of a member's data after checking its header against the directory.
  private func dataStart(of member: ZipMember, end: Int) throws(GuideError) -> Int {
    guard end - member.offset >= 30 else { throw overlap(member) }
    let nameStart = member.offset + 30
    let header = LittleEndian(bytes: try source(member.offset..<nameStart))
    guard header.number(4, at: 0) == 0x0403_4B50, header.number(2, at: 8) == member.method,
      let nameCount = header.number(2, at: 26), let extraCount = header.number(2, at: 28)
    else { throw damaged("\(member.name) has no valid header") }
    let start = nameStart + nameCount + extraCount
    guard start <= end, member.compressedSize <= end - start else { throw overlap(member) }
    let name = try checkedName(try source(nameStart..<nameStart + nameCount)[...])
    guard name == member.name else { throw damaged("\(member.name) has conflicting names") }
    return start
  }

  private func bad(_ problem: String) -> GuideError { .badFile(path: path, problem: problem) }

  private func damaged(_ problem: String) -> GuideError {
    bad("damaged zip archive: \(problem); download it again")
  }

  private func overlap(_ member: ZipMember) -> GuideError {
    bad("\(member.name) overlaps the next member; create the zip again")
  }

  private var noZip: GuideError { bad("incomplete or invalid zip archive; download it again") }

  private var parts: GuideError {
    bad("multi-part zip archive; create it as a single file")
  }
}

/// The zip64 sizes of an entry: one for each field that is set to all ones.
struct ZipLargeSizes {
  private let entries: LittleEndian
  private var place: Int
  private var end: Int

  init(_ entries: LittleEndian, _ extra: Range<Int>) {
    self.entries = entries
    (place, end) = (0, 0)
    var start = extra.lowerBound
    while start + 4 <= extra.upperBound, let kind = entries.number(2, at: start),
      let count = entries.number(2, at: start + 2), start + 4 + count <= extra.upperBound
    {
      if kind == 1 { (place, end) = (start + 4, start + 4 + count) }
      start += 4 + count
    }
  }

  mutating func value(_ field: Int) -> Int? {
    guard field == 0xFFFF_FFFF else { return field }
    guard place + 8 <= end else { return nil }
    place += 8
    return entries.number(8, at: place - 8)
  }
}

struct LittleEndian {
  let bytes: [UInt8]

  func number(_ width: Int, at place: Int) -> Int? {
    guard place >= 0, place <= bytes.count - width else { return nil }
    var value: UInt64 = 0
    for offset in (0..<width).reversed() { value = value << 8 | UInt64(bytes[place + offset]) }
    return Int(exactly: value)
  }
}

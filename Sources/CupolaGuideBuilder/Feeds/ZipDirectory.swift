internal import CupolaGuide
internal import CupolaSupport

/// Finds and reads the directory at the end of an archive.
struct ZipDirectory {
  let path: String
  let size: Int
  let source: ZipArchive.Source

  /// Where the directory is and what it says of itself.
  private struct Place {
    var count: Int
    var bytes: Int
    var offset: Int
    /// Where the record that ends the directory begins.
    var end: Int
  }

  private static let countLimit = 10_000
  private static let byteLimit = 16 << 20

  /// - Throws: ``GuideError/badFeed(path:problem:)``.
  func members() throws(GuideError) -> [ZipMember] {
    let place = try place()
    guard place.offset >= 0, place.bytes >= 0, place.offset <= place.end,
      place.bytes <= place.end - place.offset
    else { throw damaged("the directory is not where it should be") }
    guard place.count <= Self.countLimit, place.bytes <= Self.byteLimit else {
      throw bad("\(place.count) files in the archive; pack only the files of the schedule")
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
      throw damaged("the directory has other entries than it says")
    }
    return try placed(members, end: place.offset)
  }

  // MARK: - The end of the archive

  private func place() throws(GuideError) -> Place {
    guard size >= 22 else { throw noZip }
    let tailStart = max(0, size - 22 - 0xFFFF)
    let tail = LittleEndian(bytes: try source(tailStart..<size))
    // The comment at the very end may hold anything: it must reach exactly to the end.
    for place in stride(from: tail.bytes.count - 22, through: 0, by: -1)
    where tail.bytes[place] == 0x50 && tail.number32(at: place) == 0x0605_4B50
      && tail.number16(at: place + 20) == tail.bytes.count - place - 22
    {
      return try record(tail, at: place, end: tailStart + place)
    }
    throw noZip
  }

  private func record(
    _ tail: LittleEndian, at place: Int, end: Int
  ) throws(GuideError) -> Place {
    guard let disk = tail.number16(at: place + 4), let start = tail.number16(at: place + 6),
      let own = tail.number16(at: place + 8), let count = tail.number16(at: place + 10),
      let bytes = tail.number32(at: place + 12), let offset = tail.number32(at: place + 16)
    else { throw noZip }
    let found = Place(count: count, bytes: bytes, offset: offset, end: end)
    if count == 0xFFFF || bytes == 0xFFFF_FFFF || offset == 0xFFFF_FFFF {
      if let large = try largeRecord(before: end) { return large }
    }
    guard disk == 0, start == 0, own == count else { throw parts }
    return found
  }

  /// The record of zip64; `nil` when there is none, as in an archive with just 65,535 members.
  private func largeRecord(before end: Int) throws(GuideError) -> Place? {
    guard end >= 20 else { return nil }
    let locator = LittleEndian(bytes: try source(end - 20..<end))
    guard locator.number32(at: 0) == 0x0706_4B50 else { return nil }
    guard let offset = locator.number64(at: 8), offset <= end - 20 - 56 else {
      throw damaged("the directory is not where it should be")
    }
    let record = LittleEndian(bytes: try source(offset..<offset + 56))
    guard record.number32(at: 0) == 0x0606_4B50, let disk = record.number32(at: 16),
      let own = record.number64(at: 24), let count = record.number64(at: 32),
      let bytes = record.number64(at: 40), let start = record.number64(at: 48)
    else { throw damaged("no record of zip64") }
    guard disk == 0, own == count else { throw parts }
    return Place(count: count, bytes: bytes, offset: start, end: offset)
  }

  // MARK: - Entries

  /// `nil` of a folder.
  private func entry(
    in entries: LittleEndian, at start: inout Int
  ) throws(GuideError) -> ZipMember? {
    guard entries.number32(at: start) == 0x0201_4B50,
      let flags = entries.number16(at: start + 8), let method = entries.number16(at: start + 10),
      let crc = entries.number32(at: start + 16), let compressed = entries.number32(at: start + 20),
      let full = entries.number32(at: start + 24), let nameCount = entries.number16(at: start + 28),
      let extraCount = entries.number16(at: start + 30),
      let commentCount = entries.number16(at: start + 32),
      let offset = entries.number32(at: start + 42)
    else { throw damaged("an entry of the directory is none") }
    let nameStart = start + 46
    let extra = nameStart + nameCount..<nameStart + nameCount + extraCount
    guard extra.upperBound + commentCount <= entries.bytes.count else {
      throw damaged("an entry of the directory ends early")
    }
    start = extra.upperBound + commentCount
    let name = try checkedName(entries.bytes[nameStart..<extra.lowerBound])
    var large = ZipLargeSizes(entries, extra)
    guard let size = large.value(full), let compressedSize = large.value(compressed),
      let header = large.value(offset)
    else { throw damaged("\(name) has no size") }
    if name.hasSuffix("/") { return nil }
    return ZipMember(
      name: name, method: method, isEncrypted: flags & 0x2041 != 0,
      crc: UInt32(truncatingIfNeeded: crc), compressedSize: compressedSize, size: size,
      offset: header)
  }

  /// Some programs of Windows write backslashes.
  private func checkedName(_ bytes: ArraySlice<UInt8>) throws(GuideError) -> String {
    let backslash = UInt8(ascii: "\\")
    let slash = UInt8(ascii: "/")
    let name = String(decoding: bytes.map { $0 == backslash ? slash : $0 }, as: UTF8.self)
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isElsewhere = parts.contains("..") || name.hasPrefix("/") || name.contains("\0")
    guard !name.isEmpty, !isElsewhere, parts.first?.hasSuffix(":") != true else {
      throw bad("a file named \"\(name)\" would lead out of the archive; do not use this file")
    }
    return name
  }

  // MARK: - Members

  /// In the order of their places, with those of their data; none may reach into the next.
  private func placed(
    _ members: [ZipMember], end: Int
  ) throws(GuideError) -> [ZipMember] {
    var sorted = members.sorted { ($0.offset, $0.name) < ($1.offset, $1.name) }
    var names: Set<String> = []
    for index in sorted.indices {
      let member = sorted[index]
      guard names.insert(member.name).inserted else {
        throw bad("\(member.name) is there twice; pack the files again")
      }
      let next = index + 1 < sorted.count ? sorted[index + 1].offset : end
      guard member.offset <= next, next <= end else { throw overlap(member) }
      sorted[index].start = try dataStart(of: member, end: next)
    }
    return sorted
  }

  /// What a member's own header says must be what the directory says of it.
  private func dataStart(of member: ZipMember, end: Int) throws(GuideError) -> Int {
    guard end - member.offset >= 30 else { throw overlap(member) }
    let nameStart = member.offset + 30
    let header = LittleEndian(bytes: try source(member.offset..<nameStart))
    guard header.number32(at: 0) == 0x0403_4B50, header.number16(at: 8) == member.method,
      let nameCount = header.number16(at: 26), let extraCount = header.number16(at: 28)
    else { throw damaged("\(member.name) has no header") }
    let start = nameStart + nameCount + extraCount
    guard start <= end, member.compressedSize <= end - start else { throw overlap(member) }
    let name = try checkedName(try source(nameStart..<nameStart + nameCount)[...])
    guard name == member.name else { throw damaged("\(member.name) has two names") }
    return start
  }

  // MARK: - Errors

  private func bad(_ problem: String) -> GuideError { .badFeed(path: path, problem: problem) }

  private func damaged(_ problem: String) -> GuideError {
    bad("a damaged zip archive: \(problem); download it again")
  }

  private func overlap(_ member: ZipMember) -> GuideError {
    bad("\(member.name) overlaps what follows it, which no zip program writes; pack it again")
  }

  private var noZip: GuideError { bad("not a whole zip archive; download it again") }

  private var parts: GuideError {
    bad("one part of a zip archive in several parts; pack it as one file")
  }
}

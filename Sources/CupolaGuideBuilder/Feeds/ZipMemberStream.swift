internal import CupolaGuide
internal import CupolaSupport

/// The bytes of a member of an archive, portion by portion.
struct ZipMemberStream: ByteStream {
  private static let portion = 1 << 18

  private let archive: ZipArchive
  private let member: ZipMember
  private let inflate: Inflate?
  /// What of the archive was not read yet.
  private var rest: Range<Int>
  /// What was read and not taken yet.
  private var input: ArraySlice<UInt8> = []
  private var made = 0
  private var crc: UInt32 = 0
  private var isOver = false

  init(_ member: ZipMember, in archive: ZipArchive) throws(GuideError) {
    (self.member, self.archive) = (member, archive)
    rest = member.start..<member.start + member.compressedSize
    if member.method == 0 {
      inflate = nil
    } else if let inflate = Inflate() {
      self.inflate = inflate
    } else {
      throw archive.bad("no memory to read \(member.name); close other programs")
    }
  }

  mutating func append(to bytes: inout [UInt8]) throws(GuideError) -> Bool {
    while !isOver {
      if input.isEmpty, !rest.isEmpty {
        let end = min(rest.upperBound, rest.lowerBound + Self.portion)
        input = try archive.source(rest.lowerBound..<end)[...]
        rest = end..<rest.upperBound
      }
      let start = bytes.count
      try step(&bytes)
      let count = bytes.count - start
      made += count
      guard made <= member.size else {
        throw archive.bad(
          "\(member.name) holds more than the \(member.size) bytes it claims; do not use this file")
      }
      crc = Inflate.crc32(crc, bytes[start...])
      if isOver { try checkEnd() }
      if count > 0 { return true }
    }
    return false
  }

  /// Appends a portion, or finds the end.
  private mutating func step(_ bytes: inout [UInt8]) throws(GuideError) {
    guard let inflate else {
      bytes += input
      input = []
      isOver = rest.isEmpty
      return
    }
    // One byte more than is claimed is enough to see that it is too many.
    let room = min(Self.portion, member.size - made + 1)
    guard let step = inflate.take(input, room: room, output: &bytes) else { throw damaged }
    input = input.dropFirst(step.taken)
    isOver = step.isOver
    // Neither taken nor made anything: the data ends early.
    if !isOver, step.taken == 0, step.made == 0 { throw damaged }
  }

  private func checkEnd() throws(GuideError) {
    guard made == member.size, crc == member.crc, rest.isEmpty, input.isEmpty else {
      throw damaged
    }
  }

  private var damaged: GuideError {
    archive.bad("\(member.name) is damaged (size or CRC-32); download it again")
  }
}

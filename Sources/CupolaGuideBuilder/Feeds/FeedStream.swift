internal import CupolaGuide
internal import CupolaSupport

// 1. Read a member or a file in chunks, and decompress it.
// 2. Check the size and CRC-32 at the end of a member.

/// A stream over a file, or over an archive member that is decompressed and verified while being read.
struct FeedStream {
  private let source: ZipArchive.Source
  private let portion: Int
  private let inflate: Inflate?
  private let member: (claims: ZipMember, archive: ZipArchive)?
  private var rest: Range<Int>
  private var input: ArraySlice<UInt8> = []
  private var made = 0
  private var crc: UInt32 = 0
  private var isOver = false

  init(_ range: Range<Int>, portion: Int = 1 << 18, of source: @escaping ZipArchive.Source) {
    (self.source, self.portion, rest) = (source, portion, range)
    (inflate, member) = (nil, nil)
  }

  init(_ member: ZipMember, in archive: ZipArchive) throws(GuideError) {
    (source, portion, self.member) = (archive.source, 1 << 18, (member, archive))
    rest = member.start..<member.start + member.compressedSize
    inflate = member.method == 0 ? nil : Inflate()
    if inflate == nil, member.method != 0 {
      throw archive.bad("not enough memory to read \(member.name); close other programs")
    }
  }

  mutating func append(to bytes: inout [UInt8]) throws(GuideError) -> Bool {
    while !isOver {
      if input.isEmpty, !rest.isEmpty {
        input = try source(rest.prefix(portion))[...]
        rest = rest.dropFirst(portion)
      }
      let start = bytes.count
      if let inflate, let member {
        // One byte more than the declared size is enough to detect that a member is larger.
        let room = min(portion, member.claims.size - made + 1)
        guard let step = inflate.take(input, room: room, output: &bytes) else {
          throw damaged(member)
        }
        input = input.dropFirst(step.taken)
        isOver = step.isOver
        // No input consumed and no output produced: the data ends early.
        if !isOver, step.taken == 0, step.made == 0 { throw damaged(member) }
      } else {
        bytes += input
        input = []
        isOver = rest.isEmpty
      }
      if let member { try check(bytes[start...], member) }
      if bytes.count > start { return true }
    }
    return false
  }

  private mutating func check(
    _ bytes: ArraySlice<UInt8>, _ member: (claims: ZipMember, archive: ZipArchive)
  ) throws(GuideError) {
    let claims = member.claims
    made += bytes.count
    guard made <= claims.size else {
      throw member.archive.bad(
        "\(claims.name) exceeds its declared size of \(claims.size) bytes; do not use this file")
    }
    crc = Inflate.crc32(crc, bytes)
    if isOver, made != claims.size || crc != claims.crc || !rest.isEmpty || !input.isEmpty {
      throw damaged(member)
    }
  }

  private func damaged(_ member: (claims: ZipMember, archive: ZipArchive)) -> GuideError {
    member.archive.bad("\(member.claims.name) is damaged (size or CRC-32); download it again")
  }
}

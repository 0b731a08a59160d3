internal import CZlib
internal import CupolaGuide
internal import CupolaSupport

// 1. Read a member or a file in chunks, and decompress DEFLATE with zlib.
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

/// Decompresses raw DEFLATE (RFC 1951) and computes CRC-32 with zlib.
@safe final class Inflate {
  struct Step: Equatable {
    let taken: Int
    let made: Int
    let isOver: Bool
  }

  // The state is on the heap, because zlib keeps a pointer to it and it must not move.
  private let state: UnsafeMutablePointer<z_stream>

  init?() {
    unsafe state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe state.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(state, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { return nil }
  }

  deinit {
    // This has no effect if initialization failed.
    unsafe inflateEnd(state)
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Consumes input and appends at most `room` bytes to `output`; returns `nil` if the input is not valid DEFLATE data.
  func take(_ input: ArraySlice<UInt8>, room: Int, output: inout [UInt8]) -> Step? {
    var status = Z_OK
    var taken = 0
    let portion = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      unsafe input.withUnsafeBufferPointer { bytes in
        // zlib does not write to its input.
        unsafe state.pointee.next_in = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
        unsafe state.pointee.avail_in = UInt32(clamping: bytes.count)
        unsafe state.pointee.next_out = buffer.baseAddress
        unsafe state.pointee.avail_out = UInt32(clamping: buffer.count)
        status = unsafe inflate(state, Z_NO_FLUSH)
        unsafe taken = min(bytes.count, Int(UInt32.max)) - Int(state.pointee.avail_in)
        unsafe count = min(buffer.count, Int(UInt32.max)) - Int(state.pointee.avail_out)
      }
    }
    // Z_BUF_ERROR only means that no progress was possible.
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return nil }
    output += portion
    return Step(taken: taken, made: portion.count, isOver: status == Z_STREAM_END)
  }

  /// Returns the CRC-32 of data that consists of a part with the CRC-32 `start`, followed by `bytes`; use 0 for the
  /// first part.
  static func crc32(_ start: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var sum = uLong(start)
      var place = 0
      while place < buffer.count, let base = buffer.baseAddress {
        let count = min(buffer.count - place, 1 << 30)
        unsafe sum = CZlib.crc32(sum, base + place, uInt(count))
        place += count
      }
      return UInt32(truncatingIfNeeded: sum)
    }
  }
}

/// Compresses data with zlib.
package enum Deflate {
  /// Returns a zlib stream (RFC 1950), or `nil` if there is not enough memory.
  package static func zlib(_ data: [UInt8]) -> [UInt8]? {
    var status = Z_OK
    let most = Int(compressBound(uLong(data.count)))
    let stream = unsafe [UInt8](unsafeUninitializedCapacity: most) { buffer, count in
      var size = uLong(most)
      unsafe status = data.withUnsafeBufferPointer { bytes in
        unsafe compress2(
          buffer.baseAddress, &size, bytes.baseAddress, uLong(bytes.count), Z_DEFAULT_COMPRESSION)
      }
      count = status == Z_OK ? Int(size) : 0
    }
    return status == Z_OK ? stream : nil
  }
}

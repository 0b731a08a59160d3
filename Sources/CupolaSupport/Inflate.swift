internal import CZlib

/// Decompresses raw DEFLATE (RFC 1951) and computes CRC-32 with zlib.
@safe package final class Inflate {
  package struct Step: Equatable {
    package let taken: Int
    package let made: Int
    package let isOver: Bool
  }

  // The state is on the heap, because zlib keeps a pointer to it and it must not move.
  private let state: UnsafeMutablePointer<z_stream>

  package init?() {
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
  package func take(_ input: ArraySlice<UInt8>, room: Int, output: inout [UInt8]) -> Step? {
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

  /// Decompresses a zlib stream (RFC 1950) without checking its sum; returns `nil` if it is damaged or exceeds `limit`.
  package static func content(ofStream bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
    guard let inflate = Inflate() else { return nil }
    // The header has 2 bytes.
    var rest = bytes.dropFirst(2)
    var content: [UInt8] = []
    while content.count <= limit {
      let room = min(1 << 16, limit - content.count + 1)
      guard let step = inflate.take(rest, room: room, output: &content),
        step.taken > 0 || step.made > 0 || step.isOver
      else { return nil }
      if step.isOver { return content.count <= limit ? content : nil }
      rest = rest.dropFirst(step.taken)
    }
    return nil
  }

  /// Continues a CRC-32 with more bytes. `start` is the CRC-32 of the bytes before them, or 0 if there are none.
  package static func crc32(_ start: UInt32, _ bytes: ArraySlice<UInt8>) -> UInt32 {
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

internal import CZlib

/// Undoes DEFLATE (RFC 1951, without a header) and computes CRC-32, by zlib: the one place that
/// knows of it.
@safe final class Inflate {
  /// What became of a portion of input.
  struct Step: Equatable {
    /// Bytes of the input that were taken.
    let taken: Int
    /// Bytes that came out.
    let made: Int
    /// Whether the stream is over.
    let isOver: Bool
  }

  // On the heap: zlib keeps a pointer to it, so that it must never move.
  private let state: UnsafeMutablePointer<z_stream>

  /// Fails when there is no memory.
  init?() {
    unsafe state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    unsafe state.initialize(to: z_stream())
    let size = unsafe Int32(MemoryLayout<z_stream>.size)
    guard unsafe inflateInit2_(state, -MAX_WBITS, ZLIB_VERSION, size) == Z_OK else { return nil }
  }

  deinit {
    // Of a stream that never began it does nothing.
    unsafe inflateEnd(state)
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Reads some of `input` and appends at most `room` bytes to `output`; `nil` when the input is no
  /// DEFLATE.
  func take(_ input: ArraySlice<UInt8>, room: Int, output: inout [UInt8]) -> Step? {
    var status = Z_OK
    var taken = 0
    let portion = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      unsafe input.withUnsafeBufferPointer { bytes in
        // zlib does not write there.
        unsafe state.pointee.next_in = unsafe UnsafeMutablePointer(mutating: bytes.baseAddress)
        unsafe state.pointee.avail_in = UInt32(clamping: bytes.count)
        unsafe state.pointee.next_out = buffer.baseAddress
        unsafe state.pointee.avail_out = UInt32(clamping: buffer.count)
        status = unsafe inflate(state, Z_NO_FLUSH)
        unsafe taken = min(bytes.count, Int(UInt32.max)) - Int(state.pointee.avail_in)
        unsafe count = min(buffer.count, Int(UInt32.max)) - Int(state.pointee.avail_out)
      }
    }
    // Z_BUF_ERROR only says that there was nothing to do.
    guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return nil }
    output += portion
    return Step(taken: taken, made: portion.count, isOver: status == Z_STREAM_END)
  }

  /// The CRC-32 of what had the CRC-32 `start`, followed by `bytes`; 0 starts one.
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

extension Sequence<UInt8> {
  /// The bytes as one number, the first of them the highest.
  var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}

extension Span<UInt8> {
  /// Eight bytes as one number, the first of them the highest; they have to be there.
  @inline(__always)
  func word(at place: Int) -> UInt64 {
    // Checked as a subscript is; unsafe for other types only, of which not all bits mean something.
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self).bigEndian
  }
}

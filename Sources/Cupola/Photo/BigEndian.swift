extension Sequence<UInt8> {
  /// The bytes as one number, the first of them the highest.
  var bigEndian: Int { reduce(0) { $0 << 8 | Int($1) } }
}

internal import CupolaGuide

/// Bytes that come in portions.
protocol ByteStream {
  /// Appends the next bytes; `false` when there are no more.
  ///
  /// - Throws: ``GuideError/file(_:)``, ``GuideError/badFeed(path:problem:)``.
  mutating func append(to bytes: inout [UInt8]) throws(GuideError) -> Bool
}

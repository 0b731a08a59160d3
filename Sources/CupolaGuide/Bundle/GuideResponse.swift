/// What came of a ``GuideRequest``.
public enum GuideResponse: Equatable, Sendable {
  /// The file from its first byte on (HTTP 200), whatever offset was asked for.
  case whole([UInt8], etag: String? = nil)
  /// What follows the offset, or the beginning of that: the rest is asked for again (HTTP 206).
  case partial([UInt8], etag: String? = nil)
  /// The file is the one that the etag names (HTTP 304); only of `guide.json`.
  case notModified
}

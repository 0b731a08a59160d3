/// What ``GuideUpdate`` wants of a file of the newer guide.
///
/// Over HTTP: `GET` of ``file`` below the guide's address. With an ``offset`` also `Range: bytes=OFFSET-`, and
/// `If-Range` with the ``etag``; without one, `If-None-Match` with the ``etag``.
public struct GuideRequest: Equatable, Sendable {
  /// What is wanted: the name of a part, such as `paths.bin`, or `guide.json`.
  public let name: String
  /// The name of its file in the guide's folder.
  public let file: String
  /// Bytes that are there from an earlier time: the answer begins behind them, or is the whole file.
  public let offset: Int
  /// Bytes behind the offset that are accepted; more end the update with an error.
  public let limit: Int
  /// What the server called the file when it was fetched last, or in part (HTTP's `ETag`).
  public let etag: String?
}

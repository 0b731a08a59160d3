internal import CupolaSupport

extension GuideUpdate {
  /// Fetches from another guide's folder, in pieces of 4 MB.
  ///
  /// - Parameter folder: a path, or a `file:` URL. What is neither is refused when the update runs, with
  ///   ``GuideError/fetchFailed(part:problem:)``.
  public static func fetcher(fromFolder folder: String) -> Fetch {
    { request throws(GuideError) in
      guard let folder = path(of: folder) else {
        throw .fetchFailed(
          part: folder, problem: "neither a folder nor a file: URL of this machine")
      }
      do throws(FileError) {
        return request.name == GuideManifest.file
          ? try manifest(request, in: folder) : try piece(request, in: folder)
      } catch .tooLarge(_, let limit) {
        throw .downloadTooLarge(part: request.name, limit: limit)
      } catch { throw .file(error) }
    }
  }

  private static func manifest(
    _ request: GuideRequest, in folder: String
  ) throws(FileError) -> GuideResponse {
    let bytes = try FileAccess.read(folder + "/" + request.file, limit: request.limit)
    let etag = SHA256.hexadecimal(of: bytes)
    return request.etag == etag ? .notModified : .whole(bytes, etag: etag)
  }

  /// Without an etag: the digest in the name of a part's file tells more.
  private static func piece(
    _ request: GuideRequest, in folder: String
  ) throws(FileError) -> GuideResponse {
    let file = folder + "/" + request.file
    let size = try FileAccess.size(of: file)
    let start = min(request.offset, size)
    let count = min(size - start, request.limit, 4 << 20)
    return .partial(try FileAccess.read(file, bytes: start..<start + count))
  }

  /// The path that a `file:` URL means (RFC 8089), or a path itself; `nil` for URLs of other kinds.
  static func path(of text: String) -> String? {
    guard let colon = colon(of: text) else { return text }
    guard text[..<colon].lowercased() == "file" else { return nil }
    var rest = text[text.index(after: colon)...]
    if rest.hasPrefix("//") {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != "/" }
      guard host.isEmpty || host.lowercased() == "localhost" else { return nil }
      rest = rest.dropFirst(host.count)
    }
    guard rest.hasPrefix("/") else { return nil }
    // No path has a zero.
    return PercentEncoding.decoded(rest).flatMap { $0.utf8.contains(0) ? nil : $0 }
  }

  /// The end of a URL's scheme: letters, before `//` or, in `file:/path`, a slash.
  private static func colon(of text: String) -> String.Index? {
    let scheme = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "+") }
    let rest = text[scheme.endIndex...]
    let isURL = rest.hasPrefix("://") || scheme.lowercased() == "file" && rest.hasPrefix(":/")
    return isURL && !scheme.isEmpty ? scheme.endIndex : nil
  }
}

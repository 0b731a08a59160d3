#if Serve
  internal import CupolaCampus
  internal import CupolaGuide
  internal import NIOHTTP1

  // 1. Answer 304 if the client already has this version of a file.
  // 2. Read the `Range` header, with the same results as nginx.
  // 3. Send the whole file, one range of it, or 416.

  /// A file or bytes that clients can store, revalidate and download in parts.
  struct ServedFile {
    private let whole: ServedResponse.Body
    /// A value that differs between versions of the file, such as its digest.
    let tag: String
    private let type: String
    private let caching: String

    /// Clients must ask whether their copy is still current.
    private static let revalidated = "no-cache"

    /// - Parameter caching: The value of `Cache-Control`.
    init?(path: String, tag: String, type: String, caching: String = revalidated) {
      guard let size = try? FileAccess.size(of: path) else { return nil }
      whole = .file(path: path, 0..<size)
      (self.tag, self.type, self.caching) = (tag, type, caching)
    }

    init(json bytes: [UInt8]) {
      whole = .bytes(bytes)
      tag = SHA256.hexadecimal(of: bytes)
      (type, caching) = (MediaType.json, Self.revalidated)
    }

    /// A media file, identified by its size and modification time.
    static func changing(_ path: String) -> ServedFile? {
      ServedFile(path: path, tag: Directory.version(of: path), type: MediaType.ofMedia(path))
    }

    func response(to request: ServedRequest) -> ServedResponse {
      let etag = "\"\(tag)\""
      func respond(_ body: ServedResponse.Body, _ status: HTTPResponseStatus) -> ServedResponse {
        LivePage.response(body, type: type, status: status)
          .with("ETag", etag).with("Cache-Control", caching)
      }
      if Self.isListed(etag, in: request.headers["If-None-Match"]) {
        return respond(.bytes([]), .notModified)
      }
      switch range(for: request, etag: etag) {
      case .whole: return respond(whole, .ok).with("Accept-Ranges", "bytes")
      case .part(let range):
        return respond(whole.part(range), .partialContent).with(
          "Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(whole.count)")
      case .unsatisfiable:
        return LivePage.response(.bytes([]), type: type, status: .rangeNotSatisfiable)
          .with("Content-Range", "bytes */\(whole.count)")
      }
    }

    /// Also matches weak ETags (RFC 9110, 13.1.2), because proxies that compress responses make ETags weak.
    private static func isListed(_ etag: String, in list: String?) -> Bool {
      list?.split(separator: ",").contains { item in
        let item = item.trimmed
        return item == "*" || item == etag || item == "W/" + etag
      } ?? false
    }

    /// Only GET requests have ranges (RFC 9110, 14.2). If the file has changed, the whole file is sent.
    private func range(for request: ServedRequest, etag: String) -> RequestedRange {
      guard request.method == "GET", let range = request.headers["Range"],
        request.headers["If-Range"].map({ $0 == etag }) ?? true
      else { return .whole }
      return RequestedRange(range, of: whole.count)
    }
  }

  extension ServedResponse.Body {
    fileprivate func part(_ range: Range<Int>) -> Self {
      switch self {
      case .bytes(let bytes): .bytes(Array(bytes[range]))
      case .file(let path, _): .file(path: path, range)
      }
    }
  }

  /// A `Range` header (RFC 9110, 14.1.2). All results equal those of nginx with `max_ranges 1`.
  enum RequestedRange: Equatable {
    /// The header has another unit or several ranges, which the server may ignore.
    case whole
    case part(Range<Int>)
    /// The header is invalid, or all ranges are outside the file.
    case unsatisfiable

    init(_ header: String, of size: Int) {
      let unit = "bytes="
      guard header.lowercased().hasPrefix(unit), header.utf8.count > unit.utf8.count else {
        self = .whole
        return
      }
      var found: Range<Int>?
      for item in header.dropFirst(unit.count).split(
        separator: ",", omittingEmptySubsequences: false)
      {
        guard let range = Self.range(item, of: size) else {
          self = .unsatisfiable
          return
        }
        // An empty range at 0 can only be a valid range of an empty file.
        if range.isEmpty && range.lowerBound == 0 || !range.isEmpty && found != nil {
          self = .whole
          return
        }
        if !range.isEmpty { found = range }
      }
      self = found.map { .part($0) } ?? .unsatisfiable
    }

    /// Returns the range for `a-b`, `a-` or `-n`, which is empty if it is outside the file; `nil` if it is invalid.
    private static func range(_ item: Substring, of size: Int) -> Range<Int>? {
      guard let dash = item.firstIndex(of: "-") else { return nil }
      let (first, last) = (item[..<dash].trimmed, item[item.index(after: dash)...].trimmed)
      if first.isEmpty {
        return Digits.number(last).map { max(0, size - $0)..<size }
      }
      guard let start = Digits.number(first),
        let end = last.isEmpty ? size : Digits.number(last).map({ min($0, size - 1) + 1 })
      else { return nil }
      return start..<max(start, end)
    }
  }
#endif

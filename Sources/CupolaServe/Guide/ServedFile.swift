#if Serve
  internal import CupolaCampus
  internal import Foundation
  internal import NIOHTTP1

  /// A file that visitors' apps fetch, from any byte on.
  struct ServedFile {
    /// Where it is.
    let path: String
    /// What tells it from earlier ones, such as its digest.
    let tag: String
    let type: String

    init(path: String, tag: String, type: String) {
      (self.path, self.tag, self.type) = (path, tag, type)
    }

    /// A file of media, whose size and time of change tell it from earlier ones.
    init(changing path: String) {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let changed = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      let size = (try? FileAccess.size(of: path)) ?? 0
      let ending = path.split(separator: ".").last?.lowercased() ?? ""
      self.init(
        path: path, tag: "\(size)-\(changed)",
        type: Self.types[ending] ?? "application/octet-stream")
    }

    private static let types = [
      "avif": "image/avif", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
      "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml", "webp": "image/webp",
      "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/mp4", "mp3": "audio/mpeg",
      "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
      "mov": "video/quicktime", "mp4": "video/mp4", "webm": "video/webm",
    ]

    /// Answers with the file, with what follows a byte, or that it has not changed (RFC 9110, sections 13 and 14).
    func response(to request: ServedRequest) -> ServedResponse? {
      let etag = "\"\(tag)\""
      if Self.isListed(etag, in: request.headers["If-None-Match"]) {
        return LivePage.response(.bytes([]), type: type, status: .notModified).with("ETag", etag)
      }
      guard let size = try? FileAccess.size(of: path) else { return nil }
      guard let start = first(of: request, etag: etag) else {
        return LivePage.response(.file(path: path, 0..<size), type: type)
          .with("ETag", etag).with("Accept-Ranges", "bytes")
      }
      guard start < size else {
        return LivePage.response(.bytes([]), type: type, status: .rangeNotSatisfiable)
          .with("Content-Range", "bytes */\(size)")
      }
      return LivePage.response(
        .file(path: path, start..<size), type: type, status: .partialContent
      ).with("ETag", etag).with("Content-Range", "bytes \(start)-\(size - 1)/\(size)")
    }

    /// Whether one of several ETags is meant. A weak one is as good here (RFC 9110, 13.1.2): servers that compress on the
    /// way make them weak.
    private static func isListed(_ etag: String, in list: String?) -> Bool {
      list?.split(separator: ",").contains { item in
        let item = item.trimmed
        return item == "*" || item == etag || item == "W/" + etag
      } ?? false
    }

    /// The byte that `Range: bytes=N-` of a GET names; other ranges are not needed, and the whole file answers them.
    private func first(of request: ServedRequest, etag: String) -> Int? {
      guard request.method == "GET", let range = request.headers["Range"],
        range.hasPrefix("bytes="), range.hasSuffix("-"),
        request.headers["If-Range"].map({ $0 == etag }) ?? true
      else { return nil }
      return Digits.number(range.dropFirst(6).dropLast()).flatMap { $0 > 0 ? $0 : nil }
    }
  }
#endif

#if Serve
  internal import CupolaCampus
  package import CupolaGuide
  internal import Foundation
  internal import NIOHTTP1

  // 1. Find the guide's file for a request.
  // 2. Send the whole file, the requested end of it, or 304 if it has not changed.

  /// A guide at `/guide/`, which apps download file by file with `GuideUpdate`.
  package struct ServedGuide: Sendable {
    private let folder: String

    /// - Throws: `GuideError` if the folder is not a guide; see `GuideBundle.init(reading:)`.
    package init(folder: String) throws(GuideError) {
      _ = try GuideBundle(reading: folder)
      self.folder = folder
    }

    func answer(_ name: String, _ request: ServedRequest) -> ServedResponse? {
      // Read the manifest for each request, because the guide can be rebuilt while it is served.
      guard let manifest = try? GuideBundle(reading: folder).manifest else { return nil }
      if name == "guide.json" {
        let path = folder + "/guide.json"
        guard let bytes = try? FileAccess.read(path, limit: 1 << 20) else { return nil }
        return ServedFile(
          path: path, tag: SHA256.hexadecimal(of: bytes), type: "application/json"
        ).response(to: request)
      }
      // Only files listed in the manifest are served, so requests cannot read files outside the folder.
      guard let part = manifest.parts.first(where: { $0.file == name }) else { return nil }
      return ServedFile(
        path: folder + "/" + part.file, tag: part.sha256, type: "application/octet-stream"
      ).response(to: request)
    }
  }

  struct ServedFile {
    let path: String
    /// A value that differs between versions of the file, such as its digest.
    let tag: String
    let type: String

    /// A media file. Its tag consists of file size and modification time.
    static func changing(_ path: String) -> ServedFile {
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let changed = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
      let size = (try? FileAccess.size(of: path)) ?? 0
      let ending = path.split(separator: ".").last?.lowercased() ?? ""
      return ServedFile(
        path: path, tag: "\(size)-\(changed)",
        type: types[ending] ?? "application/octet-stream")
    }

    private static let types = [
      "avif": "image/avif", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
      "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml", "webp": "image/webp",
      "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/mp4", "mp3": "audio/mpeg",
      "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
      "mov": "video/quicktime", "mp4": "video/mp4", "webm": "video/webm",
    ]

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

    /// Also matches weak ETags (RFC 9110, 13.1.2), because proxies that compress responses make ETags weak.
    private static func isListed(_ etag: String, in list: String?) -> Bool {
      list?.split(separator: ",").contains { item in
        let item = item.trimmed
        return item == "*" || item == etag || item == "W/" + etag
      } ?? false
    }

    /// The first byte in `Range: bytes=N-` of a GET request; `nil` for other ranges, for which the whole file is sent.
    private func first(of request: ServedRequest, etag: String) -> Int? {
      guard request.method == "GET", let range = request.headers["Range"],
        range.hasPrefix("bytes="), range.hasSuffix("-"),
        request.headers["If-Range"].map({ $0 == etag }) ?? true
      else { return nil }
      return Digits.number(range.dropFirst(6).dropLast()).flatMap { $0 > 0 ? $0 : nil }
    }
  }
#endif

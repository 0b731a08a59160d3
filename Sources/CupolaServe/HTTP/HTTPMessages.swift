#if Serve
  internal import CupolaCampus
  internal import CupolaGuide
  internal import Foundation
  internal import NIOCore
  internal import NIOHTTP1

  // 1. A request with decoded path, query and header fields.
  // 2. A response with bytes or part of a file, sent in chunks as fast as the client reads them.
  // 3. The media types of files.

  struct ServedRequest: Sendable {
    let method: String
    let path: String
    private let query: [(name: String, value: String)]
    let headers: HeaderFields
    let body: [UInt8]
    /// The client's address, without the port.
    let remoteAddress: String?

    /// - Parameter target: The encoded path and query, or an absolute URL whose host replaces the `Host` header.
    /// - Returns: `nil` if the encoding is invalid.
    init?(
      _ method: String, target: String, headers: HeaderFields = [:], body: [UInt8] = [],
      remoteAddress: String? = nil
    ) {
      let (host, target) = Self.divided(target)
      var headers = headers
      if let host { headers["Host"] = host }
      let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
      guard let path = PercentEncoding.decoded(parts.first ?? "") else { return nil }
      var query: [(name: String, value: String)] = []
      for item in parts.dropFirst().first?.split(separator: "&") ?? [] {
        let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = PercentEncoding.decoded(pair.first ?? ""),
          let value = PercentEncoding.decoded(pair.dropFirst().first ?? "")
        else { return nil }
        query.append((name, value))
      }
      (self.method, self.path, self.query) = (method, path, query)
      (self.headers, self.body, self.remoteAddress) = (headers, body, remoteAddress)
    }

    /// The host in an absolute target, and the rest of the target (RFC 9112, 3.2.2).
    private static func divided(_ target: String) -> (host: String?, rest: String) {
      guard
        let scheme = ["http://", "https://"].first(where: {
          target.prefix($0.count).lowercased() == $0
        })
      else { return (nil, target) }
      let address = target.dropFirst(scheme.count)
      let host = address.prefix { $0 != "/" && $0 != "?" }
      let rest = String(address.dropFirst(host.count))
      return (String(host), rest.hasPrefix("/") ? rest : "/" + rest)
    }

    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    var bearerToken: String? {
      guard let field = headers["Authorization"], field.prefix(7).lowercased() == "bearer " else {
        return nil
      }
      return field.dropFirst(7).trimmed
    }
  }

  struct ServedResponse: Sendable {
    enum Body: Sendable {
      case bytes([UInt8])
      /// Part of a file, which is read while it is sent.
      case file(path: String, Range<Int>)

      var count: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let range): range.count
        }
      }
    }

    var status: HTTPResponseStatus
    var headers: HeaderFields = [:]
    var body = Body.bytes([])

    func with(_ name: String, _ value: String) -> ServedResponse {
      var response = self
      response.headers[name] = value
      return response
    }
  }

  extension ServedResponse.Body {
    /// The maximum number of bytes kept in memory for a client that reads slowly.
    private static let pieceBytes = 1 << 16

    private struct Cut: Error {}

    /// Sends the body in chunks, each after the previous chunk was written.
    func send(to channel: any Channel, within time: TimeAmount) async throws {
      // Also wait until a head without a body is written. Otherwise, responses would accumulate for a client that sends
      // many HEAD requests and reads nothing.
      if count == 0 { try await Self.send(ByteBuffer(), to: channel, within: time) }
      switch self {
      case .bytes(let bytes):
        for start in stride(from: 0, to: bytes.count, by: Self.pieceBytes) {
          let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
          try await Self.send(ByteBuffer(bytes: piece), to: channel, within: time)
        }
      case .file(let path, let range):
        // Use one handle for all chunks: if the file is replaced in the meantime, the old file is sent.
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(range.lowerBound))
        for start in stride(from: range.lowerBound, to: range.upperBound, by: Self.pieceBytes) {
          let count = min(Self.pieceBytes, range.upperBound - start)
          guard let piece = try file.read(upToCount: count), piece.count == count else {
            throw Cut()
          }
          try await Self.send(ByteBuffer(bytes: piece), to: channel, within: time)
        }
      }
    }

    private static func send(
      _ piece: ByteBuffer, to channel: any Channel, within time: TimeAmount
    ) async throws {
      let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
      let written = channel.eventLoop.makePromise(of: Void.self)
      channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(piece)), promise: written)
      // Canceled by the event loop, because this task may have to wait for a thread.
      written.futureResult.whenComplete { _ in deadline.cancel() }
      try await written.futureResult.get()
    }
  }

  /// The header fields of a request or response. Names are case-insensitive.
  struct HeaderFields: Sendable, ExpressibleByDictionaryLiteral {
    private(set) var all: [(name: String, value: String)] = []

    init(dictionaryLiteral fields: (String, String)...) {
      all = fields.map { (name: $0.0, value: $0.1) }
    }

    init(_ fields: some Sequence<(name: String, value: String)>) { all = Array(fields) }

    /// A field's value. The values of fields with the same name are joined by commas (RFC 9110, 5.2).
    subscript(name: String) -> String? {
      get {
        let values = all.filter { Self.isSame($0.name, name) }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
      }
      set {
        all.removeAll { Self.isSame($0.name, name) }
        if let newValue { all.append((name, newValue)) }
      }
    }

    func has(_ word: String, in name: String) -> Bool {
      self[name]?.split(separator: ",").contains { $0.trimmed.lowercased() == word } ?? false
    }

    private static func isSame(_ a: String, _ b: String) -> Bool {
      a.lowercased() == b.lowercased()
    }
  }

  extension StringProtocol {
    var trimmed: String {
      let start = drop { $0.isWhitespace }
      let kept = start.reversed().drop { $0.isWhitespace }
      return String(kept.reversed())
    }
  }

  /// The media types of files, by the endings of their names.
  enum MediaType {
    static let html = "text/html; charset=utf-8"
    static let json = "application/json"
    static let text = "text/plain; charset=utf-8"
    static let bytes = "application/octet-stream"

    private static let all = [
      "html": html, "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
      "json": json, "csv": "text/csv", "txt": text,
      "avif": "image/avif", "gif": "image/gif", "heic": "image/heic", "jpeg": "image/jpeg",
      "jpg": "image/jpeg", "png": "image/png", "svg": "image/svg+xml", "webp": "image/webp",
      "aac": "audio/aac", "flac": "audio/flac", "m4a": "audio/mp4", "mp3": "audio/mpeg",
      "oga": "audio/ogg", "ogg": "audio/ogg", "opus": "audio/ogg", "wav": "audio/wav",
      "mov": "video/quicktime", "mp4": "video/mp4", "webm": "video/webm",
    ]

    /// Returns ``bytes`` for names with other endings.
    static func of(_ name: some StringProtocol) -> String {
      all[name.split(separator: ".").last?.lowercased() ?? ""] ?? bytes
    }

    /// The type of an image, audio or video file; otherwise ``bytes``, so that browsers open no pages and scripts.
    static func ofMedia(_ name: some StringProtocol) -> String {
      let type = of(name)
      return ["image/", "audio/", "video/"].contains { type.hasPrefix($0) } ? type : bytes
    }
  }

  enum HTTPDate {
    private static let days = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    private static let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// - Parameter seconds: Seconds since 1970.
    /// - Returns: `nil` for times before 1970 or too far in the future.
    static func text(_ seconds: Double) -> String? {
      guard let whole = Int(exactly: seconds.rounded(.down)), whole >= 0,
        let date = LocalDate(dayNumber: whole / 86_400)
      else { return nil }
      let clock = [whole / 3600 % 24, whole / 60 % 60, whole % 60]
        .map { Digits.padded($0, to: 2) }.joined(separator: ":")
      let day = Digits.padded(date.day, to: 2)
      return "\(days[date.weekday]), \(day) \(months[date.month - 1]) \(date.year) \(clock) GMT"
    }
  }
#endif

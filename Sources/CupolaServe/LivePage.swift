#if Serve
  internal import NIOHTTP1

  /// The page's own files, with headers that let it ask for nothing else.
  enum LivePage {
    /// The files by their paths.
    private static let files: [String: (type: String, bytes: [UInt8])] = [
      "/": ("text/html; charset=utf-8", PackageResources.page_html),
      "/page.css": ("text/css; charset=utf-8", PackageResources.page_css),
      "/page.js": (script, PackageResources.page_js),
      "/answer.js": (script, PackageResources.answer_js),
      "/connection.js": (script, PackageResources.connection_js),
      "/map.js": (script, PackageResources.map_js),
      "/position.js": (script, PackageResources.position_js),
      "/source.js": (script, PackageResources.source_js),
    ]

    private static let script = "text/javascript; charset=utf-8"

    /// What a browser may do with the page.
    private static let policy = """
      default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
      media-src 'self' blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; \
      frame-ancestors 'none'
      """

    /// The file of a path; `nil` when there is none.
    static func response(_ path: String) -> ServedResponse? {
      files[path].map { response(.bytes($0.bytes), type: $0.type) }
    }

    /// Some bytes, with the headers of the page.
    static func response(
      _ body: ServedResponse.Body, type: String, status: HTTPResponseStatus = .ok
    ) -> ServedResponse {
      ServedResponse(
        status: status,
        headers: [
          "Content-Type": type, "Content-Security-Policy": policy,
          "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
          "Permissions-Policy": "camera=(self), geolocation=(self)", "Cache-Control": "no-store",
        ], body: body)
    }

    /// A line for people.
    static func text(_ line: String, status: HTTPResponseStatus) -> ServedResponse {
      response(
        .bytes(Array("\(line)\n".utf8)), type: "text/plain; charset=utf-8", status: status)
    }
  }
#endif

#if Serve
  internal import FlyingFox
  internal import Foundation

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
    static func response(_ path: String) -> HTTPResponse? {
      files[path].map { response($0.bytes, type: $0.type) }
    }

    /// Some bytes, with the headers of the page.
    static func response(
      _ bytes: [UInt8], type: String, status: HTTPStatusCode = .ok
    ) -> HTTPResponse {
      HTTPResponse(
        statusCode: status,
        headers: [
          .contentType: type, HTTPHeader("Content-Security-Policy"): policy,
          HTTPHeader("X-Content-Type-Options"): "nosniff",
          HTTPHeader("Referrer-Policy"): "no-referrer",
          HTTPHeader("Permissions-Policy"): "camera=(self), geolocation=(self)",
          HTTPHeader("Cache-Control"): "no-store",
        ], body: Data(bytes))
    }
  }
#endif

#if Serve
  /// What the server answers, whatever carries it.
  struct ServedResponse: Sendable {
    enum Status: Int {
      case switchingProtocols = 101
      case ok = 200
      case partialContent = 206
      case notModified = 304
      case badRequest = 400
      case unauthorized = 401
      case forbidden = 403
      case notFound = 404
      case methodNotAllowed = 405
      case contentTooLarge = 413
      case rangeNotSatisfiable = 416
      case headerFieldsTooLarge = 431
      case serviceUnavailable = 503

      /// What people read (RFC 9110, 15, and RFC 6585).
      var phrase: String {
        switch self {
        case .switchingProtocols: "Switching Protocols"
        case .ok: "OK"
        case .partialContent: "Partial Content"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .contentTooLarge: "Content Too Large"
        case .rangeNotSatisfiable: "Range Not Satisfiable"
        case .headerFieldsTooLarge: "Request Header Fields Too Large"
        case .serviceUnavailable: "Service Unavailable"
        }
      }
    }

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

    var status: Status
    var headers: HeaderFields = [:]
    var body = Body.bytes([])

    /// The same with a header.
    func with(_ name: String, _ value: String) -> ServedResponse {
      var response = self
      response.headers[name] = value
      return response
    }
  }
#endif

#if Serve
  internal import NIOHTTP1

  /// What the server answers, whatever carries it.
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

    /// The same with a header.
    func with(_ name: String, _ value: String) -> ServedResponse {
      var response = self
      response.headers[name] = value
      return response
    }
  }
#endif

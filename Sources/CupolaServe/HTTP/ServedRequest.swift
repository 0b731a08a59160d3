#if Serve
  internal import CupolaCampus

  /// What is asked of the server, whatever carried it there.
  struct ServedRequest: Sendable {
    let method: String
    /// What stands before the question mark, decoded.
    let path: String
    private let query: [(name: String, value: String)]
    let headers: HeaderFields
    let body: [UInt8]
    /// The address that it comes from, without the port.
    let remoteAddress: String?

    /// - Parameter target: path and query as they are sent, or a whole address, whose name then counts.
    /// - Returns: `nil` for a target that is not encoded as it should be.
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

    /// The name in an address, and what stands behind it (RFC 9112, 3.2.2).
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

    /// What the query says by a name.
    func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The token that `Authorization: Bearer` says (RFC 6750, 2.1).
    var bearerToken: String? {
      guard let field = headers["Authorization"], field.prefix(7).lowercased() == "bearer " else {
        return nil
      }
      return field.dropFirst(7).trimmed
    }
  }
#endif

#if Serve
  internal import CupolaCampus
  internal import CupolaGuide
  internal import NIOHTTP1

  // 1. Check the host and origin of a request, so that other websites cannot use the server through a visitor's browser.
  // 2. Check the token, which a request contains as a parameter, a header or a cookie.
  // 3. Slow down clients that send wrong tokens, and log them.

  /// Decides whether a request may be answered.
  struct AccessControl: Sendable {
    private struct Token: Sendable {
      let digest: String
      let cookie: (name: String, value: String)

      init(_ token: String) {
        digest = SHA256.hexadecimal(of: Array(token.utf8))
        // Tokens may contain characters that cookies must not contain. The name differs between servers on one host.
        let value = SHA256.hexadecimal(of: Array("cupola cookie \(token)".utf8))
        let name = SHA256.hexadecimal(of: Array(value.utf8)).prefix(8)
        cookie = ("cupola-\(name)", value)
      }
    }

    private let token: Token?
    private let isLocal: Bool
    private let proxies: [AddressRange]
    private let log: LiveServer.Log
    private let wrongTokens = AttemptLimit(20)

    /// - Parameter isLocal: Whether the server has only local names. Always true without a token.
    init(
      token: String?, isLocal: Bool = false, proxies: [AddressRange] = [],
      log: @escaping LiveServer.Log
    ) {
      self.token = token.map(Token.init)
      (self.isLocal, self.proxies, self.log) = (isLocal || token == nil, proxies, log)
    }

    // MARK: - Host and origin

    /// Returns the status of the refusal if a request is not from the server's own page or an app; otherwise `nil`.
    func originRefusal(of request: ServedRequest) -> HTTPResponseStatus? {
      let host = request.headers["Host"]
      if let host {
        guard let name = Self.name(inHost: host) else { return .badRequest }
        // Reject other websites' names that resolve to this computer (DNS rebinding).
        guard !isLocal || Self.isLocal(name) else { return .forbidden }
      }
      guard let origin = request.headers["Origin"]?.lowercased() else { return nil }
      let isOwn = ["http://", "https://"].contains { origin == $0 + (host?.lowercased() ?? "") }
      return isOwn && host?.isEmpty == false ? nil : .forbidden
    }

    /// The name in a Host header, without the port; `nil` if the header is malformed (RFC 9110, 7.2).
    static func name(inHost host: String) -> Substring? {
      let isBracketed = host.hasPrefix("[")
      let end =
        isBracketed
        ? host.firstIndex(of: "]").map(host.index(after:)) ?? host.startIndex
        : host.firstIndex(of: ":") ?? host.endIndex
      let (name, port) = (host[..<end], host[end...])
      let digits = port.dropFirst()
      guard port.isEmpty || port.hasPrefix(":") && digits.utf8.allSatisfy(Digits.isDigit) else {
        return nil
      }
      if isBracketed { return AddressRange.isAddress(name.dropFirst().dropLast()) ? name : nil }
      let isValid = name.utf8.allSatisfy { byte in
        Digits.isDigit(byte) || "-._~!$'()*+;=%".utf8.contains(byte)
          || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
      }
      return isValid ? name : nil
    }

    private static func isLocal(_ name: Substring) -> Bool {
      ["localhost", "[::1]"].contains(name.lowercased())
        || name.hasPrefix("127.") && name.allSatisfy { "0123456789.".contains($0) }
    }

    // MARK: - Token

    /// Returns the status of the refusal if a request contains no valid token; otherwise `nil`.
    func tokenRefusal(of request: ServedRequest) -> HTTPResponseStatus? {
      guard let token else { return nil }
      // Cookies cannot be guessed, so pages stay connected while another client at the same address is blocked.
      if let value = request.cookie(token.cookie.name), Self.isSame(value, token.cookie.value) {
        return nil
      }
      // A proxy might add its own Authorization header to a request whose URL contains the token.
      let given = [request.value("token"), request.bearerToken].compactMap(\.self)
      guard !given.isEmpty else { return .unauthorized }
      let (client, now) = (client(of: request), LocalTime.secondsSince1970Now)
      guard !wrongTokens.isReached(by: client, at: now) else { return .tooManyRequests }
      if given.contains(where: { isToken($0, token) }) { return nil }
      wrongTokens.add(client, at: now)
      log("wrong token from \(client)")
      return .unauthorized
    }

    /// The cookie for a visitor whose URL contains the token, so that later URLs do not contain it.
    func cookie(for request: ServedRequest) -> String? {
      guard let token, let given = request.value("token"), isToken(given, token) else { return nil }
      let isSecure = request.headers["X-Forwarded-Proto"]?.lowercased() == "https"
      let thirtyDays = 30 * 86_400
      return "\(token.cookie.name)=\(token.cookie.value); Max-Age=\(thirtyDays); Path=/; HttpOnly; "
        + "SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    private func isToken(_ given: String, _ token: Token) -> Bool {
      Self.isSame(SHA256.hexadecimal(of: Array(given.utf8)), token.digest)
    }

    /// Compares in constant time.
    private static func isSame(_ a: String, _ b: String) -> Bool {
      a.utf8.count == b.utf8.count && zip(a.utf8, b.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }

    // MARK: - Client

    func client(of request: ServedRequest) -> String { request.client(behind: proxies) }
  }

  extension ServedRequest {
    /// The client's address.
    ///
    /// If a proxy on this computer or a trusted proxy forwards the request, this is the last address in
    /// `X-Forwarded-For` that is not a trusted proxy. Clients can forge the addresses before it.
    func client(behind proxies: [AddressRange] = []) -> String {
      let own = remoteAddress ?? ""
      // A server that listens on :: receives IPv4 addresses in the form ::ffff:127.0.0.1.
      let isNear = own == "::1" || ["127.", "::ffff:127."].contains { own.hasPrefix($0) }
      func isTrusted(_ address: String) -> Bool { proxies.contains { $0.contains(address) } }
      guard own.isEmpty || isNear || isTrusted(own),
        let forwarded = headers["X-Forwarded-For"]?.split(separator: ",").map(\.trimmed)
      else { return own }
      return forwarded.last { !isTrusted($0) } ?? forwarded.first ?? own
    }

    func cookie(_ name: String) -> String? {
      headers["Cookie"]?.split { $0 == ";" || $0 == "," }.lazy.map(\.trimmed)
        .first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
    }
  }

  /// Limits the failed attempts of each client to a number per minute.
  final class AttemptLimit: Sendable {
    private static let seconds = 60.0
    private static let mostClients = 10_000

    private let maximum: Int
    /// The times of failures, in seconds since 1970, by client address.
    private let failures = Locked<[String: [Double]]>([:])

    init(_ maximum: Int) { self.maximum = maximum }

    func isReached(by client: String, at now: Double) -> Bool {
      failures.withLock { $0[client, default: []].count { Self.isRecent($0, now) } >= maximum }
    }

    func add(_ client: String, at now: Double) {
      failures.withLock { failures in
        if failures.count >= Self.mostClients {
          failures = failures.mapValues { $0.filter { Self.isRecent($0, now) } }
            .filter { !$0.value.isEmpty }
          // Only many computers together reach this number, and a limit per client does not slow them down.
          if failures.count >= Self.mostClients { failures = [:] }
        }
        failures[client, default: []].removeAll { !Self.isRecent($0, now) }
        failures[client, default: []].append(now)
      }
    }

    private static func isRecent(_ time: Double, _ now: Double) -> Bool {
      (now - seconds...now).contains(time)
    }
  }
#endif

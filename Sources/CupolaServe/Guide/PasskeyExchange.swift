internal import CupolaTours

#if Serve
  internal import Cupola
  internal import CupolaCampus
  internal import CupolaGuide

  /// Exchanges passkeys for tickets, one at a time, so that a flood of requests uses at most one thread.
  /// Requests with a ticket, and requests above the limit, bypass this queue.
  actor PasskeyExchange {
    private let tickets = Locked<[String: Set<String>]>([:])
    /// The limit of waiting requests; further ones are rejected at once.
    private let waiting = ConnectionLimit(32)
    /// The times of rejections in the last minute by client address, in seconds since 1970.
    private var rejections: [String: [Double]] = [:]
    /// The number of rejections per minute after which a client has to wait.
    static let mostRejections = 10
    private static let mostBytes = 200

    /// Uses up a passkey and returns a ticket for it; `nil` if the passkey is rejected.
    nonisolated func redeem(
      _ passkey: String, of tour: String, file: String, origin: String
    ) async -> String? {
      guard waiting.acquire() else { return nil }
      defer { waiting.release() }
      return await open(passkey, of: tour, file: file, origin: origin)
    }

    nonisolated func has(_ ticket: String, of tour: String) -> Bool {
      tickets.withLock { $0[tour]?.contains(ticket) ?? false }
    }

    private func open(_ passkey: String, of tour: String, file: String, origin: String) -> String? {
      let now = LocalTime.secondsSince1970Now
      rejections = rejections.mapValues { $0.filter { (now - 60...now).contains($0) } }
        .filter { !$0.value.isEmpty }
      guard rejections[origin]?.count ?? 0 < Self.mostRejections else { return nil }
      guard (try? PasskeySet.redeem(passkey, at: now, file: file)) != nil else {
        rejections[origin, default: []].append(now)
        return nil
      }
      let ticket = (0..<2).map { _ in Hex.text(UInt64.random(in: 0 ... .max)) }.joined()
      tickets.withLock { _ = $0[tour, default: []].insert(ticket) }
      return ticket
    }

    static func passkey(in request: ServedRequest) -> String? {
      guard request.body.count <= mostBytes else { return nil }
      return String(validating: request.body, as: UTF8.self)?.trimmed
    }

    /// The address of the client.
    ///
    /// Behind a proxy on this computer, it is the last address in `X-Forwarded-For`; clients can forge earlier ones.
    static func origin(of request: ServedRequest) -> String {
      let own = request.remoteAddress
      // A server that listens at :: sees IPv4 addresses as ::ffff:127.0.0.1.
      let isNear = own.map { own in
        own == "::1" || ["127.", "::ffff:127."].contains { own.hasPrefix($0) }
      }
      guard isNear ?? true,
        let forwarded = request.headers["X-Forwarded-For"]?.split(separator: ",").last
      else { return own ?? "" }
      return forwarded.trimmed
    }
  }
#endif

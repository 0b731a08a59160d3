internal import CupolaTours

#if Serve
  internal import Cupola
  internal import CupolaCampus
  internal import CupolaGuide

  /// Exchanges passkeys for tickets, one at a time, so that many simultaneous requests use at most one thread.
  /// Requests that already have a ticket, and requests above the limit, do not enter this queue.
  actor PasskeyExchange {
    private let tickets = Locked<[String: Set<String>]>([:])
    /// The maximum number of waiting requests; further requests are rejected immediately.
    private let waiting = ConnectionLimit(32)
    /// The times of rejections in the last minute, in seconds since 1970, by client address.
    private var rejections: [String: [Double]] = [:]
    /// The number of rejections per minute after which a client has to wait.
    static let mostRejections = 10
    private static let mostBytes = 200

    /// Uses up a passkey and returns a ticket; `nil` if the passkey is rejected.
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

    /// The client's address.
    ///
    /// If a proxy on this computer forwards the request, this is the last address in `X-Forwarded-For`. Clients can
    /// forge the addresses before it.
    static func origin(of request: ServedRequest) -> String {
      let own = request.remoteAddress
      // A server that listens on :: receives IPv4 addresses in the form ::ffff:127.0.0.1.
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

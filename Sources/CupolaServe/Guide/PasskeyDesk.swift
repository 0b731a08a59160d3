internal import CupolaTours

#if Serve
  internal import Cupola
  internal import CupolaCampus
  internal import CupolaGuide

  /// Exchanges passkeys for tickets, one at a time, so that a flood of requests keeps at most one thread busy.
  /// Requests with a ticket, and requests above the limit, do not wait in that queue.
  actor PasskeyDesk {
    /// Tickets by tour, valid until the server stops.
    private let tickets = Locked<[String: Set<String>]>([:])
    /// The most requests that wait; further ones are rejected at once.
    private let waiting = Places(32)
    /// The times of rejections within the last minute by origin, in seconds since 1970.
    private var refusals: [String: [Double]] = [:]
    /// The rejections within a minute after which an origin has to wait.
    static let mostRefusals = 10
    /// The most bytes of a request body with a passkey.
    private static let mostBytes = 200

    /// Uses up a passkey and returns a ticket for it; `nil` if the passkey is rejected.
    nonisolated func redeem(
      _ passkey: String, of tour: String, file: String, origin: String
    ) async -> String? {
      guard waiting.take() else { return nil }
      defer { waiting.leave() }
      return await open(passkey, of: tour, file: file, origin: origin)
    }

    /// Whether a ticket was issued for a tour.
    nonisolated func has(_ ticket: String, of tour: String) -> Bool {
      tickets.withLock { $0[tour]?.contains(ticket) ?? false }
    }

    private func open(_ passkey: String, of tour: String, file: String, origin: String) -> String? {
      let now = LocalTime.secondsSince1970Now
      refusals = refusals.mapValues { $0.filter { (now - 60...now).contains($0) } }
        .filter { !$0.value.isEmpty }
      guard refusals[origin]?.count ?? 0 < Self.mostRefusals else { return nil }
      guard (try? PasskeySet.redeem(passkey, at: now, file: file)) != nil else {
        refusals[origin, default: []].append(now)
        return nil
      }
      let ticket = (0..<2).map { _ in Hex.text(UInt64.random(in: 0 ... .max)) }.joined()
      tickets.withLock { _ = $0[tour, default: []].insert(ticket) }
      return ticket
    }

    /// The passkey, which is all that the body contains.
    static func passkey(in request: ServedRequest) -> String? {
      guard request.body.count <= mostBytes else { return nil }
      return String(validating: request.body, as: UTF8.self)?.trimmed
    }

    /// The address that a request comes from.
    ///
    /// Behind a proxy on this machine it is the last address in `X-Forwarded-For`, which the proxy added; clients can
    /// write the earlier ones themselves.
    static func origin(of request: ServedRequest) -> String {
      let own = request.remoteAddress
      // A server that listens at :: gets IPv4 addresses as ::ffff:127.0.0.1.
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

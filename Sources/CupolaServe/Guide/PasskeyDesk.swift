internal import CupolaTours

#if Serve
  internal import Cupola
  internal import CupolaCampus
  internal import CupolaGuide

  /// Takes passkeys and gives tickets for them, one after the other: who floods the desk keeps one thread busy at most.
  /// Who has a ticket, or is one too many, does not wait for that.
  actor PasskeyDesk {
    /// Tickets by tour; they hold while the server runs.
    private let tickets = Locked<[String: Set<String>]>([:])
    /// More than these wait for nothing.
    private let waiting = Places(32)
    /// When an origin was refused within the last minute, seconds since 1970.
    private var refusals: [String: [Double]] = [:]
    /// An origin that was refused so often within a minute has to wait.
    static let mostRefusals = 10
    /// Bytes of a request that hands in a passkey.
    private static let mostBytes = 200

    /// A ticket for a passkey, which opens nothing from then on; `nil` when it is refused.
    nonisolated func redeem(
      _ passkey: String, of tour: String, file: String, origin: String
    ) async -> String? {
      guard waiting.take() else { return nil }
      defer { waiting.leave() }
      return await open(passkey, of: tour, file: file, origin: origin)
    }

    /// Whether a ticket was given for a tour.
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

    /// The passkey that stands in the body, alone.
    static func passkey(in request: ServedRequest) -> String? {
      guard request.body.count <= mostBytes else { return nil }
      return String(validating: request.body, as: UTF8.self)?.trimmed
    }

    /// The address that a request comes from. Behind a server of this machine it is the one that that server wrote
    /// down last; what came before in the header anybody can write.
    static func origin(of request: ServedRequest) -> String {
      let own = request.remoteAddress
      // Who listens at :: sees those of IPv4 as ::ffff:127.0.0.1.
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

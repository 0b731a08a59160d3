internal import CupolaTours

#if Serve
  internal import Cupola
  internal import CupolaCampus
  internal import CupolaGuide

  /// Exchanges passkeys for tickets, one at a time, so that many simultaneous requests use at most one thread.
  /// Requests that already have a ticket, and requests above the limit, do not enter this queue.
  actor PasskeyExchange {
    enum Outcome: Equatable, Sendable {
      case ticket(String)
      /// The passkey is wrong, used or expired, or the client has tried too often.
      case refused
      /// Too many requests wait, or another program uses the file.
      case busy
      /// The file is damaged or cannot be written.
      case broken
    }

    private let tickets = Locked<[String: Set<String>]>([:])
    /// The maximum number of waiting requests; further requests are rejected immediately.
    private let waiting: ConnectionLimit
    private let attempts = AttemptLimit(mostRejections)
    /// The number of rejections per minute after which a client has to wait.
    static let mostRejections = 10
    private static let mostBytes = 200

    init(mostWaiting: Int = 32) { waiting = ConnectionLimit(mostWaiting) }

    /// Uses up a passkey and returns a ticket.
    nonisolated func redeem(
      _ passkey: String, of tour: String, file: String, from client: String,
      log: LiveServer.Log = { _ in }
    ) async -> Outcome {
      let now = LocalTime.secondsSince1970Now
      guard !attempts.isReached(by: client, at: now) else { return .refused }
      // The check character reveals typing errors and most guesses without reading the file.
      guard PasskeySet.isWellFormed(passkey) else {
        attempts.add(client, at: now)
        return .refused
      }
      guard waiting.acquire() else { return .busy }
      defer { waiting.release() }
      return await open(passkey, of: tour, file: file, from: client, log: log)
    }

    nonisolated func has(_ ticket: String, of tour: String) -> Bool {
      tickets.withLock { $0[tour]?.contains(ticket) ?? false }
    }

    private func open(
      _ passkey: String, of tour: String, file: String, from client: String, log: LiveServer.Log
    ) -> Outcome {
      let now = LocalTime.secondsSince1970Now
      // Other requests of this client may have failed while this one waited.
      guard !attempts.isReached(by: client, at: now) else { return .refused }
      do throws(GuideError) {
        try PasskeySet.redeem(passkey, at: now, file: file)
      } catch {
        switch error {
        case .passkeyRefused:
          attempts.add(client, at: now)
          return .refused
        case .busy: return .busy
        default:
          log(error.message)
          return .broken
        }
      }
      let ticket = (0..<2).map { _ in Hex.text(UInt64.random(in: 0 ... .max)) }.joined()
      tickets.withLock { _ = $0[tour, default: []].insert(ticket) }
      return .ticket(ticket)
    }

    static func passkey(in request: ServedRequest) -> String? {
      guard request.body.count <= mostBytes else { return nil }
      return String(validating: request.body, as: UTF8.self)?.trimmed
    }
  }
#endif

internal import CupolaTours

#if Serve
  internal import CupolaCampus
  package import CupolaGuide
  internal import CupolaTraining
  internal import NIOHTTP1

  // 1. Read tours and passkeys when the server starts. Each tour that requires a passkey needs a passkey file.
  // 2. Send the list of tours, a tour, or a media file.
  // 3. Exchange a passkey for a ticket, without which a tour that requires passkeys cannot be opened.

  /// Tours for apps, at `/tours`. Some tours require a ticket.
  package struct ServedTours: Sendable {
    private struct Entry: Sendable {
      let tour: Tour
      let folder: String
      let keys: String?
    }

    private let entries: [Entry]
    private let exchange = PasskeyExchange()

    /// - Parameters:
    ///   - tours: The paths of tour files. Their media are in the same folders.
    ///   - keys: The paths of passkey files, each for one of the tours.
    /// - Throws: `GuideError` for invalid files, duplicate tours or passkey files, and missing passkey files.
    package init(tours: [String], keys: [String]) throws(GuideError) {
      var files: [String: String] = [:]
      for path in keys {
        let set = try PasskeySet(path: path)
        guard files.updateValue(path, forKey: set.tour) == nil else {
          throw .badFile(
            path: path, problem: "another file also has passkeys for \(set.tour); use only one")
        }
      }
      var entries: [Entry] = []
      for path in tours {
        let tour = try Tour(path: path)
        guard !entries.contains(where: { $0.tour.id == tour.id }) else {
          throw .badFile(
            path: path, problem: "another file has the same tour ID, \(tour.id); change one of them"
          )
        }
        let keys = files.removeValue(forKey: tour.id)
        guard !tour.needsPasskey || keys != nil else {
          throw .badFile(
            path: path, problem: "the tour requires a passkey; add its passkey file with --keys")
        }
        entries.append(Entry(tour: tour, folder: FileAccess.folder(of: path), keys: keys))
      }
      if let (tour, path) = files.min(by: { $0.value < $1.value }) {
        throw .badFile(
          path: path, problem: "the passkeys are for \(tour); add this tour with --tour")
      }
      self.entries = entries
    }

    func answer(
      _ request: ServedRequest, from client: String, log: LiveServer.Log
    ) async -> ServedResponse? {
      if request.path == "/tours" { return list() }
      for entry in entries {
        let place = "/tours/" + entry.tour.id
        if request.path == place {
          return request.method == "POST"
            ? await redeem(entry, request, from: client, log: log) : whole(entry, request)
        }
        let shelf = place + "/media/"
        if request.path.hasPrefix(shelf) {
          return media(entry, String(request.path.dropFirst(shelf.count)), request)
        }
      }
      return nil
    }

    /// `cupola.tours/1`.
    private func list() -> ServedResponse {
      let tours = entries.map { entry -> JSONObject in
        [
          "id": entry.tour.id, "title": entry.tour.title.texts, "languages": entry.tour.languages,
          "stops": entry.tour.stops.count, "passkey": entry.tour.needsPasskey,
        ]
      }
      return Self.json(["schema": "cupola.tours/1", "tours": tours])
    }

    private func whole(_ entry: Entry, _ request: ServedRequest) -> ServedResponse? {
      guard isOpen(entry, request) else { return Self.rejection }
      return Self.json(entry.tour.json)
    }

    private func media(
      _ entry: Entry, _ path: String, _ request: ServedRequest
    ) -> ServedResponse? {
      // Only files listed in the tour are served, and links that lead outside the folder are rejected.
      guard entry.tour.stops.contains(where: { $0.media.contains { $0.path == path } }),
        TourMediaState.of(path, in: entry.folder) == .found
      else { return nil }
      guard isOpen(entry, request) else { return Self.rejection }
      let file = entry.folder + "/" + path
      return ServedFile.changing(file).response(to: request)
    }

    private func isOpen(_ entry: Entry, _ request: ServedRequest) -> Bool {
      guard entry.tour.needsPasskey else { return true }
      guard let ticket = request.value("ticket") else { return false }
      return exchange.has(ticket, of: entry.tour.id)
    }

    /// `cupola.tour_ticket/1`.
    private func redeem(
      _ entry: Entry, _ request: ServedRequest, from client: String, log: LiveServer.Log
    ) async -> ServedResponse? {
      guard let keys = entry.keys else { return nil }
      let outcome = await exchange.redeem(
        PasskeyExchange.passkey(in: request) ?? "", of: entry.tour.id, file: keys, from: client,
        log: log)
      switch outcome {
      case .ticket(let ticket):
        return Self.json(["schema": "cupola.tour_ticket/1", "ticket": ticket])
      case .refused: return Self.rejection
      case .busy:
        return LivePage.text("Many passkeys are being checked.", status: .serviceUnavailable)
          .with("Retry-After", "2")
      case .broken:
        return LivePage.text(
          "The server cannot check passkeys. Tell its operator.", status: .internalServerError)
      }
    }

    /// Invalid, used and expired passkeys, too many attempts, and missing tickets all get this response.
    private static var rejection: ServedResponse {
      LivePage.text("This tour requires a passkey.", status: .forbidden)
    }

    private static func json(_ object: JSONObject) -> ServedResponse {
      json(object.line)
    }

    private static func json(_ bytes: [UInt8]) -> ServedResponse {
      LivePage.response(.bytes(bytes), type: "application/json")
    }
  }
#endif

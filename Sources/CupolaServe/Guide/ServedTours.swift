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
    private let entries: [ServedTour]
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
      var entries: [ServedTour] = []
      for path in tours {
        let entry = try ServedTour(path: path) { tour throws(GuideError) in
          guard !entries.contains(where: { $0.id == tour.id }) else {
            throw .badFile(
              path: path,
              problem: "another file has the same tour ID, \(tour.id); change one of them")
          }
          let keys = files.removeValue(forKey: tour.id)
          guard !tour.needsPasskey || keys != nil else {
            throw .badFile(
              path: path, problem: "the tour requires a passkey; add its passkey file with --keys")
          }
          return keys
        }
        entries.append(entry)
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
      if request.path == "/tours" { return list(request, log) }
      for entry in entries {
        let place = "/tours/" + entry.id
        let shelf = place + "/media/"
        guard request.path == place || request.path.hasPrefix(shelf) else { continue }
        if request.method == "POST" { return await redeem(entry, request, from: client, log: log) }
        let current = entry.current(log: log)
        let found =
          request.path == place
          ? (tour: current.tour, file: current.file)
          : entry.media(String(request.path.dropFirst(shelf.count)))
        guard let found else { return nil }
        return isOpen(found.tour, request) ? found.file.response(to: request) : Self.rejection
      }
      return nil
    }

    /// `cupola.tours/1`.
    private func list(_ request: ServedRequest, _ log: LiveServer.Log) -> ServedResponse {
      let tours = entries.map { $0.current(log: log).tour }.map { tour -> JSONObject in
        [
          "id": tour.id, "title": tour.title.texts, "languages": tour.languages,
          "stops": tour.stops.count, "passkey": tour.needsPasskey,
        ]
      }
      let object: JSONObject = ["schema": "cupola.tours/1", "tours": tours]
      return ServedFile(json: object.line).response(to: request)
    }

    private func isOpen(_ tour: Tour, _ request: ServedRequest) -> Bool {
      guard tour.needsPasskey else { return true }
      guard let ticket = request.value("ticket") else { return false }
      return exchange.has(ticket, of: tour.id)
    }

    /// `cupola.tour_ticket/1`.
    private func redeem(
      _ entry: ServedTour, _ request: ServedRequest, from client: String, log: LiveServer.Log
    ) async -> ServedResponse? {
      guard let keys = entry.keys else { return nil }
      let outcome = await exchange.redeem(
        PasskeyExchange.passkey(in: request) ?? "", of: entry.id, file: keys, from: client,
        log: log)
      switch outcome {
      case .ticket(let ticket):
        let object: JSONObject = ["schema": "cupola.tour_ticket/1", "ticket": ticket]
        return LivePage.response(.bytes(object.line), type: MediaType.json)
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
  }
#endif

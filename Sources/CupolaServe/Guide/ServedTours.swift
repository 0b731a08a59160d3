internal import CupolaTours

#if Serve
  internal import CupolaCampus
  package import CupolaGuide
  internal import CupolaTraining
  internal import NIOHTTP1

  // 1. Read tours and passkeys when the server starts; each tour with a passkey needs its file.
  // 2. Send the list of tours, a tour, or one of its media files.
  // 3. Exchange a passkey for a ticket; tours with passkeys need a ticket.

  /// Tours that apps fetch below `/tours`; some only with a ticket.
  package struct ServedTours: Sendable {
    private struct Entry: Sendable {
      let tour: Tour
      let folder: String
      /// The path of its passkeys; `nil` if it needs none.
      let keys: String?
    }

    private let entries: [Entry]
    private let desk = PasskeyDesk()

    /// - Parameters:
    ///   - tours: files of tours; their media lie beside them.
    ///   - keys: files of passkeys, each of one of the tours.
    /// - Throws: as `Tour.init(path:)` and `PasskeySet.init(path:)`, and for tours that no passkey could open.
    package init(tours: [String], keys: [String]) throws(GuideError) {
      var files: [String: String] = [:]
      for path in keys {
        let set = try PasskeySet(path: path)
        guard files.updateValue(path, forKey: set.tour) == nil else {
          throw .badFile(
            path: path, problem: "another file has the passkeys of \(set.tour) as well")
        }
      }
      var entries: [Entry] = []
      for path in tours {
        let tour = try Tour(path: path)
        guard !entries.contains(where: { $0.tour.id == tour.id }) else {
          throw .badFile(path: path, problem: "another file is the tour \(tour.id) as well")
        }
        let keys = files.removeValue(forKey: tour.id)
        guard !tour.needsPasskey || keys != nil else {
          throw .badFile(path: path, problem: "it opens with a passkey; name its file with --keys")
        }
        entries.append(Entry(tour: tour, folder: FileAccess.folder(of: path), keys: keys))
      }
      if let (tour, path) = files.min(by: { $0.value < $1.value }) {
        throw .badFile(
          path: path, problem: "these passkeys open \(tour), which --tour does not name")
      }
      self.entries = entries
    }

    /// The response for a path that begins with `/tours`; `nil` when there is nothing.
    func answer(_ request: ServedRequest) async -> ServedResponse? {
      if request.path == "/tours" { return list() }
      for entry in entries {
        let place = "/tours/" + entry.tour.id
        if request.path == place {
          return request.method == "POST"
            ? await redeem(entry, request) : whole(entry, request)
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
      guard isOpen(entry, request) else { return Self.refusal }
      return Self.json(entry.tour.json)
    }

    private func media(
      _ entry: Entry, _ path: String, _ request: ServedRequest
    ) -> ServedResponse? {
      // Only what the tour lists, and no link that leads out of its folder.
      guard entry.tour.stops.contains(where: { $0.media.contains { $0.path == path } }),
        TourMediaState.of(path, in: entry.folder) == .found
      else { return nil }
      guard isOpen(entry, request) else { return Self.refusal }
      let file = entry.folder + "/" + path
      return ServedFile.changing(file).response(to: request)
    }

    private func isOpen(_ entry: Entry, _ request: ServedRequest) -> Bool {
      guard entry.tour.needsPasskey else { return true }
      guard let ticket = request.value("ticket") else { return false }
      return desk.has(ticket, of: entry.tour.id)
    }

    /// `cupola.tour_ticket/1`.
    private func redeem(_ entry: Entry, _ request: ServedRequest) async -> ServedResponse? {
      guard let keys = entry.keys else { return nil }
      guard let passkey = PasskeyDesk.passkey(in: request),
        let ticket = await desk.redeem(
          passkey, of: entry.tour.id, file: keys, origin: PasskeyDesk.origin(of: request))
      else { return Self.refusal }
      return Self.json(["schema": "cupola.tour_ticket/1", "ticket": ticket])
    }

    /// The same response to wrong, used and expired passkeys, too many attempts, and missing tickets.
    private static var refusal: ServedResponse {
      LivePage.text("This tour opens with a passkey.", status: .forbidden)
    }

    private static func json(_ object: JSONObject) -> ServedResponse {
      json(object.line)
    }

    private static func json(_ bytes: [UInt8]) -> ServedResponse {
      LivePage.response(.bytes(bytes), type: "application/json")
    }
  }
#endif

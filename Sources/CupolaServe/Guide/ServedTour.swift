internal import CupolaTours

#if Serve
  internal import CupolaCampus
  internal import CupolaGuide

  // 1. Read a tour, and read it again when its file has changed.
  // 2. If the new file cannot be served, keep serving the old tour, and log the problem once.
  // 3. Serve media files of the tour and, for apps that are still downloading it, of its previous version.

  /// A tour and its media. The file may change while it is served.
  final class ServedTour: Sendable {
    struct Version: Sendable {
      let tour: Tour
      let file: ServedFile

      init(_ tour: Tour) {
        self.tour = tour
        file = ServedFile(json: tour.json)
      }

      fileprivate func has(_ path: String) -> Bool {
        tour.stops.contains { $0.media.contains { $0.path == path } }
      }
    }

    private struct State: Sendable {
      var current: Version
      /// The version of the file that was read last, even if it was invalid.
      var found: String
      /// The previous version, and the time until which its media are served, in seconds since 1970.
      var previous: (version: Version, until: Double)?
    }

    /// The identifier, which must not change.
    let id: String
    /// The passkey file, if there is one.
    let keys: String?
    private let path: String
    private let folder: String
    private let state: Locked<State>

    /// How long apps can download the media of the previous version, in seconds.
    private static let grace = 3600.0

    init(path: String, keys: (Tour) throws(GuideError) -> String?) throws(GuideError) {
      let found = Directory.version(of: path)
      let tour = try Tour(path: path)
      self.keys = try keys(tour)
      (id, self.path, folder) = (tour.id, path, FileAccess.folder(of: path))
      state = Locked(State(current: Version(tour), found: found))
    }

    /// Reads the tour again if its file has changed, and returns it.
    func current(log: LiveServer.Log) -> Version {
      let found = Directory.version(of: path)
      // The first request after a change reads the file; concurrent requests get the old tour.
      let isChanged = state.withLock { state in
        defer { state.found = found }
        return state.found != found
      }
      if isChanged {
        do throws(GuideError) { replace(by: try changedTour()) } catch {
          log("\(error.message); still serving the previous version")
        }
      }
      return state.withLock { $0.current }
    }

    private func changedTour() throws(GuideError) -> Tour {
      let tour = try Tour(path: path)
      guard tour.id == id else {
        throw .badFile(
          path: path, problem: "the tour ID changed from \(id) to \(tour.id); restart the server")
      }
      guard !tour.needsPasskey || keys != nil else {
        throw .badFile(
          path: path,
          problem: "the tour now requires a passkey; restart the server with its passkey file")
      }
      return tour
    }

    private func replace(by tour: Tour) {
      let (new, now) = (Version(tour), LocalTime.secondsSince1970Now)
      state.withLock { state in
        guard new.file.tag != state.current.file.tag else { return }
        state.previous = (state.current, now + Self.grace)
        state.current = new
      }
    }

    /// Returns the tour that lists a media file, and the file. Apps that still download the previous version need its
    /// media too.
    func media(_ path: String) -> (tour: Tour, file: ServedFile)? {
      let now = LocalTime.secondsSince1970Now
      let tour = state.withLock { state in
        if let until = state.previous?.until, until < now { state.previous = nil }
        return [state.current, state.previous?.version].compactMap(\.self).first { $0.has(path) }?
          .tour
      }
      // Only files listed in a tour are served, and links that lead outside the folder are rejected.
      guard let tour, TourMediaState.of(path, in: folder) == .found else { return nil }
      return ServedFile.changing(folder + "/" + path).map { (tour, $0) }
    }
  }
#endif

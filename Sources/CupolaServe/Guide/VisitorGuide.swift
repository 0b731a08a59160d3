#if Serve
  internal import CupolaCampus
  internal import CupolaGuide
  internal import CupolaTraining
  internal import CupolaTransit
  internal import NIOHTTP1

  // 1. Queue requests for one thread of their own, and reject them if too many wait.
  // 2. Read the guide at the first request, and again when guide.json has changed.
  // 3. Send places and map, which the page stores for use without a connection.
  // 4. Compute routes and departures.

  /// The data of the visitors' page, at `/visit/`.
  final class VisitorGuide: Sendable {
    private static let pool = FramePool(threads: 1)
    static let mostWaiting = 32

    private let waiting: ConnectionLimit
    private let reader: Locked<VisitorGuideReader>

    /// - Parameter labels: The labels that the recognizer names.
    init(
      folder: String, labels: [String], mostWaiting: Int = mostWaiting,
      log: @escaping LiveServer.Log
    ) {
      waiting = ConnectionLimit(mostWaiting)
      reader = Locked(VisitorGuideReader(folder: folder, labels: labels, log: log))
    }

    /// - Parameter name: The path after `/visit/`.
    /// - Returns: `nil` if there is no data of that name.
    func answer(_ name: String, _ request: ServedRequest) async -> ServedResponse? {
      guard let topic = VisitorGuideReader.Topic(rawValue: name) else { return nil }
      guard waiting.acquire() else {
        return LivePage.text("Many visitors are using the guide.", status: .serviceUnavailable)
          .with("Retry-After", "2")
      }
      defer { waiting.release() }
      return await Self.pool.run(for: FramePool.Share()) { [reader] in
        reader.withLock { $0.answer(topic, request) }
      }
    }
  }

  /// Answers requests one at a time.
  struct VisitorGuideReader: Sendable {
    enum Topic: String {
      case places = "places.json"
      case map = "map.json"
      case route = "route.json"
      case departures = "departures.json"
    }

    /// A guide, and what was computed for earlier requests.
    private struct Opened: Sendable {
      let manifest: GuideManifest
      let guide: Guide
      let transit: TransitGuide?
      var directions: [TravelMode: Directions] = [:]
      var map: ServedFile?
      var places: (date: LocalDate, file: ServedFile)?
    }

    private let folder: String
    private let labels: [String]
    private let log: LiveServer.Log
    private var opened: Opened?
    private var problem: GuideError?

    /// The number of days for which the page knows opening hours without a connection.
    private static let mostDays = 8
    /// Keeps the drawn map small enough for phones.
    private static let mostPoints = 400_000
    private static let (mostStops, mostDepartures) = (8, 12)

    init(folder: String, labels: [String], log: @escaping LiveServer.Log) {
      (self.folder, self.labels, self.log) = (folder, labels, log)
    }

    /// - Parameter now: The time in seconds since 1970.
    mutating func answer(
      _ topic: Topic, _ request: ServedRequest, at now: Double = LocalTime.secondsSince1970Now
    ) -> ServedResponse {
      do throws(GuideError) {
        try update()
        problem = nil
      } catch {
        // Do not repeat the message for each request.
        if error != problem { log(error.message) }
        problem = error
      }
      guard var opened else {
        return LivePage.text(
          "The guide cannot be read. Tell the server's operator.", status: .internalServerError)
      }
      defer { self.opened = opened }
      return switch topic {
      case .places: places(&opened, at: now).response(to: request)
      case .map: map(&opened).response(to: request)
      case .route: route(&opened, request)
      case .departures: departures(opened, request, at: now)
      }
    }

    /// Reads the guide again if it has changed. If that fails, for example during an update, the old guide stays.
    private mutating func update() throws(GuideError) {
      let bundle = try GuideBundle(reading: folder)
      guard bundle.manifest != opened?.manifest else { return }
      let guide = try Guide(bundle)
      let transit: TransitGuide?
      do throws(GuideError) { transit = try TransitGuide(guide) } catch {
        guard error == .noTimetable else { throw error }
        transit = nil
      }
      opened = Opened(manifest: bundle.manifest, guide: guide, transit: transit)
    }

    // MARK: - Places and map

    /// `cupola.visitor_places/1`.
    private func places(_ opened: inout Opened, at now: Double) -> ServedFile {
      let guide = opened.guide
      let zone = guide.timeZone ?? LocalTime.deviceTimeZone
      let date = LocalTime(secondsSince1970: now, timeZone: zone)?.date
      if let known = opened.places, known.date == date { return known.file }
      let names = guide.buildingNames
      let labels = labels.map { label in
        (label, guide.building(labeled: label, by: names)?.id as JSONObject.Member?)
      }
      let texts = Set(guide.places.compactMap(\.openingHours))
      let hours = texts.map { text in
        (text, date.map { Self.hours(text, from: $0, in: zone) } as JSONObject.Member?)
      }
      let object: JSONObject = [
        "schema": "cupola.visitor_places/1", "name": guide.name, "version": opened.manifest.version,
        "attribution": guide.attribution, "time_zone": zone, "departures": opened.transit != nil,
        "labels": JSONObject(labels), "hours": JSONObject(hours),
        "places": guide.places.map(Self.place),
      ]
      let file = ServedFile(json: object.line)
      opened.places = date.map { ($0, file) }
      return file
    }

    private static func place(_ place: Place) -> JSONObject {
      [
        "id": place.id, "kind": place.kind, "title": place.title, "category": place.category,
        "ref": place.ref, "latitude": place.position.latitude,
        "longitude": place.position.longitude, "level": place.position.level,
        "building": place.building, "opening_hours": place.openingHours,
      ]
    }

    private static func hours(_ text: String, from date: LocalDate, in zone: String) -> JSONObject {
      let hours = OpeningHours(text)
      return [
        "changes": hours.changes(from: date, days: mostDays).map { change -> JSONObject in
          ["time": change.time.secondsSince1970(timeZone: zone), "open": change.isOpen]
        },
        "unknown": hours.missing(),
      ]
    }

    /// `cupola.visitor_map/1`.
    private func map(_ opened: inout Opened) -> ServedFile {
      if let known = opened.map { return known }
      var points = 0
      func fits(_ count: Int) -> Bool {
        points += count
        return points <= Self.mostPoints
      }
      let areas = opened.guide.ground.filter { area in fits(area.rings.reduce(0) { $0 + $1.count })
      }
      let lines = opened.guide.drawnGround.lines.filter { fits($0.points.count) }
      if points > Self.mostPoints {
        log("\(folder): the visitors' map shows only \(Self.mostPoints) of \(points) points")
      }
      let levels = Set(areas.compactMap(\.level) + lines.flatMap(\.levels))
      let object: JSONObject = [
        "schema": "cupola.visitor_map/1", "levels": levels.sorted(),
        "areas": areas.map { area -> JSONObject in
          [
            "id": area.id, "kind": "\(area.kind)", "name": area.name, "level": area.level,
            "rings": area.rings.map { ring in ring.map { [$0.longitude, $0.latitude] } },
          ]
        },
        "lines": lines.map { line -> JSONObject in
          [
            "kind": "\(line.kind)", "levels": line.levels,
            "points": line.points.map { [$0.longitude, $0.latitude] },
          ]
        },
      ]
      let file = ServedFile(json: object.line)
      opened.map = file
      return file
    }

    // MARK: - Routes and departures

    /// `cupola.route/1`.
    private func route(_ opened: inout Opened, _ request: ServedRequest) -> ServedResponse {
      guard let start = Self.end(request.value("from"), in: opened.guide),
        let goal = Self.end(request.value("to"), in: opened.guide),
        let mode = TravelMode(rawValue: request.value("profile") ?? TravelMode.walk.rawValue)
      else { return Self.malformed("from, to and profile") }
      let directions = opened.directions[mode] ?? opened.guide.directions(mode)
      opened.directions[mode] = directions
      do throws(GuideError) {
        return Self.json(JSONObject(route: try directions.route(from: start, to: goal)))
      } catch {
        var problem = "There is no route between these places."
        if case .nothingNear = error { problem = "There is no path near one of these places." }
        return LivePage.text(problem, status: .notFound)
      }
    }

    /// `cupola.visitor_departures/1`.
    private func departures(
      _ opened: Opened, _ request: ServedRequest, at now: Double
    ) -> ServedResponse {
      guard let transit = opened.transit else {
        return LivePage.text("This guide has no timetable.", status: .notFound)
      }
      guard let here = Self.end(request.value("near"), in: opened.guide) else {
        return Self.malformed("near")
      }
      let stops = transit.stops(near: here).prefix(Self.mostStops)
      let timetable = transit.timetable
      let found = DepartureBoard(timetable).departures(
        at: stops.map(\.stop.id), from: now, limit: Self.mostDepartures)
      return Self.json([
        "schema": "cupola.visitor_departures/1", "time": now, "time_zone": timetable.timeZone,
        "ended": timetable.endDate(before: now).map { "\($0)" },
        "stops": stops.map { near -> JSONObject in
          [
            "id": near.stop.id, "name": near.stop.name, "platform": near.stop.platform,
            "meters": near.meters, "seconds": near.seconds,
          ]
        },
        "departures": found.map { JSONObject(departure: $0, of: timetable) },
      ])
    }

    /// A place by its identifier, or a position as `LAT,LON` or `LAT,LON@LEVEL`.
    private static func end(_ text: String?, in guide: Guide) -> RouteEnd? {
      guard let text else { return nil }
      if let place = guide.place(text) { return .place(place) }
      let parts = text.split(separator: "@", omittingEmptySubsequences: false)
      let numbers = parts[0].split(separator: ",", omittingEmptySubsequences: false).map {
        Double($0)
      }
      guard parts.count <= 2, numbers.count == 2, let latitude = numbers[0],
        let longitude = numbers[1],
        let position = Position(latitude: latitude, longitude: longitude)
      else { return nil }
      guard parts.count == 2 else { return .position(position) }
      return Double(parts[1]).flatMap { $0.isFinite ? .position(position, level: $0) : nil }
    }

    private static func malformed(_ names: String) -> ServedResponse {
      LivePage.text("Invalid value of \(names).", status: .badRequest)
    }

    private static func json(_ object: JSONObject) -> ServedResponse {
      LivePage.response(.bytes(object.line), type: MediaType.json)
    }
  }
#endif

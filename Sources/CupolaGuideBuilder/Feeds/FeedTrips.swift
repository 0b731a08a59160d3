internal import CupolaGuide
internal import CupolaTransit

// 1. Read the agencies and resolve their time zones.
// 2. Read the agencies' routes, and the trips of these routes and services.

/// The rows of `trips.txt`. Texts are created only for the trips that are kept.
struct FeedTrips {
  enum Column: Int, FeedColumn {
    case id, route, service, headsign, direction, wheelchair

    static let file = FeedFile.trips
    static let names = [
      "trip_id", "route_id", "service_id", "trip_headsign", "direction_id",
      "wheelchair_accessible",
    ]
    static let required: [Column] = [.id, .route, .service]
  }

  struct Row {
    var route: Int32
    var service: Int32
    var headsign: Int32 = -1
    var direction: UInt8?
    var wheelchair: UInt8 = 0
  }

  private(set) var ids = ByteTable()
  private var texts = ByteTable()
  private(set) var rows: [Row] = []

  init(_ input: FeedInput, routes: FeedRoutes, services: FeedServices) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next() {
      try input.checkCount(rows.count, limit: 16_000_000, of: "trips")
      guard let row = row(of: table, routes, services) else { continue }
      guard table.addID(.id, to: &ids) else { continue }
      rows.append(row)
    }
  }

  private mutating func row(
    of table: CSVTable<Column>, _ routes: FeedRoutes, _ services: FeedServices
  ) -> Row? {
    guard let route = table.number(.route, in: routes.ids) else {
      table.report(.unknownRoute, .route)
      return nil
    }
    guard let service = table.number(.service, in: services.ids) else {
      table.report(.unknownService, .service)
      return nil
    }
    var row = Row(route: route, service: service)
    row.headsign = table.number(.headsign, in: &texts)?.number ?? -1
    row.direction = table.choice(.direction, upTo: 1)
    row.wheelchair = table.choice(.wheelchair, upTo: 2) ?? 0
    return row
  }

  /// Returns a trip with its texts. The trip refers to its route and service by row index.
  func trip(_ number: Int) -> TransitFeed.Trip {
    let row = rows[number]
    var trip = TransitFeed.Trip(
      id: ids.text(Int32(truncatingIfNeeded: number)), route: row.route, service: row.service)
    trip.headsign = row.headsign < 0 ? nil : texts.text(row.headsign)
    (trip.direction, trip.wheelchair) = (row.direction, row.wheelchair)
    return trip
  }
}

struct FeedRoutes {
  enum Column: Int, FeedColumn {
    case id, agency, shortName, longName, type, color

    static let file = FeedFile.routes
    static let names = [
      "route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color",
    ]
    static let required: [Column] = [.id]
  }

  private(set) var ids = ByteTable()
  private(set) var rows: [TransitFeed.Route] = []

  init(_ input: FeedInput, agencies: FeedAgencies) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next() {
      try input.checkCount(rows.count, limit: 1_000_000, of: "routes")
      guard table.addID(.id, to: &ids) else { continue }
      rows.append(route(of: table, agencies))
    }
  }

  private func route(of table: CSVTable<Column>, _ agencies: FeedAgencies) -> TransitFeed.Route {
    var type = table.integer(.type).flatMap { Int32(exactly: $0) } ?? -1
    if type < 0 {
      table.report(.badRouteType, .type)
      type = 3
    }
    var route = TransitFeed.Route(id: table.text(.id) ?? "", type: type)
    route.agency = agency(of: table, agencies)
    route.shortName = table.text(.shortName)
    route.longName = table.text(.longName)
    route.color = color(of: table)
    if route.shortName == nil, route.longName == nil {
      table.report(.noName, value: route.id)
    }
    return route
  }

  private func agency(of table: CSVTable<Column>, _ agencies: FeedAgencies) -> Int32 {
    if table.isBlank(.agency) {
      if agencies.rows.count > 1 { table.report(.noAgency) }
      return 0
    }
    if let id = table.number(.agency, in: agencies.ids) { return agencies.rowOfID[Int(id)] }
    // If a feed has only one agency, the agency does not need an identifier.
    if agencies.rows.count > 1 || agencies.rows.first?.id.isEmpty == false {
      table.report(.unknownAgency, .agency)
    }
    return 0
  }

  private func color(of table: CSVTable<Column>) -> String? {
    guard var text = table.text(.color) else { return nil }
    // Some publishers write colors with a leading `#`, as in CSS.
    if text.hasPrefix("#") { text.removeFirst() }
    if text.utf8.count == 6, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) { return text }
    table.report(.badColor, value: text)
    return nil
  }
}

struct FeedAgencies {
  enum Column: Int, FeedColumn {
    case id, name, timeZone

    static let file = FeedFile.agency
    static let names = ["agency_id", "agency_name", "agency_timezone"]
    static let required: [Column] = [.timeZone]
  }

  private(set) var ids = ByteTable()
  private(set) var rows: [TransitFeed.Agency] = []
  private(set) var rowOfID: [Int32] = []

  init(_ input: FeedInput) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next() {
      try input.checkCount(rows.count, limit: 100_000, of: "agencies")
      add(table)
    }
    try settleTimeZones(input)
  }

  private mutating func add(_ table: CSVTable<Column>) {
    if let id = table.number(.id, in: &ids) {
      guard id.isNew else {
        table.report(.repeatedID, .id)
        return
      }
      rowOfID.append(Int32(clamping: rows.count))
    }
    rows.append(
      TransitFeed.Agency(
        id: table.text(.id) ?? "", name: table.text(.name) ?? "",
        timeZone: table.text(.timeZone) ?? ""))
    if table.isBlank(.name) { table.report(.noName) }
  }

  private mutating func settleTimeZones(_ input: FeedInput) throws(GuideError) {
    guard let zone = rows.first(where: { !$0.timeZone.isEmpty })?.timeZone else {
      throw input.bad("agency.txt: missing agency_timezone; add one, such as America/Chicago")
    }
    for row in rows.indices {
      if rows[row].timeZone.isEmpty {
        input.faults.add(.noTimeZone, in: .agency, value: rows[row].name)
        rows[row].timeZone = zone
      } else if rows[row].timeZone != zone {
        input.faults.add(.manyTimeZones, in: .agency, value: rows[row].timeZone)
      }
    }
  }
}

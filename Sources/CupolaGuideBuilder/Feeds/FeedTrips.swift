internal import CupolaGuide
internal import CupolaTransit

/// `trips.txt`: numbers and bytes, of which texts are made only for the trips that are kept.
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

  private static let limit = 16_000_000

  /// Their numbers are those of the rows.
  private(set) var ids = ByteTable()
  private var texts = ByteTable()
  private(set) var rows: [Row] = []

  /// - Throws: ``GuideError``.
  init(
    _ input: inout FeedInput, routes: FeedRoutes, services: FeedServices
  ) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next(&input.faults) {
      try input.checkCount(rows.count, limit: Self.limit, of: "trips")
      guard let row = row(of: table, routes, services, &input.faults) else { continue }
      guard let id = table.number(.id, in: &ids, &input.faults) else {
        input.faults.add(.noID, in: .trips, line: table.line)
        continue
      }
      guard id.isNew else {
        input.faults.add(.repeatedID, in: .trips, line: table.line, value: table.shown(.id))
        continue
      }
      rows.append(row)
    }
  }

  private mutating func row(
    of table: CSVTable<Column>, _ routes: FeedRoutes, _ services: FeedServices,
    _ faults: inout FeedFaults
  ) -> Row? {
    guard let route = table.number(.route, in: routes.ids) else {
      faults.add(.unknownRoute, in: .trips, line: table.line, value: table.shown(.route))
      return nil
    }
    guard let service = table.number(.service, in: services.ids) else {
      faults.add(.unknownService, in: .trips, line: table.line, value: table.shown(.service))
      return nil
    }
    var row = Row(route: route, service: service)
    row.headsign = table.number(.headsign, in: &texts, &faults)?.number ?? -1
    row.direction = table.choice(.direction, upTo: 1, &faults)
    row.wheelchair = table.choice(.wheelchair, upTo: 2, &faults) ?? 0
    return row
  }

  /// A trip with texts in place of numbers; the route and service are numbers of all rows.
  func trip(_ number: Int) -> TransitFeed.Trip {
    let row = rows[number]
    var trip = TransitFeed.Trip(
      id: ids.text(Int32(truncatingIfNeeded: number)), route: row.route, service: row.service)
    trip.headsign = row.headsign < 0 ? nil : texts.text(row.headsign)
    (trip.direction, trip.wheelchair) = (row.direction, row.wheelchair)
    return trip
  }
}

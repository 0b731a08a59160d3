internal import CupolaGuide
internal import CupolaTransit

/// `routes.txt`.
struct FeedRoutes {
  enum Column: Int, FeedColumn {
    case id, agency, shortName, longName, type, color

    static let file = FeedFile.routes
    static let names = [
      "route_id", "agency_id", "route_short_name", "route_long_name", "route_type", "route_color",
    ]
    static let required: [Column] = [.id]
  }

  private static let limit = 1_000_000

  /// Their numbers are those of the rows.
  private(set) var ids = ByteTable()
  private(set) var rows: [TransitFeed.Route] = []

  /// - Throws: ``GuideError``.
  init(_ input: inout FeedInput, agencies: FeedAgencies) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next(&input.faults) {
      try input.checkCount(rows.count, limit: Self.limit, of: "routes")
      guard let id = table.number(.id, in: &ids, &input.faults) else {
        input.faults.add(.noID, in: .routes, line: table.line)
        continue
      }
      guard id.isNew else {
        input.faults.add(.repeatedID, in: .routes, line: table.line, value: table.shown(.id))
        continue
      }
      rows.append(route(of: table, agencies, &input.faults))
    }
  }

  private func route(
    of table: CSVTable<Column>, _ agencies: FeedAgencies, _ faults: inout FeedFaults
  ) -> TransitFeed.Route {
    var type = table.integer(.type).flatMap { Int32(exactly: $0) } ?? -1
    if type < 0 {
      faults.add(.badRouteType, in: .routes, line: table.line, value: table.shown(.type))
      type = 3
    }
    var route = TransitFeed.Route(id: table.text(.id, &faults) ?? "", type: type)
    route.agency = agency(of: table, agencies, &faults)
    route.shortName = table.text(.shortName, &faults)
    route.longName = table.text(.longName, &faults)
    route.color = color(of: table, &faults)
    if route.shortName == nil, route.longName == nil {
      faults.add(.noName, in: .routes, line: table.line, value: route.id)
    }
    return route
  }

  private func agency(
    of table: CSVTable<Column>, _ agencies: FeedAgencies, _ faults: inout FeedFaults
  ) -> Int32 {
    if table.isBlank(.agency) {
      if agencies.rows.count > 1 { faults.add(.noAgency, in: .routes, line: table.line) }
      return 0
    }
    if let id = table.number(.agency, in: agencies.ids) { return agencies.rowOfID[Int(id)] }
    // The only agency of a feed need not have an identifier.
    if agencies.rows.count > 1 || agencies.rows.first?.id.isEmpty == false {
      faults.add(.unknownAgency, in: .routes, line: table.line, value: table.shown(.agency))
    }
    return 0
  }

  private func color(of table: CSVTable<Column>, _ faults: inout FeedFaults) -> String? {
    guard var text = table.text(.color, &faults) else { return nil }
    // Some publishers write it as style sheets do.
    if text.hasPrefix("#") { text.removeFirst() }
    if text.utf8.count == 6, text.allSatisfy({ $0.isASCII && $0.isHexDigit }) { return text }
    faults.add(.badColor, in: .routes, line: table.line, value: text)
    return nil
  }
}

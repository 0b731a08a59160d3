internal import CupolaGuide
internal import CupolaTransit

/// `agency.txt`.
struct FeedAgencies {
  enum Column: Int, FeedColumn {
    case id, name, timeZone

    static let file = FeedFile.agency
    static let names = ["agency_id", "agency_name", "agency_timezone"]
    static let required: [Column] = [.timeZone]
  }

  private static let limit = 100_000

  private(set) var ids = ByteTable()
  /// In the order of the file; at least one.
  private(set) var rows: [TransitFeed.Agency] = []
  /// The number among the rows of the number of an identifier.
  private(set) var rowOfID: [Int32] = []

  /// - Throws: ``GuideError``, also when no agency has a time zone.
  init(_ input: inout FeedInput) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next(&input.faults) {
      try input.checkCount(rows.count, limit: Self.limit, of: "agencies")
      add(table, &input.faults)
    }
    try settleTimeZones(&input)
  }

  private mutating func add(_ table: CSVTable<Column>, _ faults: inout FeedFaults) {
    if let id = table.number(.id, in: &ids, &faults) {
      guard id.isNew else {
        faults.add(.repeatedID, in: .agency, line: table.line, value: table.shown(.id))
        return
      }
      rowOfID.append(Int32(clamping: rows.count))
    }
    rows.append(
      TransitFeed.Agency(
        id: table.text(.id, &faults) ?? "", name: table.text(.name, &faults) ?? "",
        timeZone: table.text(.timeZone, &faults) ?? ""))
    if table.isBlank(.name) { faults.add(.noName, in: .agency, line: table.line) }
  }

  private mutating func settleTimeZones(_ input: inout FeedInput) throws(GuideError) {
    guard let zone = rows.first(where: { !$0.timeZone.isEmpty })?.timeZone else {
      throw input.bad("agency.txt: no agency_timezone; write one, such as America/Chicago")
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

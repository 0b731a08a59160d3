internal import CupolaGuide
internal import CupolaTransit

// 1. Read each stop, and store its texts as numbers.
// 2. Resolve the parent stations, and create texts for the stops that are kept.

/// The rows of `stops.txt`. Texts are created only for the stops that are kept.
struct FeedStops {
  enum Column: Int, FeedColumn {
    case id, code, name, latitude, longitude, locationType, parent, platform, wheelchair

    static let file = FeedFile.stops
    static let names = [
      "stop_id", "stop_code", "stop_name", "stop_lat", "stop_lon", "location_type",
      "parent_station", "platform_code", "wheelchair_boarding",
    ]
    static let required: [Column] = [.id]
  }

  struct Row {
    var id: Int32
    var name: Int32 = -1
    var code: Int32 = -1
    var platform: Int32 = -1
    /// First the number of the parent's identifier, later its row index; -1 if there is no parent.
    var parent: Int32 = -1
    var point: MapPoint?
    var locationType: UInt8 = 0
    var wheelchair: UInt8 = 0
  }

  private(set) var ids = ByteTable()
  private var texts = ByteTable()
  private(set) var rows: [Row] = []
  /// The row index for each identifier number; -1 if the identifier is only referenced.
  private var rowOfID: [Int32] = []

  init(_ input: FeedInput) throws(GuideError) {
    guard var table = try input.table(of: Column.self) else { return }
    while try table.next() {
      try input.checkCount(rows.count, limit: 8_000_000, of: "stops")
      add(table)
    }
    settleParents(input.faults)
  }

  func row<Other: FeedColumn>(_ column: Other, of table: CSVTable<Other>) -> Int32? {
    guard let id = table.number(column, in: ids) else { return nil }
    let row = rowOfID[Int(id)]
    return row < 0 ? nil : row
  }

  func stop(_ number: Int) -> TransitFeed.Stop {
    let row = rows[number]
    func text(_ number: Int32) -> String? { number < 0 ? nil : texts.text(number) }
    var stop = TransitFeed.Stop(id: ids.text(row.id), name: text(row.name) ?? "", point: row.point)
    (stop.code, stop.platform) = (text(row.code), text(row.platform))
    (stop.locationType, stop.wheelchair) = (row.locationType, row.wheelchair)
    return stop
  }

  /// Returns whether each row's stop is within reach. A stop without coordinates uses those of its parent.
  func near(_ keeps: (MapPoint) -> Bool) -> [Bool] {
    rows.map { row in
      var point = row.point
      var parent = row.parent
      while point == nil, parent >= 0 {
        (point, parent) = (rows[Int(parent)].point, rows[Int(parent)].parent)
      }
      return point.map(keeps) ?? false
    }
  }

  private mutating func add(_ table: CSVTable<Column>) {
    guard let id = number(.id, of: table) else {
      table.report(.noID)
      return
    }
    guard rowOfID[Int(id)] < 0 else {
      table.report(.repeatedID, .id)
      return
    }
    var row = Row(id: id)
    row.name = table.number(.name, in: &texts)?.number ?? -1
    row.code = table.number(.code, in: &texts)?.number ?? -1
    row.platform = table.number(.platform, in: &texts)?.number ?? -1
    row.parent = number(.parent, of: table) ?? -1
    row.locationType = table.choice(.locationType, upTo: 4) ?? 0
    row.wheelchair = table.choice(.wheelchair, upTo: 2) ?? 0
    row.point = point(of: table, mayMiss: row.locationType > 2)
    if row.name < 0, row.locationType <= 2 { table.report(.noName) }
    rowOfID[Int(id)] = Int32(clamping: rows.count)
    rows.append(row)
  }

  private mutating func number(_ column: Column, of table: CSVTable<Column>) -> Int32? {
    guard let found = table.number(column, in: &ids) else { return nil }
    if found.isNew { rowOfID.append(-1) }
    return found.number
  }

  private func point(of table: CSVTable<Column>, mayMiss: Bool) -> MapPoint? {
    if table.isBlank(.latitude), table.isBlank(.longitude) {
      if !mayMiss { table.report(.noPoint) }
      return nil
    }
    if let latitude = table.decimal(.latitude), let longitude = table.decimal(.longitude),
      let point = MapPoint(latitude: latitude, longitude: longitude)
    {
      return point
    }
    table.report(.badPoint, value: table.shown(.latitude) + ", " + table.shown(.longitude))
    return nil
  }

  // Platforms, entrances and nodes must belong to stations, and boarding areas to platforms; stations have no parent.
  // Chains therefore have at most two links and no cycles.
  private mutating func settleParents(_ faults: FeedFaults) {
    for number in rows.indices where rows[number].parent >= 0 {
      let (id, own) = (rows[number].parent, rows[number].locationType)
      let parent = rowOfID[Int(id)]
      rows[number].parent = -1
      if parent < 0 {
        faults.add(.unknownParent, in: .stops, value: ids.text(id))
      } else if own == 1 || rows[Int(parent)].locationType != (own == 4 ? 0 : 1) {
        faults.add(.wrongParent, in: .stops, value: ids.text(id))
      } else {
        rows[number].parent = parent
      }
    }
  }
}

internal import CupolaGuide
internal import CupolaTransit

// 1. Read the rules for transfers between stops.
// 2. Read the pathways of stations, and find the fastest way from each entrance to each platform.

/// Reads `transfers.txt`. Rules for particular routes and trips are not supported.
enum FeedTransfers {
  enum Column: Int, FeedColumn {
    case from, to, fromRoute, toRoute, fromTrip, toTrip, type, seconds

    static let file = FeedFile.transfers
    static let names = [
      "from_stop_id", "to_stop_id", "from_route_id", "to_route_id", "from_trip_id", "to_trip_id",
      "transfer_type", "min_transfer_time",
    ]
    static let required: [Column] = []
  }

  private static let particular: [Column] = [.fromRoute, .toRoute, .fromTrip, .toTrip]

  /// - Parameter numbers: The new number of each row of `stops.txt`; -1 if the stop is not kept.
  static func rows(
    _ input: FeedInput, _ stops: FeedStops, _ numbers: [Int32]
  ) throws(GuideError) -> [TransitFeed.Transfer] {
    guard var table = try input.table(of: Column.self) else { return [] }
    var rows: [TransitFeed.Transfer] = []
    while try table.next() {
      try input.checkCount(rows.count, limit: 1_000_000, of: "transfers")
      guard particular.allSatisfy(table.isBlank), (table.choice(.type, upTo: 5) ?? 0) < 4 else {
        table.report(.transferOfTrips)
        continue
      }
      guard let from = stops.row(.from, of: table), let to = stops.row(.to, of: table) else {
        table.report(.unknownStop)
        continue
      }
      let (first, second) = (numbers[Int(from)], numbers[Int(to)])
      guard first >= 0, second >= 0, let seconds = seconds(of: table) else { continue }
      rows.append(TransitFeed.Transfer(from: first, to: second, seconds: seconds))
    }
    return rows
  }

  /// Returns the time of a transfer, -1 if it is not possible; `nil` for recommended transfers and invalid rows.
  private static func seconds(of table: CSVTable<Column>) -> Int32? {
    switch table.choice(.type, upTo: 5) ?? 0 {
    case 1: return 0
    case 2:
      guard let seconds = table.integer(.seconds),
        (0...TransitFeed.longestTransfer).contains(seconds)
      else {
        table.report(.noTransferTime)
        return nil
      }
      return Int32(seconds)
    case 3: return -1
    default: return nil
    }
  }
}

/// Reads `pathways.txt`. Pathways are used in both directions, because stations have a way out for each way in.
struct FeedPathways {
  enum Column: Int, FeedColumn {
    case from, to, mode, length, seconds

    static let file = FeedFile.pathways
    static let names = ["from_stop_id", "to_stop_id", "pathway_mode", "length", "traversal_time"]
    static let required: [Column] = [.from, .to]
  }

  private struct Link {
    let to: Int32
    let seconds: Int
    let isStepFree: Bool
  }

  private let stops: FeedStops
  /// The pathways from each row of `stops.txt`.
  private var links: [Int32: [Link]] = [:]

  init(_ input: FeedInput, _ stops: FeedStops) throws(GuideError) {
    self.stops = stops
    guard var table = try input.table(of: Column.self) else { return }
    var count = 0
    while try table.next() {
      count += 1
      try input.checkCount(count, limit: 1_000_000, of: "pathways")
      guard let from = stops.row(.from, of: table), let to = stops.row(.to, of: table) else {
        table.report(.unknownStop)
        continue
      }
      let mode = table.choice(.mode, upTo: 7) ?? 1
      let seconds = seconds(of: table, mode: mode)
      // Stairs and escalators.
      let isStepFree = mode != 2 && mode != 4
      links[from, default: []].append(Link(to: to, seconds: seconds, isStepFree: isStepFree))
      links[to, default: []].append(Link(to: from, seconds: seconds, isStepFree: isStepFree))
    }
  }

  /// Returns the time on a pathway, estimated if the feed does not contain it.
  private func seconds(of table: CSVTable<Column>, mode: UInt8) -> Int {
    if let seconds = table.integer(.seconds), (1...3600).contains(seconds) { return seconds }
    if let meters = table.decimal(.length), (0...5000).contains(meters) {
      return Int((meters / EdgeCost.pace(.walk)).rounded(.up))
    }
    switch mode {
    case 2, 4: return 20
    case 5: return 60
    case 6, 7: return 5
    default: return 15
    }
  }

  /// Returns the entrances of each kept platform that pathways connect to them.
  ///
  /// - Parameter numbers: The new number of each row of `stops.txt`; -1 if the stop is not kept.
  func entrances(
    _ numbers: [Int32], _ faults: FeedFaults, within budget: WorkBudget = .pathways
  ) -> [TransitFeed.Entrance] {
    guard !links.isEmpty else { return [] }
    var budget = budget
    var entrances: [TransitFeed.Entrance] = []
    for row in stops.rows.indices where numbers[row] >= 0 && stops.rows[row].locationType == 0 {
      let platform = Int32(truncatingIfNeeded: row)
      guard let found = self.entrances(of: platform, as: numbers[row], within: &budget) else {
        faults.add(.manyPathways, in: .pathways)
        return []
      }
      entrances += found
    }
    return entrances
  }

  /// Returns the entrances of a platform; `nil` if the budget is exhausted.
  private func entrances(
    of platform: Int32, as number: Int32, within budget: inout WorkBudget
  ) -> [TransitFeed.Entrance]? {
    guard let all = times(from: platform, stepFree: false, within: &budget),
      let level = times(from: platform, stepFree: true, within: &budget)
    else { return nil }
    let sorted = all.sorted { $0.key < $1.key }
    let found = sorted.compactMap { place, seconds -> TransitFeed.Entrance? in
      let stop = stops.rows[Int(place)]
      guard stop.locationType == 2, let point = stop.point else { return nil }
      return TransitFeed.Entrance(
        stop: number, point: point, seconds: Int32(truncatingIfNeeded: seconds),
        stepFreeSeconds: level[place].flatMap { Int32(exactly: $0) } ?? -1)
    }
    return budget.take(results: found.count) ? found : nil
  }

  /// Returns the time to each place that pathways connect to a platform (Dijkstra 1959; stations are small); `nil` if
  /// the budget is exhausted.
  private func times(
    from start: Int32, stepFree: Bool, within budget: inout WorkBudget
  ) -> [Int32: Int]? {
    var times = [start: 0]
    var open: Set<Int32> = [start]
    while let place = open.min(by: { (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1) }) {
      guard budget.take(tests: open.count + (links[place]?.count ?? 0)) else { return nil }
      open.remove(place)
      let here = times[place] ?? 0
      for link in links[place] ?? [] where link.isStepFree || !stepFree {
        let seconds = here + link.seconds
        guard seconds <= TransitFeed.longestTransfer, seconds < times[link.to] ?? .max else {
          continue
        }
        times[link.to] = seconds
        open.insert(link.to)
      }
    }
    return times
  }
}

extension WorkBudget {
  /// Tests compare places in all stations together (about a second in total). A large station requires 100,000. Results
  /// are pairs of an entrance and a platform. A large station has a few thousand.
  static let pathways = WorkBudget(tests: 100_000_000, results: 1_000_000)
}

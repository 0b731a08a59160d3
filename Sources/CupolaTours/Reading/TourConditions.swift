internal import CupolaGuide

/// What has to be passed before each stop of a tour opens.
struct TourConditions {
  private let stops: [TourStop]
  private let order: Tour.Order
  private let numbers: [String: Int]

  init(_ stops: [TourStop], _ order: Tour.Order) {
    (self.stops, self.order) = (stops, order)
    numbers = Dictionary(
      stops.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { a, _ in a })
  }

  /// The numbers of the stops that have to be passed before each.
  var before: [[Int]] { stops.map { $0.after.compactMap { numbers[$0] } } }

  /// Refuses identifiers that stand twice, stops that are not there, and those that could never open.
  ///
  /// - Throws: ``GuideError/badTour(path:problem:)``.
  func check(_ list: TourNode) throws(GuideError) {
    for (number, node) in try list.list(0...stops.count).enumerated() {
      let stop = stops[number]
      if let first = numbers[stop.id], first != number {
        throw node.fault("stops[\(first)] has the id \"\(stop.id)\" too; give each its own")
      }
      for id in stop.after {
        guard let other = numbers[id] else {
          throw try node.required("after").fault("no stop has the id \"\(id)\"")
        }
        // Of itself the cycle tells.
        guard order == .free || other <= number else {
          throw try node.required("after").fault(
            "\"\(id)\" comes later in the fixed order; move the stop, or make the order \"free\"")
        }
      }
    }
    if let cycle = cycle {
      let names = (cycle + cycle.prefix(1)).map { stops[$0].id }
      throw list.fault(
        "each opens after the next, so that none ever opens: \(Self.short(names)); "
          + "remove one of them from an \"after\"")
    }
  }

  private static func short(_ names: [String]) -> String {
    let most = 12
    let shown = names.count > most ? Array(names.prefix(most - 1)) + ["..."] : names
    return shown.joined(separator: " -> ")
  }

  /// Stops of which each waits for the next, and the last for the first; the same one every time.
  private var cycle: [Int]? {
    let before = before
    // 0 is new, 1 on the way, 2 known to be in no cycle.
    var colors = [UInt8](repeating: 0, count: stops.count)
    for start in stops.indices where colors[start] == 0 {
      // By hand: a chain of a thousand stops is no reason for a deep stack.
      var way: [(stop: Int, next: Int)] = [(start, 0)]
      colors[start] = 1
      while let (stop, next) = way.last {
        guard next < before[stop].count else {
          colors[stop] = 2
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let other = before[stop][next]
        if colors[other] == 1 { return way.map(\.stop).drop { $0 != other }.map { $0 } }
        guard colors[other] == 0 else { continue }
        colors[other] = 1
        way.append((other, 0))
      }
    }
    return nil
  }
}

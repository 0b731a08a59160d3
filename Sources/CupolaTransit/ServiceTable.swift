/// Which services run on which days, looked up once for all days of a schedule.
struct ServiceTable: Equatable, Sendable {
  let services: [ServiceDays]
  /// All days on which a service may run.
  let span: ClosedRange<Int>?
  /// A bit for each service and day, day after day; empty where that were too many.
  private let bits: [UInt64]

  private static let mostBits = 1 << 20

  init(_ services: [ServiceDays]) {
    self.services = services
    let spans = services.compactMap(\.span)
    let first = spans.map(\.lowerBound).min()
    let last = spans.map(\.upperBound).max()
    guard let first, let last else {
      (span, bits) = (nil, [])
      return
    }
    span = first...last
    let (count, overflow) = services.count.multipliedReportingOverflow(by: last - first + 1)
    guard !overflow, count <= Self.mostBits else {
      bits = []
      return
    }
    var bits = [UInt64](repeating: 0, count: count / 64 + 1)
    for (number, service) in services.enumerated() {
      guard let span = service.span else { continue }
      for day in span where service.runs(onDay: day) {
        let place = (day - first) * services.count + number
        bits[place >> 6] |= 1 << UInt64(place & 63)
      }
    }
    self.bits = bits
  }

  func runs(_ service: Int, onDay day: Int) -> Bool {
    guard let span, span.contains(day) else { return false }
    if bits.isEmpty { return services[service].runs(onDay: day) }
    let place = (day - span.lowerBound) * services.count + service
    return bits[place >> 6] & 1 << UInt64(place & 63) != 0
  }
}

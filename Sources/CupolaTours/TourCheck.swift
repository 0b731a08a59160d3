internal import CupolaCampus
internal import CupolaGuide
internal import CupolaSupport

// 1. Check the stops for unknown places, overlaps and missing connections.
// 2. Check media, questions and translations.
// 3. Compute the length of the tour.

/// Checks a tour for problems and computes its length.
package struct TourCheck: Sendable {
  package typealias Point = (latitude: Double, longitude: Double)
  package typealias Walk = (meters: Double, seconds: Double)

  package private(set) var findings: [TourFinding] = []
  /// The length of the tour; if the order is free, each leg leads to the nearest remaining stop.
  package private(set) var length: TourLength

  let tour: Tour
  let spots: [Position?]

  /// Legs of at least this length in meters are reported.
  static let longLeg = 1500.0
  private static let mostOverlaps = 5
  /// The walking speed in meters per second.
  private static let pace = 1.3
  /// The number of words read per second, and the number of seconds per question.
  private static let (reading, answering) = (3.0, 30.0)

  /// Creates a check. If `walk` is `nil`, legs are straight lines; if `media` is `nil`, media files are not checked.
  package init(
    of tour: Tour, places: (_ place: String) -> Point?,
    walk: ((_ from: Point, _ to: Point) -> Walk?)? = nil,
    media: ((_ path: String) -> TourMediaState)? = nil
  ) {
    self.tour = tour
    spots = TourVisit(of: tour, places: places).spots
    length = TourLength(meters: 0, walking: 0, stays: 0, isStraight: false)
    addPlaces()
    addOverlaps()
    if let walk { addUnreachable(walk) }
    addParts(media)
    measure(walk)
  }

  private func name(_ number: Int) -> String { tour.stops[number].id }

  private mutating func addPlaces() {
    for (number, stop) in tour.stops.enumerated() {
      if case .named(let place) = stop.place, spots[number] == nil {
        findings.append(.unknownPlace(stop: stop.id, place: place))
      }
      if stop.place != nil, stop.beacon == nil, stop.radius < Position.defaultError {
        findings.append(.smallRadius(stop: stop.id, radius: stop.radius))
      }
    }
  }

  /// If the order is fixed, only consecutive stops can overlap.
  private mutating func addOverlaps() {
    for (number, stop) in tour.stops.enumerated() {
      let last = tour.order == .fixed ? min(number + 2, tour.stops.count) : tour.stops.count
      let most = findings.count + Self.mostOverlaps
      for other in (number + 1)..<max(number + 1, last) where findings.count < most {
        let second = tour.stops[other]
        if let zone = stop.beacon?.zone, zone == second.beacon?.zone {
          findings.append(.overlap(stop: stop.id, other: second.id, meters: nil))
        } else if let a = spots[number], let b = spots[other] {
          let meters = Geodesic(from: a, to: b).distance
          guard meters < stop.radius + second.radius else { continue }
          findings.append(.overlap(stop: stop.id, other: second.id, meters: meters))
        }
      }
    }
  }

  private func point(_ position: Position) -> Point { (position.latitude, position.longitude) }

  /// Reports stops that are not connected to the largest group of stops.
  private mutating func addUnreachable(_ walk: (Point, Point) -> Walk?) {
    // Form groups of connected stops by testing only the first stop of each group. A campus has few groups.
    let mostGroups = 16
    var groups: [[Int]] = []
    for (number, spot) in spots.enumerated() {
      guard let spot else { continue }
      let group = groups.prefix(mostGroups).firstIndex { group in
        spots[group[0]].map { walk(point($0), point(spot)) != nil } ?? false
      }
      if let group { groups[group].append(number) } else { groups.append([number]) }
    }
    guard let main = groups.max(by: { ($0.count, $1[0]) < ($1.count, $0[0]) }) else { return }
    for number in groups.joined().sorted() where !main.contains(number) {
      findings.append(.unreachable(stop: name(number)))
    }
  }

  private mutating func measure(_ walk: ((Point, Point) -> Walk?)?) {
    let legs = self.legs
    var (meters, seconds, isStraight) = (0.0, 0.0, spots.contains { $0 == nil })
    for (from, to) in legs {
      guard let start = spots[from], let end = spots[to] else { continue }
      let straight = Geodesic(from: start, to: end).distance
      let way = walk?(point(start), point(end))
      if way == nil { isStraight = true }
      let leg = way ?? (straight, straight / Self.pace)
      if tour.order == .fixed, leg.meters > Self.longLeg {
        findings.append(.longLeg(from: name(from), to: name(to), meters: leg.meters))
      }
      meters += leg.meters
      seconds += leg.seconds
    }
    let stays = tour.stops.reduce(0.0) { $0 + stay($1) }
    length = TourLength(meters: meters, walking: seconds, stays: stays, isStraight: isStraight)
  }

  private var legs: [(Int, Int)] {
    var left = tour.stops.indices.filter { spots[$0] != nil }
    guard !left.isEmpty else { return [] }
    var order = [left.removeFirst()]
    while !left.isEmpty, let here = order.last.flatMap({ spots[$0] }) {
      let next =
        tour.order == .fixed
        ? 0
        : left.indices.min {
          squaredDistance(here, left[$0]) < squaredDistance(here, left[$1])
        } ?? 0
      order.append(left.remove(at: next))
    }
    return Array(zip(order, order.dropFirst()))
  }

  private func squaredDistance(_ here: Position, _ number: Int) -> Double {
    spots[number].map {
      let (east, north) = LocalPlane.meters(from: here, to: $0)
      return east * east + north * north
    } ?? .infinity
  }

  private func stay(_ stop: TourStop) -> Double {
    let text = stop.text.map { tour.text($0) } ?? ""
    let words = text.split(whereSeparator: \.isWhitespace).count
    return Double(words) / Self.reading + Double(stop.questions.count) * Self.answering
  }

  private mutating func addParts(_ media: ((String) -> TourMediaState)?) {
    translate(tour.title, "title")
    for stop in tour.stops {
      translate(stop.title, "\(stop.id): title")
      translate(stop.text, "\(stop.id): text")
      for file in stop.media {
        switch media?(file.path) {
        case .missing: findings.append(.missingMedia(stop: stop.id, path: file.path))
        case .outside: findings.append(.outsideMedia(stop: stop.id, path: file.path))
        case .found, nil: break
        }
        if file.alternative == nil {
          findings.append(.missingAlternative(stop: stop.id, path: file.path))
        }
        translate(file.alternative, "\(stop.id): alt of \(VisibleText.line(file.path))")
      }
      for question in stop.questions { add(question, of: stop) }
    }
  }

  private mutating func add(_ question: TourQuestion, of stop: TourStop) {
    if !question.hasRightAnswer {
      findings.append(.noRightAnswer(stop: stop.id, question: question.id))
    }
    let item = "\(stop.id): question \(question.id)"
    translate(question.text, item)
    translate(question.hint, "\(item): hint")
    translate(question.explanation, "\(item): explanation")
    guard case .choices(let choices) = question.form else { return }
    for (number, choice) in choices.enumerated() {
      translate(choice.text, "\(item): choice \(number + 1)")
    }
  }

  private mutating func translate(_ text: LocalizedText?, _ item: String) {
    guard let text else { return }
    let missing = tour.languages.filter { text.texts[$0] == nil }
    guard !missing.isEmpty else { return }
    findings.append(.missingTranslation(item: item, languages: missing))
  }
}

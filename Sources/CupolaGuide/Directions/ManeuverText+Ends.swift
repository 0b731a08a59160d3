internal import CupolaCampus

// 1. Describe the departure: the direction, the way and the distance to it.
// 2. Describe the arrival: the distance from the last point to the destination, and its side.
// 3. Name the tunnels and squares that the route leads through before the next instruction.

extension ManeuverText {
  /// Drivers walk to their car, and on from where they park, if this is at least this number of meters.
  private static let farFromCar = 40.0

  /// The total length in meters of the straight lines before and after the mapped paths, including those inside
  /// buildings, without lines that are too short to mention.
  var metersOffPaths: Double {
    [
      (inside.origin, before, assembly.points.first),
      (inside.destination, beyond, assembly.points.last),
    ].map { place, gap, point in
      guard let place, let point else { return gap?.offset ?? 0 }
      return Bearing.meters(place, point)
    }.filter { $0 >= Self.unmentioned }.reduce(0, +)
  }

  /// Warns users who cannot use steps before they reach them.
  func warning(of gap: Gap?, _ stretch: String) -> String {
    guard let gap, gap.isWalkersOnly else { return "" }
    return "; no step-free route is known \(stretch) \(Int(gap.meters.rounded())) m"
  }

  /// Tells users that the route starts or ends at the wall to another room.
  func missingDoor(_ place: Place?, beside segment: Route.Segment?) -> String {
    guard let place, place.kind == .room, place.doors.isEmpty, segment?.kind == .room else {
      return ""
    }
    return "; the map shows no public door"
  }

  /// Returns the name of a place, or its category with an article.
  private static func spoken(_ place: Place) -> String {
    place.name == nil && place.ref == nil ? "the \(place.title)" : place.title
  }

  func depart(_ step: ManeuverPlan.Step, until next: Int) -> String {
    if let room = roomLeft(step) { return "Leave \(room)\(sideOfExit())" }
    let from = origin.map { "From \(Self.spoken($0)), " } ?? ""
    guard let bearing = bearingAtStart(from: step.end, until: next) else {
      return origin.map { "Start at \(Self.spoken($0))" } ?? "Start here"
    }
    if let leave = leaveLot(step) { return from + (from.isEmpty ? "Leave " : "leave ") + leave }
    let (go, walk) = from.isEmpty ? ("Go", "Walk") : ("\(from)go", "\(from)walk")
    if let before, before.isWalkersOnly || before.meters >= Self.unmentioned,
      let begin = assembly.points.first,
      let toward = Bearing.of(inside.origin ?? before.place, begin)
    {
      let meters = Int(
        (inside.origin.map { Bearing.meters($0, begin) } ?? before.meters).rounded())
      let isWalked = search.hasTurns && Double(meters) >= Self.farFromCar
      return
        "\(isWalked ? walk : go) \(meters) m \(Bearing.name(toward)) to \(way(step)), then "
        + (isWalked ? "drive " : "") + Bearing.name(bearing)
    }
    let isRoom = assembly.segments.first?.kind == .room
    let isIndoor = assembly.segments.first?.isIndoor ?? false
    let name = isRoom ? nil : title(step) ?? wayAtStart(step)
    let known = isIndoor ? nil : oneOfTwo(step, bearing, name)
    let on = (known ?? name).map { " \(isIndoor ? "along" : "on") \($0)" } ?? ""
    if let place = inside.origin, let begin = assembly.points.first,
      let toward = Bearing.of(place, begin), Bearing.meters(place, begin) >= Self.unmentioned
    {
      let meters = Int(Bearing.meters(place, begin).rounded())
      return
        "\(from)leave the building \(meters) m to the \(Bearing.name(toward)), "
        + "then go \(Bearing.name(bearing))\(on)"
    }
    return "\(go) \(Bearing.name(bearing))\(on)"
  }

  /// Returns the words that tell the way at the start apart from others that lead in about the same direction; `nil` if
  /// its name or direction does.
  private func oneOfTwo(
    _ step: ManeuverPlan.Step, _ bearing: Double, _ name: String?
  ) -> String? {
    guard step.end == 0, Junctions.isLine(assembly.segments[0].kind) else { return nil }
    let rivals = Junctions(assembly, search).branchesAtStart(heading: bearing).filter {
      Junctions.isLine($0.way.kind) && $0.turn.magnitude < Junctions.similar
        && (step.name == nil || StreetName.share(step.name, $0.way.name))
    }
    guard !rivals.isEmpty else { return nil }
    let noun = way(of: 0).noun
    let alike = rivals.filter { $0.way.noun == noun && ($0.way.name == nil) == (step.name == nil) }
    guard !alike.isEmpty else { return name ?? "the \(noun)" }
    let sides = Set(alike.map { $0.turn > 0 ? "left" : "right" })
    guard sides.count == 1, let side = sides.first else { return "the middle \(noun)" }
    let branch = name == nil ? noun : "branch of \(name ?? "")"
    return "the \(alike.count > 1 ? side + "most" : side) \(branch)"
  }

  /// Returns the words for the start in a parking lot, whose turns are not announced.
  private func leaveLot(_ step: ManeuverPlan.Step) -> String? {
    guard step.end > 0, step.end < assembly.segments.count, way(of: 0).isParkingAisle,
      way(of: step.end - 1).isParkingAisle, !way(of: step.end).isParkingAisle,
      let bearing = Bearing.of(assembly.points[0], assembly.points[step.end])
    else { return nil }
    guard let onto = title(step) else { return "the parking lot to the \(Bearing.name(bearing))" }
    let turn = Junctions(assembly, search).turn(at: step.end)
    let side = turn.magnitude > Junctions.bend ? " and turn \(turn > 0 ? "right" : "left")" : ""
    return "the parking lot to the \(Bearing.name(bearing))\(side) onto \(onto)"
  }

  /// Returns the words for the way at the start if it is a few meters from the place; otherwise `nil`.
  private func wayAtStart(_ step: ManeuverPlan.Step) -> String? {
    guard let before, origin != nil, before.meters >= Junctions.curb,
      let segment = assembly.segments.first, Junctions.isLine(segment.kind), !segment.isIndoor,
      !way(of: 0).isParkingAisle
    else { return nil }
    return way(step)
  }

  /// Returns the room that a route starts in and leaves; compass directions are of little use in rooms.
  private func roomLeft(_ step: ManeuverPlan.Step) -> String? {
    guard let first = assembly.segments.first, first.kind == .room, before?.isWalkersOnly != true,
      let last = assembly.segments.indices.last, assembly.way(of: last) != assembly.way(of: 0)
    else { return nil }
    return origin.map(Self.spoken) ?? step.name ?? "the room"
  }

  /// Returns the side of a room with several doors on which the route leaves it.
  private func sideOfExit() -> String {
    let way = assembly.way(of: 0)
    guard let origin, !origin.doors.isEmpty,
      let exit = assembly.segments.indices.first(where: { assembly.way(of: $0) != way }),
      Bearing.meters(origin.position, assembly.points[exit]) >= 1,
      let bearing = Bearing.of(origin.position, assembly.points[exit])
    else { return "" }
    let ends = search.graph.edges.lazy.filter { $0.way == way }.flatMap { [$0.from, $0.to] }
    let doors = Set(ends).filter { vertex in
      search.leaving[vertex].contains { search.graph.edges[Int($0) >> 1].way != way }
    }
    return doors.count > 1 ? " on its \(Bearing.name(bearing)) side" : ""
  }

  /// The initial direction in degrees, measured up to the first turn or, across an open area, to its exit.
  private func bearingAtStart(from begin: Int, until next: Int) -> Double? {
    let last = assembly.points.count - 1
    let first = Array(assembly.points[begin...max(begin, min(max(next, 1), last))])
    let across = assembly.segments[begin...].prefix { $0.kind == .area && !$0.isIndoor }.count
    guard across > 1 else {
      let isAtDoor = first.allSatisfy { Bearing.meters(first[0], $0) < 1 }
      return Bearing.near(
        0, of: isAtDoor ? Array(assembly.points[begin...]) : first, step: 1,
        within: ManeuverPlan.together)
    }
    return Bearing.of(first[0], first[min(across, first.count - 1)])
  }

  func arrive(_ step: ManeuverPlan.Step) -> String {
    let name = destination.map(Self.spoken) ?? "your destination"
    guard let last = assembly.points.last else { return "Arrive at \(name)" }
    let here = assembly.points[step.end]
    let (target, isInside) = targetBeyond()
    guard let place = target ?? (step.end < step.point ? last : edge()),
      Bearing.meters(here, place) >= 1
    else {
      return "Arrive at \(name)\(sideOfDoor())\(onRoundabout())"
    }
    let distance = Bearing.meters(here, place)
    let meters = "\(Int(distance.rounded())) m"
    guard let toward = Bearing.of(here, place) else { return "Arrive at \(name)" }
    let whereInside = isInside ? ", inside the building" : ""
    if search.hasTurns, distance >= Self.farFromCar {
      return "Park here; \(name) is \(meters) to the \(Bearing.name(toward))\(whereInside)"
    }
    guard let heading = Bearing.near(step.end, of: assembly.points, step: -1) else {
      return "Arrive: \(name) is \(meters) to the \(Bearing.name(toward))\(whereInside)"
    }
    let turn = Degrees.turn(from: heading, to: toward)
    let side =
      turn.magnitude < 45
      ? "ahead" : turn.magnitude > 135 ? "behind you" : turn > 0 ? "to your right" : "to your left"
    guard target != nil else {
      return "Arrive at \(name)\(side.hasPrefix("to") ? ", on\(side.dropFirst(2))" : "")"
    }
    return "Arrive: \(name) is \(meters) \(side)\(whereInside)"
  }

  /// Tells drivers who stop in a roundabout that they do not leave it.
  private func onRoundabout() -> String {
    let last = assembly.segments.indices.last
    return search.hasTurns && last.map { way(of: $0).isRoundabout } ?? false
      ? " on the roundabout" : ""
  }

  /// Returns the place that users see or look for from the end of the route; `nil` if they are there.
  private func targetBeyond() -> (place: RoutePoint?, isInside: Bool) {
    guard let beyond, let last = assembly.points.last else { return (nil, false) }
    if let place = inside.destination, Bearing.meters(place, beyond.place) >= Self.unmentioned {
      return (place, true)
    }
    if let edge = edge() { return (Bearing.meters(last, edge) >= 5 ? edge : nil, false) }
    let isBeyond = beyond.isWalkersOnly && beyond.meters > 1 || beyond.meters >= 5
    return (isBeyond ? beyond.place : nil, false)
  }

  /// Returns the nearest point of a destination without doors, which is the last point if users are inside; `nil` if the
  /// map contains doors or no outline.
  private func edge() -> RoutePoint? {
    guard let destination, destination.doors.isEmpty, let last = assembly.points.last else {
      return nil
    }
    return landmarks.nearest(of: destination.id, to: last)
  }

  /// Returns the side on which a room is, if the route ends at its door; empty if the route leads into the room.
  private func sideOfDoor() -> String {
    let last = assembly.segments.count - 1
    guard last >= 0, let destination, destination.kind == .room, assembly.segments[last].isIndoor
    else { return "" }
    let way = search.graph.ways[assembly.way(of: last)].id
    // The IDs of rooms end with the floor.
    guard destination.id != way, !destination.id.hasPrefix(way + "@"),
      assembly.way(of: last) != assembly.way(of: 0) || assembly.segments[last].kind != .room,
      let heading = Bearing.near(
        last + 1, of: assembly.points, step: -1, within: Bearing.reachIndoors),
      let toward = Bearing.of(assembly.points[last + 1], destination.position)
    else { return "" }
    let turn = Degrees.turn(from: heading, to: toward)
    guard (45...135).contains(turn.magnitude) else { return "" }
    return turn > 0 ? ", on your right" : ", on your left"
  }

  // MARK: - On the way

  /// The lengths in meters from which squares, tunnels, and tunnels on a drive are mentioned.
  private static let (leastSquare, leastTunnel, leastDrive) = (15.0, 5.0, 50.0)

  /// Returns the words for the tunnels, passages and squares between a step and the next one, except for those that the
  /// step itself names.
  func passages(behind step: ManeuverPlan.Step, until next: Int) -> String {
    let begin = max(step.onto, step.end)
    guard step.kind != .arrive, begin < next else { return "" }
    var found: [(passage: Passage?, segments: Range<Int>)] = []
    for segment in begin..<next {
      let passage = passage(through: segment)
      if found.isEmpty || found[found.count - 1].passage != passage {
        found.append((passage, segment..<segment))
      }
      found[found.count - 1].segments = found[found.count - 1].segments.lowerBound..<segment + 1
    }
    let isOnto = step.kind != .crossing && assembly.segments[begin].kind == .area
    var said: [String] = []
    for case let (passage?, segments) in found
    where assembly.segments[segments].reduce(0, { $0 + $1.meters }) >= passage.least
      && !said.contains(passage.words) && !(isOnto && passage == found[0].passage)
      && !isAlongStreet(segments) && !isStrip(segments)
    {
      said.append(passage.words)
    }
    return said.joined()
  }

  /// Whether a street with one name leads to a square and away from it, so that users follow the street.
  private func isAlongStreet(_ square: Range<Int>) -> Bool {
    let segments = assembly.segments
    return segments[square.lowerBound].kind == .area && square.lowerBound > 0
      && square.upperBound < segments.count
      && StreetName.share(
        segments[square.lowerBound - 1].name, segments[square.upperBound].name)
  }

  /// Whether a square without a name is only as wide as a path, such as the island between two roadways.
  private func isStrip(_ square: Range<Int>) -> Bool {
    let (graph, way) = (search.graph, assembly.way(of: square.lowerBound))
    guard graph.ways[way].kind == .area, graph.ways[way].name == nil else { return false }
    let (begin, end) = (assembly.points[square.lowerBound], assembly.points[square.upperBound])
    let plane = SurfacePoint(latitude: begin.latitude, longitude: begin.longitude)
    let along = plane.meters(to: end)
    let length = max(1, (along * along).sum().squareRoot())
    let offsets = graph.edges.filter { $0.way == way }.flatMap { [$0.from, $0.to] }.map {
      let place = plane.meters(to: RoutePoint(graph.vertices[$0].point))
      return (along.x * place.y - along.y * place.x) / length
    }
    return (offsets.max() ?? 0) - (offsets.min() ?? 0) < Junctions.width
  }

  /// Returns the street that users reach at the end of a square that a step names, or the direction across it. No line
  /// on a square leads users.
  func toward(_ next: ManeuverPlan.Step?, behind step: ManeuverPlan.Step) -> String {
    guard let next else { return "" }
    let isOnto = ManeuverPlan.isTurn(step.kind) && assembly.segments[step.onto].kind == .area
    if isOnto, streetAcross(step) != nil { return "" }
    guard next.kind == .crossing || ManeuverPlan.isTurn(next.kind),
      next.start > 0, assembly.segments[next.start - 1].kind == .area,
      !way(of: next.start - 1).isIndoor,
      isOnto || !passages(behind: step, until: next.point).isEmpty,
      let name = title(next), !StreetName.share(name, step.name)
    else { return isOnto ? direction(across: step, until: next.point) : "" }
    return " toward \(name)"
  }

  /// Returns the direction across a square if it differs from that of the first meters.
  private func direction(across step: ManeuverPlan.Step, until next: Int) -> String {
    let (points, segments) = (assembly.points, assembly.segments)
    let area = (step.onto..<max(step.onto, next)).prefix {
      segments[$0].kind == .area && !segments[$0].isIndoor
    }
    guard area.reduce(0, { $0 + segments[$1].meters }) >= Self.wideSquare,
      let first = Bearing.near(step.end, of: points, step: 1, within: Bearing.reach),
      let whole = Bearing.of(points[step.onto], points[area.endIndex]),
      Degrees.turn(from: first, to: whole).magnitude >= ManeuverPlan.straight
    else { return "" }
    let saysAcross = step.name == nil && step.point > 0 && segments[step.point - 1].kind == .area
    return (saysAcross ? "" : " and cross it") + " to the \(Bearing.name(whole))"
  }

  /// The length in meters from which users need the direction across a square.
  private static let wideSquare = 30.0

  /// The words for a stretch of the route, and the length in meters from which it is mentioned.
  private struct Passage: Equatable {
    let words: String
    let least: Double
  }

  private func passage(through segment: Int) -> Passage? {
    let way = way(of: segment)
    if way.isIndoor { return nil }
    if way.kind == .area {
      return Passage(words: ", then cross \(way.name ?? "the square")", least: Self.leastSquare)
    }
    let least = search.hasTurns ? Self.leastDrive : Self.leastTunnel
    switch way.form {
    case .tunnel: return Passage(words: ", through the tunnel", least: least)
    case .passage: return Passage(words: ", through the passage", least: least)
    case .open, .alley: return nil
    }
  }
}

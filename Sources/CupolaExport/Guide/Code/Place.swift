import Foundation

/// Combines an image's probabilities with position and heading, using place.json.
struct Places {
  struct Building {
    let label, name: String
    let isTrained, isPoint: Bool
    /// Longitude and latitude; nil if unknown.
    let position: SIMD2<Double>?
    let radius: Double
    let rings: [[SIMD2<Double>]]
    let viewpoints: [[Double]]
  }

  /// The camera's position and heading.
  struct Place {
    let at: SIMD2<Double>
    var error: Double
    let heading, view: Double?
  }

  struct Picture {
    var nothing: Double
    var seen: [Double]
    var unknown: Double
  }

  /// The verdict, its one or two buildings, and all nearby buildings.
  struct Answer {
    let verdict: String
    let buildings: [Building]
    let probability: Double
    let candidates: [(building: Building, probability: Double)]
  }

  /// Buildings with training photos come first.
  let buildings: [Building]
  private let trained: Int
  private let looks: [SIMD2<Double>]
  private let constants: [String: Double]
  /// The number of directions.
  private let directions: Int
  /// The edges of each building, in meters around its center.
  private var edges: [[(SIMD2<Double>, SIMD2<Double>)]] = []

  init(json: Data) throws {
    func points(_ value: Any?) -> [SIMD2<Double>] {
      (value as? [[Double]] ?? []).map { SIMD2($0[0], $0[1]) }
    }
    let table = try JSONSerialization.jsonObject(with: json) as? [String: Any] ?? [:]
    constants = table["constants"] as? [String: Double] ?? [:]
    directions = Int(exactly: constants["directions"] ?? 0) ?? 0
    guard directions > 0 else { throw CocoaError(.fileReadCorruptFile) }
    looks = points(table["looks"])
    buildings = (table["buildings"] as? [[String: Any]] ?? []).map { building in
      Building(
        label: building["label"] as? String ?? "", name: building["name"] as? String ?? "",
        isTrained: building["trained"] as? Bool ?? false,
        isPoint: building["is_point"] as? Bool ?? false,
        position: (building["position"] as? [Double]).map { SIMD2($0[0], $0[1]) },
        radius: building["radius_m"] as? Double ?? 0,
        rings: (building["rings"] as? [Any] ?? []).map(points),
        viewpoints: building["viewpoints"] as? [[Double]] ?? [])
    }
    trained = buildings.filter(\.isTrained).count
    edges = buildings.map { building in
      building.rings.flatMap { ring in
        let corners = ring.map { plane(building.position ?? $0, $0) }
        return Array(zip(corners, corners.dropFirst()))
      }
    }
  }

  /// Returns a constant from place.json.
  func c(_ name: String) -> Double { constants[name] ?? .nan }

  /// Returns the answer for a photo, or nil if the position is invalid or place.json is from
  /// another model.
  ///
  /// - Parameters:
  ///   - error: Position error in meters; negative if there is no position.
  ///   - heading: Degrees clockwise from true north, for example `trueHeading`.
  ///   - view: The horizontal field of view in degrees.
  func answer(
    _ p: [Double], _ decision: CampusDecision, latitude: Double, longitude: Double,
    error: Double? = nil, heading: Double? = nil, view: Double? = nil
  ) -> Answer? {
    let error = min(error ?? c("usual_error_m"), c("most_error_m"))
    guard abs(latitude) <= 90, abs(longitude) <= 180, error >= 0, p.count > trained else {
      return nil
    }
    let at = SIMD2(longitude, latitude)
    let place = Place(at: at, error: error, heading: finite(heading), view: finite(view))
    var picture = Picture(
      nothing: p[0], seen: Array(p[1..<trained + 1]), unknown: p[(trained + 1)...].reduce(0, +))
    let near = buildings.indices.filter {
      $0 < trained
        || isNear(buildings[$0], place, c("candidate_reach_m") + error) && !isOutOfView($0, place)
    }
    let shifts = shifts(near, place)
    let (prior, known) = prior(picture, near, place)
    if prior > 0, picture.unknown < 1 {
      // Buildings without training photos replace the label for unknown buildings.
      let rest = 1 - picture.unknown
      picture = Picture(
        nothing: picture.nothing / rest, seen: picture.seen.map { $0 / rest }, unknown: 0)
    }
    let (nothing, fused) = fuse(picture, prior: prior, near: near, shifts: shifts)
    return judge(
      picture, nothing: nothing, fused: fused,
      contradicted: contradicted(
        picture, known: known, fused: fused, shifts: shifts,
        behind: near.filter { isBehind($0, place) }),
      by: decision)
  }

  /// Converts a place to meters east and north in a plane.
  private func plane(_ place: SIMD2<Double>, _ to: SIMD2<Double>) -> SIMD2<Double> {
    let east = remainder(to.x - place.x, 360) * cos(place.y * .pi / 180)
    return SIMD2(east, to.y - place.y) * c("meters_per_degree")
  }

  /// Whether a building's bounding circle is within a distance.
  private func isNear(_ building: Building, _ place: Place, _ meters: Double) -> Bool {
    guard let position = building.position else { return false }
    return length(plane(place.at, position)) - building.radius <= meters
  }

  /// The log density of a building's photos at a place, relative to the density of all photos.
  private func density(_ building: Building, _ place: Place) -> Double {
    let (error2, share) = (place.error * place.error, c("broad_share"))
    var (total, count) = (0.0, Double(building.viewpoints.count))
    for viewpoint in building.viewpoints {
      let way = plane(place.at, SIMD2(viewpoint[1], viewpoint[0]) / 1e6)
      let variance = error2 + viewpoint[2] * viewpoint[2] + square(c("bandwidth_m"))
      total += gaussian(square(length(way)), variance)
    }
    if let position = building.position {
      let rings = building.isPoint ? [[position, position]] : building.rings
      let variance = error2 + square(c("building_reach_m"))
      total += c("catalog_count") * gaussian(square(distance(place.at, rings)), variance)
      count += c("catalog_count")
    }
    let broad = gaussian(0, error2 + square(c("broad_reach_m")))
    return count > 0 ? log(share + (1 - share) * total / count / broad) : 0
  }

  /// The index of the nearest outline in each direction from a point, and the index of an outline
  /// that encloses the point.
  private func horizon(
    _ seen: [Int], _ middles: [SIMD2<Double>], _ look: SIMD2<Double>
  ) -> (numbers: [Int?], around: Int?) {
    let (count, step) = (directions, 360 / Double(directions))
    var (numbers, around) = ([Int?](repeating: nil, count: count), Int?.none)
    var distances = [Double](repeating: c("sight_m"), count: count)
    for (number, middle) in zip(seen, middles) {
      var turned = 0.0
      for (from, to) in edges[number] {
        let (a, d) = (from + middle - look, to - from)
        let start = atan2(a.x, a.y) * 180 / .pi
        let turn = remainder(atan2(a.x + d.x, a.y + d.y) * 180 / .pi - start, 360)
        turned += turn
        var i = Int(((start + min(turn, 0)) / step - 0.5).rounded(.up))
        while Double(i) <= (start + max(turn, 0)) / step - 0.5 {
          let ray = (Double(i) + 0.5) * step * .pi / 180
          let at = (i + 2 * count) % count
          let meters = (a.x * d.y - a.y * d.x) / (sin(ray) * d.y - cos(ray) * d.x)
          if meters >= 0, meters < distances[at] {
            (distances[at], numbers[at]) = (meters, number)
          }
          i += 1
        }
      }
      if Int((abs(turned) / 360).rounded()) % 2 == 1 { around = number }
    }
    return (numbers, around)
  }

  /// The weight of each direction: highest in the middle of the photo, or equal if the heading is
  /// unknown.
  private func weights(_ place: Place) -> [Double] {
    let (count, uniform) = (Double(directions), c("uniform_share"))
    let aim = (place.view ?? c("level_view_deg")) * c("aim_share")
    let variance = place.heading == nil ? .infinity : square(c("compass_error_deg")) + aim * aim
    let weights = (0..<directions).map { i in
      let turn = remainder((Double(i) + 0.5) * 360 / count - (place.heading ?? 0), 360)
      return exp(-turn * turn / (2 * variance))
    }
    let total = weights.reduce(0, +)
    return weights.map { (1 - uniform) * $0 / total + uniform / count }
  }

  /// The fraction of the view that each building fills: the mean over sample points within the
  /// error that are not inside a building.
  private func shares(_ place: Place) -> [Double] {
    let error = min(max(place.error, c("least_sight_error_m")), c("most_sight_error_m"))
    let seen = buildings.indices.filter { isNear(buildings[$0], place, c("sight_m") + error) }
    let middles = seen.compactMap { buildings[$0].position.map { plane(place.at, $0) } }
    let weights = weights(place)
    var shares = [Double](repeating: 0, count: buildings.count)
    var (inside, views) = (shares, 0.0)
    for look in looks {
      let (numbers, around) = horizon(seen, middles, look * error)
      if let around {
        inside[around] += 1
        continue
      }
      views += 1
      for case (let number?, let weight) in zip(numbers, weights) { shares[number] += weight }
    }
    if views == 0, let most = inside.max(), let number = inside.firstIndex(of: most) {
      (shares[number], views) = (1, 1)
    }
    return shares.map { $0 / views }
  }

  /// Terms to add to the log probabilities of nearby buildings, 0 or less.
  private func shifts(_ near: [Int], _ place: Place) -> [Int: Double] {
    let (shares, least) = (shares(place), c("least_view_share"))
    let doubt = pow(place.error / c("half_view_error_m"), 4)
    let trust = (place.heading == nil ? c("view_without_heading") : 1) / (1 + doubt)
    let terms = near.map { number in
      let view = trust * log((shares[number] + least) / (c("usual_view_share") + least))
      return c("position_weight") * density(buildings[number], place)
        + (buildings[number].position == nil ? 0 : c("heading_weight") * view)
    }
    let best = max(0, terms.max() ?? 0)
    return Dictionary(uniqueKeysWithValues: zip(near, terms.map { $0 - best }))
  }

  /// The image's log likelihood ratio for a building without training photos.
  private func doubt(_ picture: Picture) -> Double {
    func log(_ x: Double) -> Double { Foundation.log(max(x, c("least_probability"))) }
    let (total, most) = (picture.seen.reduce(0, +), c("most_doubt"))
    let share = total > 0 ? (picture.seen.max() ?? 0) / total : 0
    let odds = log(share) - log(1 - share)
    let byShare = most - c("doubt_slope") * log1p(exp(odds - c("doubt_bend")))
    return max(byShare, c("least_doubt"), min(log(picture.unknown) - log(total), most))
  }

  /// The prior of each nearby building without training photos, relative to all other buildings
  /// together, and the probability that the building shown has training photos.
  private func prior(
    _ picture: Picture, _ near: [Int], _ place: Place
  ) -> (prior: Double, known: Double) {
    guard near.count > trained else { return (0, 1) }
    let odds = c("unknown_visits") / (1 - c("unknown_visits"))
    let ratio = exp(doubt(picture))
    let each = min(1, odds * Double(trained) / Double(buildings.count - trained))
    let heading = place.heading == nil ? c("prior_without_heading") : 1
    return (each * ratio * heading, 1 / (1 + odds * ratio))
  }

  /// The probability of no building, and the probabilities of nearby buildings except unknown ones,
  /// highest first.
  private func fuse(
    _ picture: Picture, prior: Double, near: [Int], shifts: [Int: Double]
  ) -> (nothing: Double, fused: Fused) {
    let (seen, nothing) = (picture.seen.reduce(0, +), picture.nothing + picture.unknown)
    let fused = near.map { number in
      (number < trained ? picture.seen[number] : seen * prior) * exp(shifts[number] ?? 0)
    }
    let total = fused.reduce(0, +)
    let scale = total > seen ? seen / total : 1  // keeps the probability of "no building"
    let sum = picture.nothing + scale * total
    let whole = sum > 0 ? sum : 1
    let all = zip(near, fused).map { (number: $0, probability: scale * $1 / whole) }
    return (nothing / whole, all.sorted { $0.probability > $1.probability })
  }

  private typealias Fused = [(number: Int, probability: Double)]

  /// Whether, from all positions within the error, the whole building is more than 90 degrees off
  /// the heading.
  private func isBehind(_ number: Int, _ place: Place, turn: Double = 0) -> Bool {
    guard let heading = place.heading, let position = buildings[number].position else {
      return false
    }
    let angle = (heading + turn) * .pi / 180
    let direction = SIMD2(sin(angle), cos(angle))
    let middle = plane(place.at, position)
    let ahead = edges[number].map { (($0.0 + middle) * direction).sum() }.max() ?? 0
    return ahead < -place.error
  }

  /// Whether the whole building is clearly outside the field of view, in spite of the errors of
  /// position and compass.
  private func isOutOfView(_ number: Int, _ place: Place) -> Bool {
    let tilt = max(0, 90 - (place.view ?? c("level_view_deg")) / 2 - c("view_margin_deg"))
    return [-tilt, 0, tilt].contains { isBehind(number, place, turn: $0) }
  }

  /// A building that the place contradicts, and the best alternative, preferably in front of the
  /// camera. The contradicted building is the one that the image clearly shows if the place makes
  /// it improbable, or the best building if it is behind the camera.
  private func contradicted(
    _ picture: Picture, known: Double, fused: Fused, shifts: [Int: Double], behind: [Int]
  ) -> (said: Int, other: Int)? {
    guard let says = picture.seen.indices.max(by: { picture.seen[$0] < picture.seen[$1] }),
      let first = fused.first?.number
    else { return nil }
    let share = picture.seen[says] / picture.seen.reduce(0, +)
    let isSure = share * known >= c("contradicted_share")
    let said = isSure ? says : first
    let others = fused.map(\.number).filter { $0 != said }
    let ahead = others.first { !behind.contains($0) }
    let isFar = isSure && (shifts[said] ?? 0) <= c("contradicted_shift")
    guard said < trained, let other = ahead ?? others.first,
      isFar || ahead != nil && behind.contains(said)
    else { return nil }
    return (said, other)
  }

  private func judge(
    _ picture: Picture, nothing: Double, fused: Fused, contradicted: (said: Int, other: Int)?,
    by decision: CampusDecision
  ) -> Answer {
    let all = fused.reduce(0) { $0 + $1.probability }
    func result(_ verdict: String, _ numbers: Int...) -> Answer {
      Answer(
        verdict: verdict, buildings: numbers.map { buildings[$0] },
        probability: fused.first { $0.number == numbers.first }?.probability ?? 0,
        candidates: fused.map { (buildings[$0.number], $0.probability) })
    }
    func isRejected(_ best: Double, _ nothing: Double) -> Bool {
      best <= 0 || nothing > 0 && log(best / nothing) < decision.leastOdds
    }
    guard let first = fused.first, !isRejected(first.probability, nothing),
      !(picture.seen.max().map { isRejected($0, picture.nothing + picture.unknown) } ?? false)
    else { return result("not_a_campus_building") }
    if let contradicted { return result("unsure", contradicted.said, contradicted.other) }
    if first.probability / all >= decision.leastShare {
      return result(first.number < trained ? "building" : "mapped_building", first.number)
    }
    let second = fused.dropFirst().first
    guard let second, (first.probability + second.probability) / all >= decision.leastShare else {
      return result("not_a_campus_building")
    }
    return result("unsure", first.number, second.number)
  }
}

/// Returns nil for NaN and infinity, which sensors report if a value is unknown.
private func finite(_ value: Double?) -> Double? { value.flatMap { $0.isFinite ? $0 : nil } }

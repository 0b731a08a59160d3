internal import CupolaCampus
public import CupolaGuide
internal import CupolaSupport

extension Guide {
  /// Returns the location of a place in degrees: the position of its first door.
  ///
  /// - Parameter place: An identifier, a training label or a unique name. Buildings take precedence over other places
  ///   with the same name.
  public func spot(of place: String) -> (latitude: Double, longitude: Double)? {
    let found =
      self.place(place) ?? places.first { $0.tags["cupola:label"] == place } ?? only(named: place)
    guard let found else { return nil }
    let point = found.doors.first?.point ?? found.position
    return (point.latitude, point.longitude)
  }

  private func only(named name: String) -> Place? {
    let all = places.filter { $0.name == name }
    let buildings = all.filter { $0.kind == .building }
    let meant = buildings.isEmpty ? all : buildings
    return meant.count == 1 ? meant[0] : nil
  }

  /// Starts a visit to the places of a tour.
  public func visit(of tour: Tour) -> TourVisit { TourVisit(of: tour) { spot(of: $0) } }

  /// Checks a tour against the guide's places and paths; `folder` contains the tour's media.
  package func check(_ tour: Tour, mediaIn folder: String? = nil) -> TourCheck {
    let walk = directions(.walk)
    return TourCheck(
      of: tour, places: { spot(of: $0) },
      walk: { from, to in
        guard let start = Position(latitude: from.latitude, longitude: from.longitude),
          let goal = Position(latitude: to.latitude, longitude: to.longitude)
        else { return nil }
        let ends = (RouteEnd.position(start), RouteEnd.position(goal))
        return try? walk.route(from: ends.0, to: ends.1).fromDoorToDoor(ends.0, ends.1)
      },
      media: folder.map { folder in { TourMediaState.of($0, in: folder) } })
  }

  /// Returns the path through the stops of a tour, with straight lines between stops that no path connects.
  package func walk(along tour: Tour) -> [MapPoint] {
    let directions = directions(.walk)
    let spots = visit(of: tour).spots.compactMap(\.self)
    var points = spots.prefix(1).map { (latitude: $0.latitude, longitude: $0.longitude) }
    for (from, to) in zip(spots, spots.dropFirst()) {
      let route = try? directions.route(from: .position(from), to: .position(to))
      points += route?.points.map { ($0.latitude, $0.longitude) } ?? []
      points.append((to.latitude, to.longitude))
    }
    return points.compactMap { MapPoint(latitude: $0.latitude, longitude: $0.longitude) }
  }
}

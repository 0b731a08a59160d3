internal import CupolaCampus
internal import CupolaGuide

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension MapPoint {
  /// The mean of places, which do not go around the world; `nil` without any.
  static func middle(of places: [MapPoint]) -> MapPoint? {
    guard let first = places.first else { return nil }
    let count = Double(places.count)
    // On both sides of the date line those to the east of it count on.
    let isAcross = places.contains { ($0.longitude - first.longitude).magnitude > 180 }
    let longitude = places.reduce(0) {
      $0 + $1.longitude + (isAcross && $1.longitude < 0 ? 360 : 0)
    }
    return MapPoint(
      latitude: places.reduce(0) { $0 + $1.latitude } / count,
      longitude: (longitude / count).remainder(dividingBy: 360))?.onDateLine
  }

  /// The place halfway along a line of a few meters; `nil` without any.
  static func middle(along line: [MapPoint]) -> MapPoint? {
    func length(_ a: MapPoint, _ b: MapPoint) -> Double {
      let x = Degrees.turn(from: b.longitude, to: a.longitude) * cos(a.latitude * .pi / 180)
      let y = a.latitude - b.latitude
      return (x * x + y * y).squareRoot()
    }
    let edges = Array(zip(line, line.dropFirst()))
    var rest = edges.reduce(0) { $0 + length($1.0, $1.1) } / 2
    for (a, b) in edges {
      let own = length(a, b)
      guard rest > own else {
        let middle = RoutePoint(a).toward(RoutePoint(b), own > 0 ? rest / own : 0)
        return MapPoint(latitude: middle.latitude, longitude: middle.longitude)
      }
      rest -= own
    }
    return line.last
  }
}

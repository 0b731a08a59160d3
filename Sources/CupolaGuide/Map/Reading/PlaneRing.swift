/// A ring in the plane of longitude and latitude.
struct PlaneRing {
  /// Numbers of points, the first one not repeated.
  let points: [Int]
  private let places: [MapPoint]
  private let set: Set<MapPoint>
  private let latitudes: ClosedRange<Int32>
  private let longitudes: ClosedRange<Int32>

  init(_ points: [Int], of all: [MapPoint]) {
    self.points = points
    places = points.map { all[$0] }
    set = Set(places)
    let y = places.map(\.latitudeE7)
    let x = places.map(\.longitudeE7)
    latitudes = (y.min() ?? 0)...(y.max() ?? 0)
    longitudes = (x.min() ?? 0)...(x.max() ?? 0)
  }

  /// How much the box around it covers, to tell a larger ring from a smaller one.
  var size: Double {
    (Double(latitudes.upperBound) - Double(latitudes.lowerBound))
      * (Double(longitudes.upperBound) - Double(longitudes.lowerBound))
  }

  /// Whether another ring, which crosses it nowhere, lies inside.
  func contains(_ other: PlaneRing) -> Bool {
    guard latitudes.contains(other.latitudes.lowerBound),
      latitudes.contains(other.latitudes.upperBound),
      longitudes.contains(other.longitudes.lowerBound),
      longitudes.contains(other.longitudes.upperBound)
    else { return false }
    // Rings may touch: a point of both tells nothing.
    if let place = other.places.first(where: { !set.contains($0) }) {
      return contains(Double(place.longitudeE7), Double(place.latitudeE7))
    }
    guard other.places.count > 1 else { return false }
    let (a, b) = (other.places[0], other.places[1])
    return contains(
      (Double(a.longitudeE7) + Double(b.longitudeE7)) / 2,
      (Double(a.latitudeE7) + Double(b.latitudeE7)) / 2)
  }

  /// Whether a place lies inside, by the even-odd rule.
  private func contains(_ x: Double, _ y: Double) -> Bool {
    guard var last = places.last else { return false }
    var isInside = false
    for place in places {
      let (y1, y2) = (Double(last.latitudeE7), Double(place.latitudeE7))
      let (x1, x2) = (Double(last.longitudeE7), Double(place.longitudeE7))
      if (y1 > y) != (y2 > y), x < x1 + (y - y1) / (y2 - y1) * (x2 - x1) { isInside.toggle() }
      last = place
    }
    return isInside
  }
}

internal import CupolaGuide

/// A ring in the plane of longitude and latitude.
struct PlaneRing {
  /// Numbers of points, the first one not repeated.
  let points: [Int]
  private let places: [MapPoint]
  private let set: Set<MapPoint>
  private let latitudes: ClosedRange<Int32>
  /// Those of the places, going on over the date line, and all that they cover.
  private let x: [Int]
  private let longitudes: ClosedRange<Int>

  init(_ points: [Int], of all: [MapPoint]) {
    self.points = points
    places = points.map { all[$0] }
    set = Set(places)
    let y = places.map(\.latitudeE7)
    x = MapPoint.longitudes(along: places)
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
      latitudes.contains(other.latitudes.upperBound)
    else { return false }
    return MapPoint.turns(of: places).contains { contains(other, turned: $0) }
  }

  private func contains(_ other: PlaneRing, turned turn: Int) -> Bool {
    guard longitudes.contains(other.longitudes.lowerBound + turn),
      longitudes.contains(other.longitudes.upperBound + turn)
    else { return false }
    func place(_ index: Int) -> SIMD2<Double> {
      [Double(other.x[index] + turn), Double(other.places[index].latitudeE7)]
    }
    // Rings may touch: a point of both tells nothing.
    if let index = other.places.firstIndex(where: { !set.contains($0) }) {
      return contains(place(index))
    }
    guard other.places.count > 1 else { return false }
    return contains((place(0) + place(1)) / 2)
  }

  /// Whether a place lies inside, by the even-odd rule.
  private func contains(_ place: SIMD2<Double>) -> Bool {
    var isInside = false
    for index in places.indices {
      let before = index == 0 ? places.count - 1 : index - 1
      let (y1, y2) = (Double(places[before].latitudeE7), Double(places[index].latitudeE7))
      let (x1, x2) = (Double(x[before]), Double(x[index]))
      if (y1 > place.y) != (y2 > place.y),
        place.x < x1 + (place.y - y1) / (y2 - y1) * (x2 - x1)
      {
        isInside.toggle()
      }
    }
    return isInside
  }
}

package import CupolaSupport

// Points and floors, which several parts of a guide hold, as bytes.

extension ByteWriter {
  /// A point as the difference to the one before, which then is this one; (0, 0) is before the first.
  package mutating func write(_ point: MapPoint, after last: inout (latitude: Int, longitude: Int))
  {
    let (latitude, longitude) = (Int(point.latitudeE7), Int(point.longitudeE7))
    write(latitude - last.latitude)
    write(longitude - last.longitude)
    last = (latitude, longitude)
  }

  /// A floor in tenths; 0 is none.
  package mutating func write(level: Double?) {
    write(level.map { Int(($0 * 10).rounded()) * 2 + 1 } ?? 0)
  }
}

extension ByteReader {
  package mutating func point(
    after last: inout (latitude: Int, longitude: Int)
  ) throws(Fault) -> MapPoint {
    last.latitude &+= try integer()
    last.longitude &+= try integer()
    guard let latitude = Int32(exactly: last.latitude),
      let longitude = Int32(exactly: last.longitude),
      let point = MapPoint(latitudeE7: latitude, longitudeE7: longitude)
    else { throw .badValue("a place that is not on Earth") }
    return point
  }

  package mutating func level() throws(Fault) -> Double? {
    let number = try integer()
    guard number.magnitude < 1_000_000 else { throw .badValue("floor \(number)") }
    return number == 0 ? nil : Double((number - 1) / 2) / 10
  }
}

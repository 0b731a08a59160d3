/// Something that happens during a visit. Times are seconds since 1970.
public enum TourEvent: Equatable, Sendable {
  /// The phone found its position; `accuracy` is meters within which it lies, negative when nobody knows.
  /// What is no place on Earth is passed over.
  case position(latitude: Double, longitude: Double, accuracy: Double, time: Double)
  /// The zone of a beacon has changed; `nil`: its signal is gone.
  case zone(String, level: TourZoneLevel?, time: Double)
  /// Time passes: to be sent once a second or so where beacons alone tell the place.
  case tick(time: Double)
  /// The visitor answers a question of a stop.
  case answer(stop: String, question: String, TourAnswer)
  /// The visitor goes on without a stop.
  case skip(stop: String)
  /// The visitor begins again.
  case restart
}

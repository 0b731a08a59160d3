/// How somebody goes.
public enum TravelMode: String, CaseIterable, Codable, Sendable {
  /// On foot, steps too.
  case walk
  /// On foot or wheels without steps, raised kerbs and what the map says is not for wheelchairs.
  case stepFree = "step-free"
  /// By car.
  case drive
}

/// The steady answer after a frame.
public struct LiveAnswer: Equatable, Sendable {
  /// What is said of the scene.
  public enum Verdict: String, Codable, Sendable {
    /// Nothing yet.
    case looking
    /// A building of the campus.
    case building
    /// One of two buildings, or place and picture say different ones.
    case unsure
    /// Nothing that the model knows.
    case notACampusBuilding = "not_a_campus_building"
    /// Taken outside the geofence; the frame was not looked at.
    case notOnCampus = "not_on_campus"
  }

  /// What is said of the scene.
  public internal(set) var verdict: Verdict
  /// The training label of the building.
  public internal(set) var label: String?
  /// Its record, if the map has it.
  public internal(set) var building: Building?
  /// How much it is believed in after all frames, 0...1.
  public internal(set) var probability: Double?
  /// The best building of the frame by itself; `nil` when the frame was not looked at.
  public internal(set) var frameLabel: String?
  /// Its probability by the frame's picture alone, 0...1.
  public internal(set) var frameProbability: Double?
  /// What a person can do for a better answer; `nil` when nothing helps, or nothing is needed.
  public internal(set) var hint: LiveHint?
  /// On which side of the fence it was taken; `nil` without a position or a map.
  public internal(set) var fence: FenceSide?
  /// Whether the frame began another scene.
  public internal(set) var isCut = false

  init(_ verdict: Verdict) { self.verdict = verdict }
}
